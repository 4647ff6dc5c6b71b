//! Patterns of file names, as `language.toml` has them: `src/**/*.c`. Used for watching sources, and by `build.rs`.
//! A path is relative and has `/` between its parts; `*` stands within one part, `**` for any number of parts.

/// Folders that tools write. They are neither watched nor embedded.
pub(crate) const WRITTEN_BY_TOOLS: [&str; 6] = [
    "target",
    "build",
    "node_modules",
    "__pycache__",
    "dist",
    ".git",
];

/// Whether the path has this pattern.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (parts(pattern), parts(path));
    parts_match(&pattern, &path)
}

/// Whether a path below this folder can have this pattern.
pub(crate) fn may_match_below(pattern: &str, folder: &str) -> bool {
    let (pattern, folder) = (parts(pattern), parts(folder));
    for (place, part) in folder.iter().enumerate() {
        match pattern.get(place) {
            Some(&"**") => return true,
            Some(value) if place + 1 < pattern.len() && part_matches(value, part) => {}
            _ => return false,
        }
    }
    folder.len() < pattern.len()
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

fn parts_match(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, _) => path.is_empty(),
        (Some((&"**", [])), _) => !path.is_empty(),
        (Some((&"**", rest)), _) => (0..=path.len()).any(|i| parts_match(rest, &path[i..])),
        (Some((part, rest)), Some((name, names))) => {
            part_matches(part, name) && parts_match(rest, names)
        }
        (Some(_), None) => false,
    }
}

fn part_matches(part: &str, name: &str) -> bool {
    let Some((begins, rest)) = part.split_once('*') else {
        return part == name;
    };
    let Some(mut name) = name.strip_prefix(begins) else {
        return false;
    };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return name.ends_with(piece);
        }
        match name.find(piece) {
            Some(at) => name = &name[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{matches, may_match_below};

    #[test]
    fn a_pattern_is_of_parts() {
        for (pattern, path) in [
            ("src/main.c", "src/main.c"),
            ("src/*.c", "src/a.c"),
            ("src/**/*.c", "src/a.c"),
            ("src/**/*.c", "src/b/c/a.c"),
            ("sdk/**", "sdk/a/b"),
            ("**/*.py", "a.py"),
            ("*.config.*s", "a.config.mjs"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("src/*.c", "src/b/a.c"),
            ("src/*.c", "src/a.cpp"),
            ("src/**", "src"),
            ("src/**/*.c", "a.c"),
            ("ab*ba", "aba"),
            ("sdk/*", "src/a"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn folders_are_entered_only_if_something_can_be_in_them() {
        for (pattern, folder) in [("src/**/*.c", "src/a/b"), ("src/*", "src"), ("a", "")] {
            assert!(may_match_below(pattern, folder), "{pattern} {folder}");
        }
        for (pattern, folder) in [("src/*", "src/a"), ("src/**", "sdk"), ("a", "a")] {
            assert!(!may_match_below(pattern, folder), "{pattern} {folder}");
        }
    }
}
