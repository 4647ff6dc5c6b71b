//! The SDKs of all languages: their bindings are those that the contract gives, and scripts are told their mistakes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use bindings::{Contract, outputs};

use crate::ROOT;

#[test]
fn the_bindings_of_every_language_are_those_of_the_contract() {
    let contract = Contract::read(&Path::new(ROOT).join("wit")).expect("a contract");
    let outputs = outputs(&contract);
    assert!(outputs.len() >= 6, "only {} outputs", outputs.len());
    for output in outputs {
        let wanted = output.wanted(Path::new(ROOT)).expect("a place for it");
        let path = Path::new(ROOT).join(output.path);
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            found == wanted,
            "{} is not what wit/ gives; fix: cargo run -p bindings, and look at what it changes",
            output.path
        );
    }
}

/// A project that uses the standard library copies it.
#[test]
fn the_example_with_the_standard_library_is_built_as_its_page_says() {
    let cpp = Path::new(ROOT).join("guest-sdk/cpp");
    let read = |name: &str| std::fs::read_to_string(cpp.join(name)).expect(name);
    assert_eq!(read("examples/library/language.toml"), read("libcxx.toml"));
}

/// Text has no way to include a file, so that the examples and templates have copies.
#[test]
fn the_curve_of_webassembly_text_is_the_same_in_every_copy() {
    let curve = |name: &str| {
        let path = Path::new(ROOT).join("guest-sdk/wat").join(name);
        let text = std::fs::read_to_string(path).expect(name);
        let lines = text.lines().map(|line| line.trim().to_owned());
        let curve = lines.skip_while(|line| line != ";; curve: begin");
        curve
            .take_while(|item| item != ";; curve: end")
            .collect::<Vec<_>>()
    };
    let wanted = curve("curve.wat");
    assert!(wanted.len() > 100, "only {} lines", wanted.len());
    for name in [
        "examples/wave-motion",
        "examples/wave-score",
        "template/motion",
        "template/score",
    ] {
        let found = curve(&format!("{name}/main.wat"));
        let off = wanted.iter().zip(&found).find(|pair| pair.0 != pair.1);
        assert!(
            wanted == found,
            "guest-sdk/wat/{name}/main.wat has another curve than curve.wat: {off:?}"
        );
    }
}

/// The rows of the README's table of keys: the key, and an example.
fn manifest_keys() -> Vec<(String, String)> {
    let page =
        std::fs::read_to_string(Path::new(ROOT).join("guest-sdk/README.md")).expect("a page");
    let (_, section) = page
        .split_once("\n### The manifest\n")
        .expect("its section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let rows = rows.flat_map(|row| {
        let mut cells = row.split('|').map(str::trim).skip(1);
        let (keys, example) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        let example = example.trim_matches('`').to_owned();
        let keys = keys
            .split(", ")
            .map(|part| part.trim_matches('`').to_owned());
        keys.map(|key| (key, example.clone())).collect::<Vec<_>>()
    });
    rows.collect()
}

#[test]
fn the_page_documents_every_key_of_a_manifest() {
    let documented = manifest_keys();
    for (key, example) in &documented {
        let line = format!("{key} = {example}");
        let read = toml::from_str::<guests::Manifest>(&line);
        assert!(read.is_ok(), "{line}: {read:?}");
    }
    // The refusal of an unknown key lists the known ones.
    let refused = toml::from_str::<guests::Manifest>("nothing = 1").expect_err("it is unknown");
    let (_, known) = refused
        .message()
        .split_once("expected one of ")
        .expect("a list");
    let mut known: Vec<_> = known
        .split(", ")
        .map(|part| part.trim_matches('`'))
        .collect();
    let mut documented: Vec<_> = documented
        .iter()
        .map(|documented| documented.0.as_str())
        .collect();
    known.sort_unstable();
    documented.sort_unstable();
    assert_eq!(known, documented);
}

/// The imports that `raw.rs` of the Rust SDK declares: module, name, and the types in WebAssembly.
fn rust_imports() -> BTreeSet<(String, String, String)> {
    let path = Path::new(ROOT).join("guest-sdk/rust/src/raw.rs");
    let text = std::fs::read_to_string(path).expect("the SDK");
    let mut module = String::new();
    let mut found = BTreeSet::new();
    for chunk in text.split(';') {
        let quoted: Vec<_> = chunk.split('"').skip(1).step_by(2).collect();
        let mut modules = quoted.iter().filter(|text| text.starts_with("dcm:"));
        if let Some(name) = modules.next_back() {
            module = (*name).to_owned();
        }
        let Some((head, result)) = chunk.rsplit_once(") -> ") else {
            continue;
        };
        let (head, params) = head.rsplit_once('(').expect("parameters");
        let called = head.rsplit([' ', '\n']).next().unwrap_or("");
        let last = quoted
            .last()
            .filter(|text| !text.starts_with("dcm:") && **text != "C");
        let name = last.map_or(called, |value| value).to_owned();
        // Macros, which have no module yet or a result that is no type.
        let Some(result) = core(result.trim()) else {
            continue;
        };
        let params = params.split(", ").filter(|part| !part.is_empty());
        let params = params.map(|parameter| match parameter.split_once(": ") {
            Some((_, kind)) => core(kind).unwrap_or("?"),
            None => "i32 i32",
        });
        let params: Vec<_> = params.collect();
        found.insert((
            module.clone(),
            name,
            format!("{} -> {result}", params.join(" ")),
        ));
    }
    found
}

/// What a type of Rust is in WebAssembly.
fn core(of: &str) -> Option<&'static str> {
    Some(match of {
        "u32" | "usize" | "*const u8" | "*const u64" => "i32",
        "u64" => "i64",
        "f64" => "f64",
        _ => return None,
    })
}

#[test]
fn the_rust_sdk_imports_what_the_contract_has() {
    let contract = Contract::read(&Path::new(ROOT).join("wit")).expect("a contract");
    let mut said = BTreeSet::new();
    for interface in &contract.interfaces {
        for function in &interface.functions {
            let params: Vec<_> = function
                .params
                .iter()
                .map(|parameter| parameter.1.core())
                .collect();
            let types = format!("{} -> {}", params.join(" "), function.result.core());
            said.insert((interface.module.clone(), function.name.clone(), types));
        }
    }
    assert!(said.len() > 35, "only {} functions", said.len());
    assert_eq!(rust_imports(), said);
}

/// Runs the tests of an SDK in its own language.
fn sdk_tests(tool: &str, args: &[&str]) {
    let tests = Command::new(tool).args(args).current_dir(ROOT).output();
    let tests = tests.unwrap_or_else(|error| panic!("{tool}: {error}"));
    assert!(
        tests.status.success(),
        "{}{}",
        String::from_utf8_lossy(&tests.stdout),
        String::from_utf8_lossy(&tests.stderr)
    );
}

#[test]
fn authors_in_javascript_are_told_their_mistakes() {
    // The README's second command needs no Node.js; the continuous integration has it for `tests/languages/run`.
    if Command::new("node").arg("--version").output().is_ok() {
        sdk_tests("node", &["--test", "guest-sdk/javascript/test.mjs"]);
    }
}

#[test]
fn authors_in_python_are_told_their_mistakes() {
    sdk_tests("python3", &["guest-sdk/python/tests/mistakes.py"]);
}
