//! `dev`, as authors meet it: versions that follow each other on a simulated robot while it moves. The projects are of
//! WebAssembly in text form, which needs no tools.

use std::fs;
use std::os::unix::net::UnixStream;

use serde_json::Value;
use tests::process::{Home, until};
use tests::rig::full_names;

use super::guests::nod;
use crate::common::home;
use crate::project::{Dev, TEXT, project, save};

fn guests(home: &Home, robot: &str) -> Vec<Value> {
    let lines = home.good(&["ps", "--robot", robot, "--all", "--json"]);
    let guests = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    guests.collect()
}

#[test]
fn versions_follow_each_other_on_a_simulated_robot_of_its_own() {
    let home = home();
    let folder = project(&home, "bow", TEXT, &nod(0.1, u32::MAX));
    let dev = Dev::start(&home, &[&folder.display().to_string(), "--no-check"]);
    let first = dev.outcome("plays");
    assert_eq!(first["guest"], 1);
    assert!(folder.join("bow.wasm").is_file());

    save(&folder, &nod(0.2, u32::MAX));
    let second = dev.outcome("plays");
    assert_eq!(
        (&second["guest"], &second["file"]),
        (&2.into(), &"src/it.wat".into())
    );
    let seconds = |key: &str| second[key].as_f64().expect("a time");
    let steps = seconds("noticed_s") + seconds("built_s") + seconds("handed_over_s");
    assert!(steps <= seconds("total_s") + 0.01, "{second}");

    // A version that cannot be built changes nothing, and its message is told.
    save(&folder, "(module (func $oops");
    dev.outcome("failed");
    dev.complains_of("it.wat: ");
    until("the second version plays alone", || {
        let playing = guests(&home, &dev.robot);
        playing[0]["end"] == "another version took over" && playing[1]["life"] == "running"
    });

    // The same content again is no version; mended, it is the one that plays.
    save(&folder, &nod(0.2, u32::MAX));
    dev.outcome("unchanged");
    save(&folder, &nod(0.3, 5));
    assert_eq!(dev.outcome("plays")["guest"], 3);
    let ended = dev.outcome("ended");
    assert_eq!(
        (&ended["end"], &ended["fault"]),
        (&"finished".into(), &false.into())
    );

    // The manifest is part of it.
    let file = folder.join("choreography.toml");
    let toml = fs::read_to_string(&file)
        .expect("a file")
        .replace("50_000", "60_000");
    fs::write(&file, toml).expect("a file");
    assert_eq!(dev.outcome("plays")["file"], "choreography.toml");
    assert_eq!(guests(&home, &dev.robot)[3]["fuel"], 60_000);
    dev.outcome("ended");

    let socket = home.path(&format!("run/{}.sock", dev.robot));
    assert!(socket.exists());
    assert_eq!(dev.end(), Some(0));
    assert!(!socket.exists(), "its robot has ended with it");
}

#[test]
fn a_version_that_does_not_pass_the_check_is_not_played() {
    let home = home();
    let alive = r#"(module (func (export "is-alive") (result i32) (i32.const 1)))"#;
    let folder = project(&home, "bow", TEXT, alive);
    let allow = ["--allow", "nothing"];
    let dev = Dev::start(
        &home,
        &[&[&*folder.display().to_string()], &allow[..]].concat(),
    );
    assert!(dev.outcome("plays")["checked_s"].is_number());
    save(
        &folder,
        r#"(module (func (export "start")) (func (export "pre-process") (unreachable)))"#,
    );
    let refused = dev.outcome("refused");
    assert_eq!(
        (&refused["guest"], &refused["handed_over_s"]),
        (&1.into(), &Value::Null)
    );
    dev.complains_of("\"passes\":false");
    assert_eq!(guests(&home, &dev.robot).len(), 1);
    assert_eq!(dev.end(), Some(0));
}

#[test]
fn a_robot_that_runs_already_is_used_and_keeps_running() {
    let home = home();
    let running = home.start("one", &["--robot", "nao", "--sim"]);
    running.wait_for_state(cycle::State::Running);
    let folder = project(&home, "bow", TEXT, &nod(0.1, u32::MAX));
    let folder = folder.display().to_string();
    // The guest of this name is of an earlier session: it is replaced, not doubled.
    let old = home.good(&["build", &folder, "--json"]);
    let old: Value = serde_json::from_str(&old).expect("JSON");
    let old = old["file"].as_str().expect("a file").to_owned();
    home.good(&["load", &old, "--no-check", "--param", "height=0.3"]);
    fs::write(home.path("bow/src/it.wat"), full_names(&nod(0.2, u32::MAX))).expect("a file");
    let dev = Dev::start(&home, &[&folder, "--no-check"]);
    assert_eq!(dev.outcome("plays")["guest"], 2);
    dev.interrupt();
    assert_eq!(dev.outcome("stopped")["guest"], 2);
    assert_eq!(dev.code(), Some(0));
    // The older one may still fade out.
    until("both are gone", || {
        let all = guests(&home, "one");
        all.len() == 2 && all.iter().all(|item| item["life"] == "gone")
    });
    running.wait_for_turn(running.page().latest() + 10);

    // Beside it, a robot of its own.
    let dev = Dev::start(&home, &[&folder, "--no-check", "--sim"]);
    dev.outcome("plays");
    assert_eq!(guests(&home, &dev.robot).len(), 1);
    assert_eq!(dev.end(), Some(0));
}

#[test]
fn a_session_that_cannot_begin_says_why_and_starts_no_robot() {
    let home = home();
    let folder = project(
        &home,
        "bow",
        &format!("{TEXT}[[tool]]\nname = \"mucc\"\nany-of = [\"mucc\"]\n"),
        "",
    );
    let folder = folder.display().to_string();
    let printed = home.bad(1, &["dev", &folder]);
    assert!(printed.contains("there is no command `mucc`"), "{printed}");
    let good = project(&home, "bow2", TEXT, "").display().to_string();
    let output = home.bad(1, &["dev", &good, "--robot", "nobody.toml"]);
    assert!(output.contains("nobody.toml"), "{output}");
    assert!(
        home.bad(1, &["dev", "no.wat"])
            .contains("there is no file `no.wat`; fix: ")
    );
}

/// On a robot that another has started: each version is the session's own, and the last one goes with it.
#[test]
fn a_session_that_is_killed_takes_its_guest_along() {
    let home = home();
    let running = home.start("one", &["--robot", "nao", "--sim"]);
    running.wait_for_state(cycle::State::Running);
    let folder = project(&home, "bow", TEXT, &nod(0.1, u32::MAX));
    let mut dev = Dev::start(&home, &[&folder.display().to_string(), "--no-check"]);
    dev.outcome("plays");
    save(&folder, &nod(0.2, u32::MAX));
    assert_eq!(dev.outcome("plays")["guest"], 2);
    dev.child.kill().expect("it is there");
    dev.child.wait().expect("a process");
    until("its guests are gone", || {
        guests(&home, "one")
            .iter()
            .all(|guest| guest["life"] == "gone")
    });
    assert_eq!(
        running.page().read(|frame| frame.state()).flatten(),
        Some(cycle::State::Running)
    );
}

/// A session that is killed takes the robot that it simulates along.
#[test]
fn nothing_is_left_of_a_session_that_is_killed() {
    let home = home();
    let folder = project(&home, "bow", TEXT, &nod(0.1, u32::MAX));
    let mut dev = Dev::start(&home, &[&folder.display().to_string(), "--no-check"]);
    dev.outcome("plays");
    dev.child.kill().expect("it is there");
    dev.child.wait().expect("a process");
    let socket = home.path(&format!("run/{}.sock", dev.robot));
    assert!(UnixStream::connect(socket).is_err());
}
