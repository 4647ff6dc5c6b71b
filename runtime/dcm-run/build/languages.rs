//! Embeds the languages of `guest-sdk` into the program: their descriptions, SDK files and templates.
//! Called by the build script; `src/verbs/author/project/embedded.rs` includes what it writes. A folder of
//! `guest-sdk` with a `language.toml` is a language; nothing here knows one by name.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders that tools write: never part of an SDK.
use super::pattern::{self, WRITTEN_BY_TOOLS};

/// Writes them as source into cargo's folder.
pub(super) fn embed() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names it"));
    let sdks = here.join("../../guest-sdk");
    let sdks = fs::canonicalize(&sdks).expect("the SDKs are in the repository");
    // It has a row for each language: so a new folder is noticed, without looking into what tools write beside it.
    watch(&sdks.join("README.md"));
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/verbs/author/project/pattern.rs");
    let mut text = String::from("pub(super) static EMBEDDED: &[EmbeddedLanguage] = &[\n");
    for folder in entries(&sdks) {
        let description = folder.join("language.toml");
        if description.is_file() {
            language(&sdks, &folder, &description, &mut text);
        }
    }
    text.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names it"));
    fs::write(out.join("languages.rs"), text).expect("cargo's folder can be written");
}

/// Writes one language.
fn language(sdks: &Path, folder: &Path, description: &Path, text: &mut String) {
    watch(description);
    let id = folder.file_name().unwrap_or_default().to_string_lossy();
    let toml = fs::read_to_string(description).expect("a readable file");
    let (mut sdk, mut template) = (String::new(), String::new());
    let mut own = Vec::new();
    for (name, path) in files_in(folder, &files_of(&toml)) {
        let into = match name.strip_prefix("template/") {
            Some(name) => row(&mut template, name, &path),
            None => row(&mut sdk, &name, &path),
        };
        into.expect("a string has room");
        own.push(name);
    }
    // What it shares with another language, unless it has a file of that name itself.
    let shared = strings_of(&toml, "shares");
    for other in shared.iter().map(|shared| sdks.join(shared)) {
        for (name, path) in files_in(&other, &files_of(&toml)) {
            if !name.starts_with("template/") && !own.contains(&name) {
                row(&mut sdk, &name, &path).expect("a string has room");
            }
        }
    }
    let _ = write!(
        text,
        "    EmbeddedLanguage {{\n        id: {id:?},\n        description: {toml:?},\n        \
         sdk: &[\n{sdk}        ],\n        template: &[\n{template}        ],\n    }},\n"
    );
}

fn row(into: &mut String, name: &str, path: &Path) -> std::fmt::Result {
    writeln!(into, "        ({name:?}, include_bytes!({path:?})),")
}

/// The template of a folder, and its files that match one of these patterns: their names, and where they are.
fn files_in(folder: &Path, wanted: &[String]) -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    walk(folder, &mut all);
    let inside = |path: &Path| {
        let path = path.strip_prefix(folder).expect("inside");
        path.to_string_lossy().into_owned()
    };
    // A new file in these folders shows in their times.
    for path in all.iter().filter_map(|tree| tree.parent()) {
        let name = inside(path);
        let of_template = name == "template" || name.starts_with("template/");
        if of_template
            || wanted
                .iter()
                .any(|item| pattern::may_match_below(item, &name))
        {
            watch(path);
        }
    }
    let is_wanted = |name: &str| {
        name.starts_with("template/") || wanted.iter().any(|item| pattern::matches(item, name))
    };
    let named = all.into_iter().map(|path| (inside(&path), path));
    let found: Vec<_> = named.filter(|pair| is_wanted(&pair.0)).collect();
    for (_, path) in &found {
        watch(path);
    }
    found
}

/// The patterns of the array `files`.
fn files_of(toml: &str) -> Vec<String> {
    strings_of(toml, "files")
}

/// The strings of an array, read without a crate for TOML, which would be compiled once more for this. A test compares
/// it with what such a crate reads.
fn strings_of(toml: &str, key: &str) -> Vec<String> {
    let is_key = |line: &str| {
        let rest = line.strip_prefix(key);
        rest.is_some_and(|text| text.trim_start().starts_with('='))
    };
    let lines = toml.lines().skip_while(|line| !is_key(line));
    let mut found = Vec::new();
    for line in lines {
        let parts: Vec<_> = line.split('"').collect();
        found.extend(
            parts
                .iter()
                .skip(1)
                .step_by(2)
                .map(|part| (*part).to_owned()),
        );
        let is_end = |text: &&str| {
            text.split('#')
                .next()
                .is_some_and(|part| part.contains(']'))
        };
        if parts.iter().step_by(2).any(is_end) {
            break;
        }
    }
    found
}

/// All files below a folder, in the order of their names.
fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !WRITTEN_BY_TOOLS.contains(&&*name) {
                walk(&path, into);
            }
        } else if !name.ends_with(".wasm") {
            into.push(path);
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}
