//! What an earlier version has written is read as before: a state folder, recordings, and what verbs print of them.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::common::home;
use flate2::read::GzDecoder;
use serde_json::Value;
use tests::served::serve_with;

const QUIET: &str =
    "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n[recordings]\non = false\n";

/// The token of the state folder's only client.
const TOKEN: &str = "dcm_eb9fffc3f2ff2b615e0676259bb093455b43d9008a081f4a5621ce6bb9822cfe";

fn frozen(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/frozen");
    tests.join(name)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let to = to.join(entry.file_name().expect("a name"));
        match entry.is_dir() {
            true => copy(&entry, &to),
            false => drop(fs::copy(&entry, &to).expect("a file")),
        }
    }
}

/// Lines of JSON, without what time changes.
fn lines(text: &str) -> Vec<Value> {
    let read = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        if let Some(fields) = line.as_object_mut() {
            // Whether it has played well since.
            fields.remove("good");
        }
        line
    };
    text.lines().map(read).collect()
}

#[test]
fn a_state_folder_of_an_earlier_version_is_read() {
    let home = home();
    let state = home.path("state");
    copy(&frozen("state"), &state);
    let state = state.to_str().expect("a path");
    let words = ["--robot", "nao", "--sim", "--state", state];
    let served = serve_with(&home, QUIET, &words);
    served.wait_until_it_runs();
    for verb in ["ls", "boot", "tokens"] {
        let expected = fs::read_to_string(frozen(&format!("said/{verb}.json"))).expect("a file");
        let output = home.good(&[verb, "--json"]);
        assert_eq!(lines(&output), lines(&expected), "{verb}");
    }
    let expected = fs::read_to_string(frozen("said/audit.json")).expect("a file");
    let expected = lines(&expected);
    let output = lines(&home.good(&["audit", "--json"]));
    assert_eq!(output[..expected.len()], expected);
    let me: Value = served
        .client(Some(TOKEN))
        .get("/api/v2/me")
        .expect("a role");
    assert_eq!(
        (&me["name"], &me["role"]),
        (&"bert".into(), &"perform".into())
    );
    home.good(&["start", "evening", "--no-check"]);
}

#[test]
fn recordings_of_an_earlier_version_are_replayed() {
    let home = home();
    for (name, told) in [
        ("desk", "50 turns, 500 ms"),
        ("guest", "1 guest was run again"),
    ] {
        let mut bytes = Vec::new();
        let packed = fs::File::open(frozen(&format!("{name}.mcap.gz"))).expect("a recording");
        GzDecoder::new(packed)
            .read_to_end(&mut bytes)
            .expect("gzip");
        let path = home.path(&format!("{name}.mcap"));
        fs::write(&path, bytes).expect("a file");
        let output = home.good(&["replay", path.to_str().expect("a path"), "--verify"]);
        assert!(
            output.contains("identical") && output.contains(told),
            "{output}"
        );
    }
}
