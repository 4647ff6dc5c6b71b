//! The ledger: every feature of the earlier systems, with the test that shows it here. A test that is named must exist
//! and run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::ROOT;

/// The rows that must exist: `dcm-1` to `dcm-85`, and Tekkotsu's by letter.
const TEKKOTSU: [(char, u32); 5] = [('A', 33), ('B', 5), ('C', 9), ('D', 25), ('E', 11)];

fn ledger() -> BTreeMap<String, Vec<String>> {
    let text =
        std::fs::read_to_string(Path::new(ROOT).join("tests/ledger.toml")).expect("a ledger");
    let table: toml::Table = text.parse().expect("the ledger is TOML");
    let row = |(id, row): (String, toml::Value)| {
        let mut keys: Vec<_> = row
            .as_table()
            .expect("a row is a table")
            .keys()
            .cloned()
            .collect();
        keys.sort();
        keys.retain(|key| key != "missing");
        assert_eq!(keys, ["tests", "what"], "row {id}");
        assert!(
            row["what"].as_str().is_some_and(|what| !what.is_empty()),
            "row {id} says nothing"
        );
        let tests = row["tests"].as_array().expect("tests is a list");
        // What is partly there says what is missing; what nothing shows has nothing that could be missing.
        if let Some(missing) = row.get("missing") {
            let says = missing.as_str().is_some_and(|text| !text.is_empty());
            assert!(says && !tests.is_empty(), "row {id} has a wrong `missing`");
        }
        let names = tests
            .iter()
            .map(|test| test.as_str().expect("a test's name").to_owned())
            .collect();
        (id, names)
    };
    table.into_iter().map(row).collect()
}

#[test]
fn the_ledger_has_every_row_of_both_checklists() {
    let mut wanted: BTreeSet<String> = (1..=85).map(|row| format!("dcm-{row}")).collect();
    for (letter, rows) in TEKKOTSU {
        wanted.extend((1..=rows).map(|row| format!("tek-{letter}{row:02}")));
    }
    let found: BTreeSet<String> = ledger().into_keys().collect();
    assert_eq!(found, wanted);
}

#[test]
fn every_test_that_the_ledger_names_exists_and_is_run() {
    let run = tests_that_run();
    let mut missing = Vec::new();
    for (id, names) in ledger() {
        missing.extend(
            names
                .into_iter()
                .filter(|name| !run.contains(name))
                .map(|name| format!("{id}: {name}")),
        );
    }
    assert!(
        missing.is_empty(),
        "the ledger names tests that are not run; correct the name or write the test:\n  {}",
        missing.join("\n  ")
    );
}

/// Every test of the workspace as `package::test`, except those that are switched off; also those that only the
/// continuous integration runs.
fn tests_that_run() -> BTreeSet<String> {
    let script = std::fs::read_to_string(Path::new(ROOT).join(".ci/run")).expect("a script");
    let mut names = tests_of_cargo();
    for program in ["python", "server", "timed"] {
        if script.contains(&format!("step cargo test --workspace --test {program}\n")) {
            names.extend(tests_of_sources(program));
        }
    }
    names
}

/// By the sources, because the program is not built here.
fn tests_of_sources(program: &str) -> BTreeSet<String> {
    let folder = Path::new(ROOT).join("runtime/dcm-run/tests");
    let mut files = vec![folder.join(format!("{program}.rs"))];
    for entry in std::fs::read_dir(folder.join(program)).expect("a folder") {
        files.push(entry.expect("a folder").path());
    }
    let mut names = BTreeSet::new();
    for path in files.iter().filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(path).expect("a source");
        let module = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some(root) if root == "main" || root == program => program.to_owned(),
            stem => format!("{program}::{}", stem.expect("a name")),
        };
        for rest in text.split("#[test]\nfn ").skip(1) {
            let name = rest.split('(').next().unwrap_or_default();
            names.insert(format!("{module}::{name}"));
        }
    }
    names
}

/// The tests that cargo has built together with this one.
fn tests_of_cargo() -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["test", "--workspace", "--no-run", "--message-format=json"])
        // Set by whoever measures the time of each case; with it, cargo would build everything again.
        .env_remove("RUSTC_BOOTSTRAP")
        .current_dir(ROOT);
    // The same profile as this test's own, so that nothing is built a second time.
    let program = std::env::current_exe().expect("this program");
    let folder = program.ancestors().nth(2).and_then(Path::file_name);
    match folder
        .and_then(|folder| folder.to_str())
        .expect("a profile's folder")
    {
        "debug" => {}
        profile => _ = cargo.args(["--profile", profile]),
    }
    // The variables that cargo has set for this test must not change what it builds now.
    for (name, _) in std::env::vars()
        .filter(|(name, _)| name.starts_with("CARGO_PKG") || name.starts_with("CARGO_MANIFEST"))
    {
        cargo.env_remove(name);
    }
    let output = cargo.output().expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut names = BTreeSet::new();
    for line in output.stdout.split(|byte| *byte == b'\n') {
        let Ok(message) = serde_json::from_slice::<serde_json::Value>(line) else {
            continue;
        };
        let Some(binary) = message["executable"].as_str() else {
            continue;
        };
        if message["profile"]["test"] != true {
            continue;
        }
        let package = message["target"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let list = |extra: &[&str]| -> BTreeSet<String> {
            let mut test = Command::new(binary);
            test.args(["--list", "--format", "terse"])
                .args(extra)
                .current_dir(ROOT);
            let output = test.output().expect("a test binary lists its tests");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines()
                .filter_map(|line| line.strip_suffix(": test"))
                .map(|name| format!("{package}::{name}"))
                .collect()
        };
        let off = list(&["--ignored"]);
        names.extend(list(&[]).difference(&off).cloned());
    }
    names
}
