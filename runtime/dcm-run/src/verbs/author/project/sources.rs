//! The source files of a project, by the patterns of its language. Used by the steps of a build, and watched by `dev`.
//! What tools write is never a source, or a build would start the next one.

use std::fs;
use std::path::Path;

use super::pattern::{self, WRITTEN_BY_TOOLS};

/// The files below a folder that have one of these patterns; relative, in the order of their names.
pub(crate) fn files(folder: &Path, patterns: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    walk(folder, "", patterns, &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, inside: &str, patterns: &[String], found: &mut Vec<String>) {
    // A folder that cannot be read has no sources; the compiler says more.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let path = match inside {
            "" => name.to_owned(),
            inside => format!("{inside}/{name}"),
        };
        // Follows links: a source may be one.
        let is_folder = entry.path().is_dir();
        if is_folder {
            let may_hold = patterns
                .iter()
                .any(|pattern| pattern::may_match_below(pattern, &path));
            if may_hold && !WRITTEN_BY_TOOLS.contains(&name) && path.len() < PATH_MAX {
                walk(&entry.path(), &path, patterns, found);
            }
        } else if patterns
            .iter()
            .any(|pattern| pattern::matches(pattern, &path))
        {
            found.push(path);
        }
    }
}

/// The longest path that is looked into: a link may lead back to its own folder.
const PATH_MAX: usize = 512;

#[cfg(test)]
mod tests {
    use super::files;

    #[test]
    fn sources_are_found_and_what_tools_write_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "src/a.c",
            "src/deep/b.c",
            "src/b.h",
            "sdk/c.h",
            "build/d.c",
            "src/node_modules/e.c",
            "f.c",
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        std::os::unix::fs::symlink(folder.path().join("src"), folder.path().join("src/again"))
            .expect("a link");
        let all = |patterns: &[&str]| {
            let patterns: Vec<_> = patterns
                .iter()
                .map(|pattern| (*pattern).to_owned())
                .collect();
            files(folder.path(), &patterns)
        };
        assert_eq!(all(&["src/*.c", "sdk/*"]), ["sdk/c.h", "src/a.c"]);
        assert!(all(&["**/*.c"]).len() > 3, "a link in a circle ends");
        assert!(!all(&["**"]).iter().any(|path| path.contains("build/")));
    }
}
