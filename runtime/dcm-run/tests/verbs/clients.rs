//! The page's three clients beside a running loop: Rust, C and Python read the same values.

use std::path::Path;
use std::process::Command;

use crate::common::home;
use cycle::State;
use tests::process::text;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn rust_c_and_python_read_the_same_running_robot() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim", "--demo"]);
    running.wait_for_state(State::Running);
    let page = running.page();
    let path = running.page.to_str().expect("a path");

    let client = home.path("client");
    let built = Command::new("cc")
        .args(["-std=gnu11", "-Wall", "-Werror", "-I"])
        .arg(Path::new(ROOT).join("runtime/sensors/clients"))
        .arg(Path::new(ROOT).join("tests/clients/page.c"))
        .arg("-o")
        .arg(&client)
        .status();
    assert!(
        built.is_ok_and(|value| value.success()),
        "a C compiler is needed: install gcc"
    );
    let output = Command::new(&client).arg(path).output().expect("it runs");
    let words = text(&output.stdout);
    let words: Vec<_> = words.split_whitespace().collect();
    assert_eq!(
        (words[0], words[1]),
        ("Base", "turn"),
        "{}",
        text(&output.stderr)
    );
    let turn: u64 = words[2].parse().expect("a number");
    let sent = page
        .read_turn(turn, |frame| frame.sent(0).expect("a joint"))
        .expect("it is kept");
    let told: f64 = words[8].parse().expect("a number");
    assert!(
        (told - sent).abs() <= sent.abs() * 1e-5,
        "C read {told}, Rust {sent}"
    );

    let reader = Path::new(ROOT).join("runtime/sensors/clients/dcm_page.py");
    let output = Command::new(tests::python())
        .arg(reader)
        .args([path, "--json"])
        .output();
    let output = output.expect("it runs");
    let output: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
    let turn = output["turn"].as_u64().expect("a number");
    let seen = page.read_turn(turn, |frame| {
        (frame.now().nanos(), frame.sent(0), frame.sensor(0))
    });
    let (now, sent, sensor) = seen.expect("it is kept");
    assert_eq!(output["now"].as_u64(), Some(now), "{output}");
    assert_eq!(output["state"], "running");
    let first = |list: &str, key: &str| output[list][0][key].clone();
    assert_eq!(first("actuators", "name"), "Base");
    assert_eq!(first("actuators", "sent").as_f64(), sent, "{output}");
    assert_eq!(first("sensors", "value").as_f64(), sensor, "{output}");
}
