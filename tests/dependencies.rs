//! Dependencies: each of them is used, and the README's two commands build the same crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::ROOT;

/// The output of cargo with these arguments, without asking a registry.
pub(crate) fn cargo(words: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(words).arg("--offline").current_dir(ROOT);
    let output = cargo.output().expect("cargo runs");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {words:?}: {printed}");
    String::from_utf8(output.stdout).expect("text")
}

/// All Rust sources of a package, and of the folders of its targets.
fn sources(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a readable folder").path();
        let is_package = path.join("Cargo.toml").is_file();
        if path.is_dir() && !is_package && !path.ends_with("target") {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&fs::read_to_string(&path).expect("a readable file"));
        }
    }
}

/// Whether the text has this word, and not only as a part of another name.
fn has_word(text: &str, word: &str) -> bool {
    let is_of_name = |item: Option<char>| item.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !is_of_name(before) && !is_of_name(after)
    })
}

/// Dependencies that a package does not name in its sources: features for `workspace-hack`, and msgpack for the NAO in
/// the drivers' tests, which the verbs' tests include.
const ELSEWHERE: [&str; 2] = ["workspace-hack", "rmp"];

#[test]
fn every_dependency_is_used() {
    let told: Value =
        serde_json::from_str(&cargo(&["metadata", "--no-deps", "--format-version=1"]))
            .expect("JSON");
    let mut idle = Vec::new();
    let mut looked_at = 0;
    for package in told["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        // Its dependencies are only there for their features.
        if name == "workspace-hack" {
            continue;
        }
        let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
        let mut text = String::new();
        sources(manifest.parent().expect("a folder"), &mut text);
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let called = dependency["rename"].as_str();
            let called = called.unwrap_or(dependency["name"].as_str().expect("a name"));
            looked_at += 1;
            if !has_word(&text, &called.replace('-', "_")) && !ELSEWHERE.contains(&called) {
                idle.push(format!("{name}: {called}"));
            }
        }
    }
    assert!(looked_at > 150, "only {looked_at} dependencies");
    assert!(idle.is_empty(), "nobody uses these: {idle:#?}");
}

/// Packages that become a part of a program, with the features with which they are built.
fn built(words: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let format = ["--prefix=none", "--format={p}|{f}"];
    let words = [&["tree"], words, &format].concat();
    let mut built = BTreeMap::<_, BTreeSet<_>>::new();
    for line in cargo(&words).lines() {
        if let Some((package, features)) = line.trim_end_matches(" (*)").split_once('|') {
            let features = features.to_owned();
            built
                .entry(package.to_owned())
                .or_default()
                .insert(features);
        }
    }
    built
}

/// The second command uses what the first has built; only `dcm-run` and its pictures, which gain a feature, are built
/// again.
#[test]
fn one_build_serves_both_commands() {
    let words = ["-p=dcm-run", "--no-default-features"];
    let all = built(&[&words[..], &["--edges=normal,build"]].concat());
    // The number of our own crates does not count.
    let foreign = all.keys().filter(|key| !key.contains(" (/")).count();
    println!("{foreign} crates of others in the first command");
    // The filter of the log reads regular expressions: it brought ten. Compiling on all processors brought five,
    // motions of other programs (XML, YAML) three, and finding the place of a mistake in a request one.
    assert!(
        foreign > 200 && foreign <= 311,
        "{foreign} crates of others in the first command"
    );
    let first = built(&[&words[..], &["--edges=normal,no-proc-macro"]].concat());
    let second = built(&["--workspace", "--edges=normal,dev,no-proc-macro"]);
    let mut others = Vec::new();
    for (package, features) in &first {
        let gains = ["dcm-run ", "pictures "]
            .iter()
            .any(|text| package.starts_with(text));
        if gains || *features == second[package] {
            continue;
        }
        others.push(format!(
            "{package}: {features:?}, then {:?}",
            second[package]
        ));
    }
    assert!(
        others.is_empty(),
        "these are built twice; fix: name the features in runtime/workspace-hack/Cargo.toml: {others:#?}"
    );
}
