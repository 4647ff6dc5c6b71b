//! What the program says about itself: its version, what it was built from, and the licences of what is in it.

use std::process::Command;

use serde_json::Value;

use super::cli::{ROOT, dcm_run, text};

fn json(args: &[&str]) -> Vec<Value> {
    let output = dcm_run(args, "");
    assert!(
        output.status.success(),
        "{args:?}: {}",
        text(&output.stderr)
    );
    let lines = text(&output.stdout);
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{line}: {why}")))
        .collect()
}

/// What git says; `None` outside a clone.
fn git(words: &[&str]) -> Option<String> {
    let clone = std::path::Path::new(ROOT).join(".git").exists();
    let words = [&["-c", "safe.directory=*"], words].concat();
    let output = Command::new("git").args(words).current_dir(ROOT).output();
    let output = output
        .ok()
        .filter(|output| clone && output.status.success())?;
    Some(text(&output.stdout).trim().to_owned())
}

#[test]
fn the_version_says_what_the_program_was_built_from() {
    let told = json(&["--version", "--json"]);
    assert_eq!(told.len(), 1);
    assert_eq!(told, json(&["--json", "--version"]));
    assert_eq!(told, json(&["version", "--json"]));
    let told = &told[0];
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(told["features"], serde_json::json!(["pictures", "server"]));
    let contracts = &told["contracts"];
    assert_eq!(contracts["dcm:choreography"], "0.1.0");
    for name in ["api", "board", "page", "socket"] {
        assert!(contracts[name].is_u64(), "{name}: {contracts}");
    }
    let target = told["target"].as_str().expect("a target");
    assert!(
        target.starts_with(std::env::consts::ARCH) && target.contains("linux"),
        "{target}"
    );
    // The commit of this very clone; of an archive what `git archive` wrote into it, or nothing.
    if let Some(head) = git(&["log", "-1", "--format=%H"]) {
        assert_eq!(told["commit"], head);
        assert!(told["dirty"].is_boolean(), "{told}");
    } else {
        assert!(
            told["commit"].is_null() || told["dirty"].is_null(),
            "{told}"
        );
    }
    let line = text(&dcm_run(&["--version"], "").stdout);
    let words = text(&dcm_run(&["version"], "").stdout);
    assert_eq!(words.lines().next(), Some(line.trim_end()));
    assert!(
        line.starts_with(concat!("dcm-run ", env!("CARGO_PKG_VERSION"))),
        "{line}"
    );
    if let Some(commit) = told["commit"].as_str() {
        assert!(line.contains(&format!("({} 2", &commit[..7])), "{line}");
        assert_eq!(line.contains(", changed)"), told["dirty"] == true, "{line}");
    }
}

#[test]
fn the_licences_of_what_is_linked_are_printed() {
    let notice = text(&dcm_run(&["licenses"], "").stdout);
    for words in [
        "\nwasmtime 4",
        "Permission is hereby granted, free of charge",
        "LLVM Exceptions to the Apache 2.0 License",
        "UBUNTU FONT LICENCE Version 1.0",
        "UNICODE LICENSE V3",
        "\nthe Rust standard library: ",
    ] {
        assert!(notice.contains(words), "{words}");
    }
    let rows = json(&["licenses", "--json"]);
    let found = rows
        .iter()
        .find(|row| row["package"] == "zstd-sys")
        .expect("it is linked");
    assert_eq!(found["license"], "BSD-3-Clause");
    let texts = found["texts"].as_array().expect("texts");
    let of = |number: &Value| {
        rows.iter()
            .find(|row| row["text"] == *number)
            .expect("a text")
    };
    let said = texts.iter().map(|text| of(text)["words"].to_string());
    assert!(
        said.collect::<String>().contains("Meta Platforms"),
        "{texts:?}"
    );
}

#[test]
fn a_shipped_choreography_is_played_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |name: &str| {
        Command::new(env!("CARGO_BIN_EXE_dcm-run"))
            .args(["run", name, "--robot", "nao", "--sim", "--fast"])
            .current_dir(folder.path())
            .env("DCM_RUN_DIR", folder.path())
            .output()
            .expect("the binary runs")
    };
    let played = play("wave");
    assert!(
        text(&played.stdout).contains("wave  finished"),
        "{}",
        text(&played.stderr)
    );
    let wrong = play("wafe");
    assert_eq!(wrong.status.code(), Some(1));
    let output = text(&wrong.stderr);
    assert!(
        output
            .contains("there is no file or shipped choreography `wafe`; fix: did you mean `wave`?"),
        "{output}"
    );
    // A file of that name goes first.
    std::fs::write(folder.path().join("wave"), "no component").expect("a file");
    assert!(!play("wave").status.success());
}
