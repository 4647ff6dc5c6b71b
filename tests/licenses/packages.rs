//! The packages that are linked into `dcm-run`, and the files in which they have their licences. Called by the notice's
//! maker. They are those of Cargo.lock; nothing is asked of a registry.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::text::kind;
use crate::dependencies::cargo;

/// The licence that is used where a package offers it among others.
pub(super) const CHOSEN: &str = "MIT";

/// The machines that the README names.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// How names of files with licences begin.
const NAMES: [&str; 8] = [
    "copying",
    "copyright",
    "licence",
    "license",
    "notice",
    "ofl",
    "ufl",
    "unlicense",
];

/// Folders whose files are not linked.
const ASIDE: [&str; 6] = [
    "benches", "contrib", "examples", "programs", "target", "tests",
];

/// Files with licences that were not chosen: zstd is used under its other one, BSD-3-Clause.
const NOT_CHOSEN: [&str; 1] = ["zstd/COPYING"];

pub(super) struct Package {
    /// Its name and version.
    pub(super) title: String,
    /// As in SPDX.
    pub(super) license: String,
    /// The authors that it names; else where it comes from.
    pub(super) authors: String,
    folder: PathBuf,
}

/// The names and versions of the packages that are linked.
fn linked() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for target in TARGETS {
        let words = [
            "tree",
            "--locked",
            "-p=dcm-run",
            "--edges=normal,no-proc-macro",
            "--prefix=none",
        ];
        let tree = cargo(&[&words[..], &["--target", target]].concat());
        for line in tree.lines().filter(|line| !line.contains(" (/")) {
            let mut words = line.split(' ');
            let name = words.next().expect("a name");
            let version = words.next().and_then(|word| word.strip_prefix('v'));
            all.insert(format!("{name} {}", version.expect("a version")));
        }
    }
    assert!(all.len() > 300, "only {} packages are linked", all.len());
    all
}

/// The packages that are linked.
pub(super) fn packages() -> Vec<Package> {
    let words = [
        "metadata",
        "--locked",
        "--format-version=1",
        "--filter-platform",
    ];
    let told = cargo(&[&words[..], &TARGETS[..1]].concat());
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let linked = linked();
    let text = |text: &Value| text.as_str().unwrap_or_default().to_owned();
    let all = told["packages"].as_array().expect("packages").iter();
    let all = all.map(|value| {
        let authors: Vec<_> = value["authors"]
            .as_array()
            .expect("authors")
            .iter()
            .map(text)
            .collect();
        let authors = if authors.is_empty() {
            text(&value["repository"])
        } else {
            authors.join(", ")
        };
        Package {
            title: format!("{} {}", text(&value["name"]), text(&value["version"])),
            license: text(&value["license"])
                .replace(" / ", " OR ")
                .replace('/', " OR "),
            authors,
            folder: Path::new(&text(&value["manifest_path"]))
                .parent()
                .expect("a folder")
                .to_owned(),
        }
    });
    let found: Vec<_> = all
        .filter(|package| linked.contains(&package.title))
        .collect();
    assert_eq!(
        found.len(),
        linked.len(),
        "each package that is linked is known"
    );
    found
}

impl Package {
    /// The texts of its licences, without those that are alternatives to the chosen one.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut texts: Vec<_> = self
            .files()
            .iter()
            .map(|file| read(&self.folder.join(file)))
            .collect();
        let offered: Vec<_> = self.license.split(" OR ").collect();
        let is_choice = !self.license.contains(" AND ") && offered.contains(&CHOSEN);
        if is_choice && texts.iter().any(|text| kind(text) == CHOSEN) {
            texts.retain(|text| kind(text) == CHOSEN || !offered.contains(&kind(text)));
        }
        texts
    }

    /// The files with licences, from its folder.
    fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(here) = folders.pop() {
            for path in fs::read_dir(&here)
                .expect("a folder")
                .map(|entry| entry.expect("an entry").path())
            {
                let name = path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .to_lowercase();
                let inside = path
                    .strip_prefix(&self.folder)
                    .expect("below the folder")
                    .to_owned();
                if path.is_dir() {
                    folders.extend((!ASIDE.contains(&&*name)).then_some(path));
                    continue;
                }
                let is_named =
                    NAMES.iter().any(|item| name.starts_with(item)) || here.ends_with("LICENSES");
                let is_other = name.ends_with(".rs")
                    || NOT_CHOSEN.iter().any(|item| Path::new(item) == inside);
                found.extend((is_named && !is_other).then_some(inside));
            }
        }
        found.sort();
        found
    }
}

/// A file's text without what differs from editor to editor, and without the marks of a comment.
fn read(path: &Path) -> String {
    let bytes = fs::read(path).expect("a readable file");
    let text = String::from_utf8_lossy(&bytes).replace('\r', "");
    let is_comment = text.lines().all(|line| line.starts_with("//"));
    let plain = |line: &str| {
        let line = if is_comment {
            line.trim_start_matches("//")
        } else {
            line
        };
        line.strip_prefix(' ')
            .filter(|_| is_comment)
            .unwrap_or(line)
            .trim_end()
            .to_owned()
    };
    let lines: Vec<_> = text.lines().map(plain).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
