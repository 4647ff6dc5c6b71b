//! The log of a loop: what is written where, in which form, and what becomes of it when it cannot be written.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::process::Stdio;

use cycle::State;
use serde_json::Value;
use tests::process::{Home, text, until};
use tests::served::WAVE;

use crate::common::home;

/// A motion that writes a line in its first turn, and a warning in its second; then it ends.
const SAYS: &str = r#"(module
  (import "dcm:choreography/log@0.1.0" "write" (func $write (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "good morning")
  (data (i32.const 16) "it is late")
  (global $turn (mut i32) (i32.const 0))
  (func (export "pre-process")
    (global.set $turn (i32.add (global.get $turn) (i32.const 1)))
    (if (i32.eq (global.get $turn) (i32.const 1))
      (then (drop (call $write (i32.const 1) (i32.const 0) (i32.const 12)))))
    (if (i32.eq (global.get $turn) (i32.const 2))
      (then (drop (call $write (i32.const 2) (i32.const 16) (i32.const 10))))))
  (func (export "is-alive") (result i32) (i32.lt_u (global.get $turn) (i32.const 3))))"#;

/// Runs a choreography to its end with these words; what it wrote to standard error.
fn run(home: &Home, piece: &str, words: &[&str]) -> String {
    let mut all = vec![
        "run",
        piece,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--plain",
        "--no-check",
    ];
    all.extend(words);
    let output = home.run(&all);
    let printed = text(&output.stderr);
    assert!(output.status.success(), "{printed}{}", text(&output.stdout));
    printed
}

#[test]
fn every_room_logs_and_none_of_it_on_the_loops_thread() {
    // With its own cache, so that the choreography is compiled.
    let home = home().with_own_cache();
    // In a build for tests, an entry that is written on the loop's thread ends the program.
    let said = run(&home, WAVE, &["--log", "trace"]);
    for part in [
        " INFO guests::load::choreography: compiled ",
        " INFO robot::guest_service: was admitted ",
        " guest=wave ",
        " INFO robot::body: the body is running turn=",
        "DEBUG robot::body: ",
        " actuator=",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn a_guests_line_has_its_turn() {
    let home = home();
    let says = home.piece("says.wasm", SAYS);
    let said = run(&home, &says, &["--log", "trace", "--log-format", "json"]);
    let entries = said
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let entries: Vec<Value> = entries.collect();
    // In virtual time every turn of a NAO takes 10 ms: what the body logs says how turns are counted.
    let counted = |value: &Value| {
        Some((
            value["turn"].as_i64()?,
            value["at_ns"].as_i64()? / 10_000_000,
        ))
    };
    let of = |what: &str| -> Vec<(i64, i64)> {
        let ours = entries.iter().filter(|entry| entry["event"] == what);
        ours.filter_map(counted).collect()
    };
    let (body, lines) = (of("entered"), of("said"));
    assert_eq!(lines.len(), 2, "{said}");
    let (turn, at) = *body.last().expect("the body entered a state");
    for line in lines {
        assert_eq!(line.0 - line.1, turn - at, "{said}");
    }
}

#[test]
fn a_filter_chooses_rooms_levels_and_guests() {
    let home = home();
    let says = home.piece("says.wasm", SAYS);
    let lines = |words: &[&str]| -> Vec<String> {
        run(&home, &says, words)
            .lines()
            .map(str::to_owned)
            .collect()
    };
    let said = lines(&["--log", "off,says=info"]);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains(" INFO guest says: good morning turn="),
        "{said:?}"
    );
    assert!(
        said[1].contains(" WARN guest says: it is late turn="),
        "{said:?}"
    );
    assert_eq!(lines(&["--log", "says=warn"]).len(), 1);
    assert_eq!(lines(&["--log", "off"]).len(), 0);
    // Without a filter nothing is logged, and the output has the guest's lines.
    assert_eq!(lines(&[]).len(), 0);
    let mut command = home.command(&["run", &says, "--robot", "nao", "--sim", "--fast", "--plain"]);
    let output = command
        .arg("--no-check")
        .env("DCM_LOG", "off,says=warn")
        .output();
    let output = text(&output.expect("it runs").stderr);
    assert!(
        output.contains(" WARN guest says: it is late turn="),
        "{output}"
    );
    assert_eq!(output.lines().count(), 1);
}

#[test]
fn json_has_an_object_on_each_line_with_fields() {
    let home = home();
    let says = home.piece("says.wasm", SAYS);
    let said = run(&home, &says, &["--log", "debug", "--log-format", "json"]);
    let entries: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let find = |key: &str, value: &str| {
        let mut found = entries.iter().filter(|entry| entry[key] == value);
        found
            .next()
            .unwrap_or_else(|| panic!("{key} {value} in {said}"))
            .clone()
    };
    let line = find("text", "good morning");
    assert_eq!(
        (&line["guest"], &line["target"], &line["level"]),
        (&"says".into(), &"says".into(), &"info".into())
    );
    let opened = find("text", "the lane of says was opened");
    assert_eq!(opened["guest"], "says");
    assert!(
        opened["turn"].as_u64().is_some_and(|number| number > 0),
        "{opened}"
    );
    let admitted = find("span", "start");
    assert_eq!(
        admitted["fields"]["digest"].as_str().map(str::len),
        Some(64)
    );
    assert!(
        entries
            .iter()
            .all(|entry| entry["utc_ns"].as_u64() > Some(0))
    );
}

#[test]
fn a_filter_that_cannot_be_read_is_refused_with_the_place_marked() {
    let home = home();
    let said = home.bad(2, &["ps", "--log", "info,robot=dbug"]);
    assert!(
        said.contains(
            "`dbug` is no level; did you mean `debug`?\n  info,robot=dbug\n             ^^^^"
        ),
        "{said}"
    );
    let output = home
        .command(&["ps"])
        .env("DCM_LOG", "wran")
        .output()
        .expect("it runs");
    let printed = text(&output.stderr);
    // Of the environment, it is no mistake of whoever types a verb now, which may be `estop`.
    assert_eq!(output.status.code(), Some(4), "{printed}");
    assert!(printed.contains("warning: ignoring DCM_LOG: "), "{printed}");
    assert!(
        printed.contains("did you mean `warn`?\n  wran\n  ^^^^"),
        "{printed}"
    );
    // An empty variable is none.
    let output = home
        .command(&["ps"])
        .env("DCM_LOG", "")
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
}

/// Runs a simulated NAO that logs all it can to `stderr`, until it stands; what `dcm-run logs` then says.
fn logs_of(home: &Home, stderr: Stdio, environment: &[(&str, String)]) -> String {
    let mut command = home.command(&[
        "run", "--robot", "nao", "--sim", "--plain", "--log", "debug",
    ]);
    let child = command
        .envs(environment.iter().cloned())
        .stdout(Stdio::null())
        .stderr(stderr);
    let mut child = child.spawn().expect("the binary starts");
    until("it listens", || {
        home.run(&["ps", "--robot", "nao"]).status.success()
    });
    let mut said = String::new();
    until("it stands", || {
        said = text(&home.run(&["logs", "--robot", "nao"]).stdout);
        said.contains(&format!("the body is {}", State::Running.name()))
    });
    home.good(&["stop", "--robot", "nao"]);
    assert!(child.wait().expect("it ends").success(), "{said}");
    said
}

#[test]
fn a_log_that_cannot_be_written_stops_nothing_and_is_told_where_it_still_can_be() {
    let home = home();
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("a full disk");
    let said = logs_of(&home, full.into(), &[]);
    assert!(
        said.contains("ERROR logging::writer: the log cannot be written: No space left"),
        "{said}"
    );
    assert_eq!(
        said.matches("cannot be written").count(),
        1,
        "it is told once: {said}"
    );
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let said = logs_of(&home, writer.into(), &[]);
    assert!(
        said.contains("the log cannot be written: Broken pipe"),
        "{said}"
    );
    // One that is closed is opened anew as /dev/null, before a program's first line.
    let said = logs_of(&home, Stdio::null(), &[]);
    assert!(
        said.contains("standard error is closed: the log is only in the history"),
        "{said}"
    );
}

#[test]
fn without_journald_the_log_is_text() {
    let home = home();
    let path = home.path("journal");
    let file = File::create(&path).expect("a file");
    let fstat = rustix::fs::fstat(&file).expect("a file");
    assert!(file.as_raw_fd() > 2);
    // As systemd says that standard error is the journal's. Where one runs, it cannot be shown here.
    assert!(
        !std::path::Path::new("/run/systemd/journal/socket").exists(),
        "journald runs here"
    );
    let stream = (
        "JOURNAL_STREAM",
        format!("{}:{}", fstat.st_dev, fstat.st_ino),
    );
    logs_of(&home, file.into(), &[stream]);
    let said = std::fs::read_to_string(&path).expect("a file");
    assert!(
        said.contains("WARN logging: journald cannot be reached"),
        "{said}"
    );
    assert!(
        said.contains(" INFO robot::body: the body is running"),
        "{said}"
    );
}

#[test]
fn the_temperatures_of_all_motors_are_logged_every_half_minute() {
    let home = home();
    let words = "run --robot nao --sim --speed 20 --for 100s --plain --log off,robot::heat=info --log-format json";
    let words: Vec<_> = words.split(' ').collect();
    let output = home.run(&words);
    let output = text(&output.stderr);
    let entries = output
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let entries: Vec<_> = entries
        .filter(|entry| entry["target"] == "robot::heat")
        .collect();
    // At 30, 60 and 90 s of the robot's time; a busy machine comes by later.
    assert!((2..=3).contains(&entries.len()), "{output}");
    let nao = description::load(&description::RobotSource::of("nao")).expect("a shipped robot");
    let motors = nao
        .actuators
        .iter()
        .filter(|actuator| actuator.heat.is_some())
        .count();
    for entry in entries {
        let line = entry["text"].as_str().expect("a text");
        let (_, all) = line.split_once("°C: ").expect("temperatures");
        let read = |text: &str| {
            text.rsplit_once(' ')
                .map(|pair| (pair.0.to_owned(), pair.1.parse::<f64>()))
        };
        let all: Vec<_> = all
            .split(", ")
            .map(|part| read(part).expect(part))
            .collect();
        assert_eq!(all.len(), motors, "{line}");
        for (name, celsius) in &all {
            let celsius = celsius.as_ref().expect(name);
            assert!((0.0..100.0).contains(celsius), "{line}");
        }
        for joint in ["HeadYaw", "LKneePitch", "RAnkleRoll"] {
            assert!(all.iter().any(|pair| pair.0 == joint), "{joint}: {line}");
        }
    }
}
