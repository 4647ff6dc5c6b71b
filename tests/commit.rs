//! The commit that `dcm-run --version` names, as the build script of `dcm-run` finds it: in a clone, in an archive, in
//! a folder of somebody else's clone. Small repositories stand for ours. Needs git.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::ROOT;

/// A small repository like ours, and the build script as a program.
struct Sources {
    folder: TempDir,
    script: PathBuf,
}

impl Sources {
    fn new() -> Sources {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("build");
        let part = Path::new(ROOT).join("runtime/dcm-run/build/commit.rs");
        let main =
            format!("#[path = {part:?}]\nmod commit;\nfn main() {{\n    commit::set();\n}}\n");
        let source = folder.path().join("main.rs");
        fs::write(&source, main).expect("a file");
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc
            .args(["--edition=2024", "-o"])
            .arg(&script)
            .arg(source);
        assert!(rustc.status().expect("rustc runs").success());
        let sources = Sources { folder, script };
        for name in ["build.rs", "commit.txt", ".gitattributes"] {
            let text = fs::read(Path::new(ROOT).join("runtime/dcm-run").join(name));
            let text = String::from_utf8(text.expect("a file")).expect("text");
            sources.write(&format!("runtime/dcm-run/{name}"), &text);
        }
        sources.write("Cargo.lock", "version = 4");
        sources.write("runtime/cycle/src/lib.rs", "//! The turn.");
        sources.write("runtime/cycle/tests/turn.rs", "//! A test.");
        sources.write("choreographies/wave/wave.wasm", "wasm");
        sources.write("README.md", "# A robot");
        sources
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("clone")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn git(&self, words: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]);
        // Neither the settings of whoever runs this, nor the repository of a hook that does.
        git.env("GIT_CONFIG_GLOBAL", "/dev/null");
        for key in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
            git.env_remove(key);
        }
        let output = git.args(words).current_dir(self.root()).output();
        let output = output.expect("git is needed; fix: apt-get install git");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {words:?}: {printed}");
        String::from_utf8(output.stdout)
            .expect("text")
            .trim()
            .to_owned()
    }

    fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "A step"]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// What the script tells of the sources in a folder, and what it watches.
    fn told(&self, root: &Path) -> (Told, Vec<PathBuf>) {
        let mut script = Command::new(&self.script);
        script.env("CARGO_MANIFEST_DIR", root.join("runtime/dcm-run"));
        script.env("CARGO_PKG_VERSION", "1.2.3");
        let output = script.output().expect("the script runs");
        assert!(output.status.success());
        let lines = String::from_utf8(output.stdout).expect("text");
        let value = |key: &str| {
            let begins = format!("cargo::rustc-env=DCM_RUN_{key}=");
            let found = lines.lines().find_map(|line| line.strip_prefix(&*begins));
            found
                .unwrap_or_else(|| panic!("no {key}: {lines}"))
                .to_owned()
        };
        let watched = lines
            .lines()
            .filter_map(|line| line.strip_prefix("cargo::rerun-if-changed="));
        let told = Told {
            commit: value("COMMIT"),
            dirty: value("DIRTY"),
            line: value("VERSION"),
        };
        (told, watched.map(PathBuf::from).collect())
    }

    /// Of the clone itself.
    fn own(&self) -> Told {
        let (told, watched) = self.told(&self.root());
        // A missing one would make every build run it.
        let missing: Vec<_> = watched.iter().filter(|watched| !watched.exists()).collect();
        assert!(missing.is_empty(), "{missing:?}");
        told
    }
}

#[derive(Debug, PartialEq)]
struct Told {
    commit: String,
    dirty: String,
    line: String,
}

impl Told {
    fn nothing() -> Told {
        let line = "1.2.3".to_owned();
        let (commit, dirty) = (String::new(), String::new());
        Told {
            commit,
            dirty,
            line,
        }
    }
}

#[test]
fn a_clone_tells_its_commit_and_whether_what_is_built_differs() {
    let sources = Sources::new();
    sources.git(&["init", "--quiet"]);
    assert_eq!(sources.own(), Told::nothing(), "before the first commit");
    let commit = sources.commit();
    let told = sources.own();
    assert_eq!((&*told.commit, &*told.dirty), (&*commit, "false"));
    assert!(
        told.line.starts_with(&format!("1.2.3 ({} 2", &commit[..7])),
        "{}",
        told.line
    );
    // What does not become part of the program makes no difference.
    sources.write("README.md", "# Another robot");
    sources.write("runtime/cycle/tests/turn.rs", "//! Another test.");
    assert_eq!(sources.own(), told);
    for (path, text) in [
        ("runtime/cycle/src/lib.rs", "//! Another turn."),
        ("runtime/cycle/src/new.rs", "//! Not known to git."),
        ("choreographies/wave/wave.wasm", "other"),
        ("Cargo.lock", "version = 5"),
    ] {
        sources.write(path, text);
        let changed = sources.own();
        assert_eq!(changed.dirty, "true", "{path}");
        assert!(changed.line.ends_with(", changed)"), "{}", changed.line);
        let next = sources.commit();
        let told = sources.own();
        assert_eq!((told.commit, &*told.dirty), (next, "false"), "{path}");
    }
    // A commit, a checkout and a reset each change a file that cargo watches, also after the refs were packed.
    sources.git(&["pack-refs", "--all"]);
    let log = sources.root().join(".git/logs/HEAD");
    let before = fs::metadata(&log).expect("a log").len();
    let (_, watched) = sources.told(&sources.root());
    let same = |path: &PathBuf| path.canonicalize().ok() == log.canonicalize().ok();
    assert!(watched.iter().any(same), "{watched:?}");
    sources.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    assert!(fs::metadata(&log).expect("a log").len() > before);
    // A second folder of the same clone.
    let beside = sources.folder.path().join("beside");
    sources.git(&[
        "worktree",
        "add",
        "--quiet",
        beside.to_str().expect("a path"),
    ]);
    let (told, _) = sources.told(&beside);
    assert_eq!(told.commit, sources.git(&["rev-parse", "HEAD"]));
}

#[test]
fn an_archive_tells_its_commit_and_nothing_is_guessed() {
    let sources = Sources::new();
    sources.git(&["init", "--quiet"]);
    let commit = sources.commit();
    // Unpacked inside of somebody else's clone, whose commit is not ours.
    let inside = sources.root().join("vendor/dcm-run");
    fs::create_dir_all(&inside).expect("a folder");
    let archive = sources.folder.path().join("archive.tar");
    let archive = archive.to_str().expect("a path");
    sources.git(&["archive", "--output", archive, "HEAD"]);
    let mut tar = Command::new("tar");
    tar.args(["-xf", archive, "-C"]).arg(&inside);
    assert!(tar.status().expect("tar runs").success());
    let (told, _) = sources.told(&inside);
    assert_eq!((&*told.commit, &*told.dirty), (&*commit, ""));
    assert!(
        told.line.starts_with(&format!("1.2.3 ({} 2", &commit[..7])),
        "{}",
        told.line
    );
    // Copied files know nothing.
    let copied = sources.root().join("runtime/dcm-run/commit.txt");
    fs::copy(copied, inside.join("runtime/dcm-run/commit.txt")).expect("a file");
    assert_eq!(sources.told(&inside).0, Told::nothing());
}
