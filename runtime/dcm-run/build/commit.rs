//! Decides what `dcm-run version` says about its sources: the commit, its date, and whether they differ from it.
//! Called by the build script. It runs again only if the commit or a file that becomes part of the program has
//! changed, so that no build compiles more for its sake; and it never guesses: an unknown commit is empty.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What becomes part of the program, besides crates and choreographies.
const PARTS: [&str; 5] = [
    "Cargo.toml",
    "Cargo.lock",
    "wit",
    "guest-sdk",
    "tests/ledger.toml",
];

/// What of a crate does.
const PARTS_OF_CRATE: [&str; 5] = ["src", "robots", "build", "build.rs", "Cargo.toml"];

/// The file into which `git archive` writes the commit.
const ARCHIVED: &str = "commit.txt";

/// A commit, as far as it is known.
#[derive(Default)]
struct Commit {
    hash: String,
    date: String,
    /// Whether the sources differ from it: `true`, `false`, or empty if that is unknown.
    dirty: String,
}

/// Tells the compiler what is known.
pub(super) fn set() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = own.join("../..");
    watch(&own.join("build.rs"));
    watch(&own.join(ARCHIVED));
    // Another repository may be around an unpacked archive, so only the one of this folder counts.
    let commit = if root.join(".git").exists() {
        of_clone(&root)
    } else {
        of_archive(&own.join(ARCHIVED))
    };
    let commit = commit.unwrap_or_default();
    set_variable("DCM_RUN_COMMIT", &commit.hash);
    set_variable("DCM_RUN_COMMIT_DATE", &commit.date);
    set_variable("DCM_RUN_DIRTY", &commit.dirty);
    set_variable("DCM_RUN_VERSION", &line(&commit));
    for (name, key) in [("DCM_RUN_TARGET", "TARGET"), ("DCM_RUN_PROFILE", "PROFILE")] {
        set_variable(name, &env::var(key).unwrap_or_default());
    }
}

/// What `dcm-run --version` prints after the name.
fn line(commit: &Commit) -> String {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if commit.hash.is_empty() {
        return version;
    }
    let (hash, date) = (&commit.hash[..7.min(commit.hash.len())], &commit.date);
    let changed = if commit.dirty == "true" {
        ", changed"
    } else {
        ""
    };
    format!("{version} ({hash} {date}{changed})")
}

/// The commit of a clone.
fn of_clone(root: &Path) -> Option<Commit> {
    let parts = parts(root);
    parts.iter().for_each(|part| watch(&root.join(part)));
    // Every commit, checkout and reset adds a line to the log of HEAD; a clone that cargo made has no such log, and
    // nobody commits in it.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(root, &["rev-parse", "--git-path", file]) {
            watch(&root.join(path));
        }
    }
    let Some(told) = git(root, &["log", "-1", "--format=%H %cs"]) else {
        println!(
            "cargo::warning=git does not tell the commit, so `dcm-run --version` will not name it"
        );
        return None;
    };
    let (hash, date) = told.split_once(' ')?;
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(parts.iter().map(String::as_str));
    let dirty = git(root, &status)
        .map(|git| (!git.is_empty()).to_string())
        .unwrap_or_default();
    Some(Commit {
        hash: hash.to_owned(),
        date: date.to_owned(),
        dirty,
    })
}

/// The commit of an archive: `git archive` has replaced the placeholders by hash and date.
fn of_archive(file: &Path) -> Option<Commit> {
    let text = fs::read_to_string(file).ok()?;
    let (hash, date) = text.trim().split_once(' ')?;
    let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| Commit {
        hash: hash.to_owned(),
        date: date.to_owned(),
        dirty: String::new(),
    })
}

/// The files and folders that become part of the program, from the root.
fn parts(root: &Path) -> Vec<String> {
    let names = |folder: &str| {
        let entries = fs::read_dir(root.join(folder))
            .into_iter()
            .flatten()
            .flatten();
        entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect::<Vec<_>>()
    };
    let mut parts: Vec<_> = PARTS.map(str::to_owned).into();
    for name in names("runtime") {
        parts.extend(PARTS_OF_CRATE.map(|part| format!("runtime/{name}/{part}")));
    }
    for name in names("choreographies") {
        parts.push(format!("choreographies/{name}/{name}.wasm"));
    }
    parts.retain(|part| root.join(part).exists());
    parts.sort();
    parts
}

/// What git prints, without changing anything. It also reads a repository of another user, as a container mounts it.
fn git(root: &Path, words: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command
        .args(["--no-optional-locks", "-c", "safe.directory=*"])
        .args(words);
    // A hook that starts the build has set these for its own repository.
    for key in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(key);
    }
    let output = command.current_dir(root).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Runs this again when the file, or a file in the folder, changes. Cargo would run it always for one that is missing.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

fn set_variable(key: &str, value: &str) {
    println!("cargo::rustc-env={key}={value}");
}
