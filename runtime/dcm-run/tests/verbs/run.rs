//! A loop: started, asked, watched, pushed, stopped, killed.

use std::time::{Duration, Instant};

use crate::common::home;
use cycle::State;
use nix::sys::signal::Signal;
use serde_json::json;
use tests::process::{TIMEOUT, Wire, text, until};

#[test]
fn a_newcomer_runs_a_robot_asks_it_and_stops_it() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim"]);
    running.wait_for_state(State::Running);
    let printed = home.good(&["set", "Base", "30deg", "--in", "300ms"]);
    assert!(printed.starts_with("Base goes to"), "{printed}");
    let there = || {
        home.good(&["get", "Base.sensor"])
            .trim()
            .parse::<f64>()
            .expect("a number")
    };
    until("it is there", || {
        (there() - 30f64.to_radians()).abs() < 0.02
    });
    // The NAO's long names and aliases are understood as well.
    home.good(&[
        "set",
        "Device/SubDeviceList/Base/Position/Actuator/Value",
        "0",
        "--in",
        "200ms",
    ]);
    home.good(&["set", "Arm", "0.1", "--in", "100ms", "--merge", "merge"]);
    let joints = home.good(&["joints"]);
    assert!(
        joints.contains("Shoulder") && !joints.contains("Lamp"),
        "{joints}"
    );
    assert!(home.good(&["joints", "--all"]).contains("Lamp"));
    let state = home.good(&["get"]);
    assert!(
        state.contains("running") && state.contains("servos"),
        "{state}"
    );
    let watched = home.good(&["watch", "Base", "--every", "5ms", "--count", "3", "--csv"]);
    assert_eq!(watched.lines().next(), Some("now,Base.sent,Base.sensor"));
    assert_eq!(watched.lines().count(), 4);
    let held = home.good(&["hold"]);
    assert_eq!(held.trim(), "desk is holding");
    // The last move may still be under way.
    let resumed = home.good(&["resume"]);
    assert!(resumed.starts_with("desk is running"), "{resumed}");
    assert!(home.good(&["stop"]).contains("safe pose"));
    let output = running.ended();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("stopped softly: the body is limp"));
    let nobody = home.bad(4, &["get"]);
    assert!(
        nobody.contains("no robot is running here; fix:"),
        "{nobody}"
    );
}

#[test]
fn who_waits_for_a_motion_learns_how_it_ended() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim"]);
    running.wait_for_state(State::Running);
    let begun = Instant::now();
    let said = home.good(&["set", "Base", "30deg", "--in", "400ms", "--wait"]);
    assert!(begun.elapsed() > Duration::from_millis(400), "{said}");
    assert!(said.contains("arrived after "), "{said}");
    let said = home.good(&["set", "Base", "99", "--clip", "--in", "0s", "--wait"]);
    assert!(said.contains("arrived, with 1 command clipped"), "{said}");
    // A joint at its speed limit arrives when it is there.
    let page = running.page();
    let sent = page.read(|frame| frame.sent(0)).flatten().expect("a turn");
    let range = description::load(&description::RobotSource::of("desk"));
    let end = range.expect("a shipped robot").actuators[0].range.max;
    // Sent are whole counts of the servo.
    assert!((sent - end).abs() < 1e-3, "{sent} of {end}");
    let said = home.good(&["pose", "goto", "up", "--in", "300ms", "--wait"]);
    assert!(said.contains("arrived after "), "{said}");
    // One that is replaced did not arrive.
    let told = home.good(&["--json", "set", "Base", "0", "--in", "1min"]);
    let ticket = |told: &str| {
        let told: serde_json::Value = serde_json::from_str(told).expect("JSON");
        told["told"]["taken"]["ticket"].to_string()
    };
    let ticket = ticket(&told);
    let pending = home.good(&["pending"]);
    assert!(
        pending.contains("Base") && pending.trim().ends_with(&ticket),
        "{pending}"
    );
    std::thread::scope(|scope| {
        let waits =
            scope.spawn(|| home.run(&["--json", "set", "Base", "0.1", "--in", "1min", "--wait"]));
        until("it waits", || {
            !home.good(&["pending"]).trim().ends_with(&ticket)
        });
        home.good(&["set", "Base", "0.2", "--in", "10s"]);
        let output = waits.join().expect("a thread");
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert!(printed.contains(r#""end":"cleared""#), "{printed}");
    });
    let ticket = home.good(&["pending", "Base"]);
    let ticket = ticket
        .split_whitespace()
        .next_back()
        .expect("a number")
        .to_owned();
    let printed = home.good(&["cancel", &ticket]);
    assert_eq!(
        printed.trim(),
        format!("request {ticket}: cancelled, with 1 command removed")
    );
    assert_eq!(home.good(&["pending"]).trim(), "no commands wait on desk");
    let output = home.bad(1, &["cancel", "4000000"]);
    assert!(output.contains("there is no request 4000000"), "{output}");
}

#[test]
fn everything_that_is_printed_can_be_had_as_json() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim"]);
    running.wait_for_state(State::Running);
    for args in [
        &["get"][..],
        &["get", "Base", "turn"],
        &["watch", "Base.sent", "--count", "2", "--every", "1ms"],
        &["joints"],
        &["set", "Base", "0.2"],
        &["pose", "goto", "up"],
        &["pose", "ls", "desk"],
        &["set", "Base", "0.1", "--in", "9s"],
        &["pending"],
        &["sim", "give", "Button", "1"],
        &["hold"],
        &["config", "check", "nao"],
        &["config", "show", "desk"],
        &["config", "ls"],
        &["blackbox", "desk"],
        &["blackbox", "desk", "Base", "--last", "3"],
        &["features"],
    ] {
        let mut words = args.to_vec();
        words.push("--json");
        let output = home.good(&words);
        assert!(!output.is_empty(), "{args:?}");
        for line in output.lines() {
            serde_json::from_str::<serde_json::Value>(line)
                .unwrap_or_else(|error| panic!("{args:?}: {error}: {line}"));
        }
    }
    let error = home.bad(1, &["set", "Bas", "0", "--json"]);
    let error: serde_json::Value = serde_json::from_str(&error).expect("JSON");
    assert!(
        error["error"]
            .as_str()
            .expect("a sentence")
            .contains("did you mean `Base`?"),
        "{error}"
    );
}

#[test]
fn mistakes_are_told_with_what_to_do_and_the_loop_goes_on() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim", "--physics", "off"]);
    running.wait_for_state(State::Running);
    for (args, words) in [
        (&["set", "Bse", "0"][..], "did you mean `Base`?"),
        (&["get", "Base.sennt"], "`sennt` is not a value of `Base`"),
        (
            &["get", "Bse.acks"],
            "there is no board `Bse`; fix: use one of servos, panel",
        ),
        (&["pose", "goto", "upp"], "did you mean `up`?"),
        (&["sim", "give", "Buton", "1"], "did you mean `Button`?"),
        (&["sim", "unplug", "sevos"], "did you mean `servos`?"),
        (&["sim", "step"], "this loop is not stepped; fix:"),
        (
            &["sim", "push", "foot", "5N", "100ms"],
            "there is no simulated body with physics here; fix: start it with `--sim` and without `--physics off`",
        ),
        (&["sim", "lift"], "no simulated body with physics"),
        (
            &["sim", "floor", "tilt", "5deg"],
            "no simulated body with physics",
        ),
        (
            &["sim", "push", "foot", "5N"],
            "a force needs a link and a time",
        ),
        (
            &[
                "run",
                "--robot",
                "nao",
                "--sim",
                "--physics",
                "off",
                "--start",
                "held",
            ],
            "--start needs physics; fix:",
        ),
        (&["arm"], "not possible while the body is running"),
        (
            &["estop", "--release"],
            "not possible while the body is running",
        ),
        (
            &["run", "--robot", "desk", "--sim"],
            "is already running, as process",
        ),
        (
            &["run", "--robot", "nao", "--sim", "--id", "a/b"],
            "invalid name `",
        ),
        (
            &["run", "--robot", "nao", "--sim", "--speed", "0"],
            "--speed must be from 0.001",
        ),
        (
            &["blackbox", "nobody"],
            "no loop named `nobody` has run on this machine",
        ),
    ] {
        let output = home.bad(1, args);
        assert!(output.contains(words), "{args:?}: {output}");
    }
    for args in [
        &["set", "Base", "fast"][..],
        &["set", "Base", "0", "--in", "-1s"],
        &["dance"],
        &["watch"],
    ] {
        home.bad(2, args);
    }
    assert!(
        home.bad(4, &["get", "--robot", "nao"])
            .contains("no robot named `nao` is running here; fix:")
    );
    // A value out of range is clipped, and this is reported.
    let output = home.good(&["set", "Base", "99", "--in", "2s", "--clip"]);
    assert!(output.contains("outside the range"), "{output}");
    running.wait_for_state(State::Running);
}

/// A terminal that closes sends its programs one signal, and one that hangs up another.
#[test]
fn a_terminal_that_closes_asks_once() {
    let home = home();
    let running = home.start("closed", &["--robot", "desk", "--sim", "--speed", "10"]);
    running.wait_for_state(State::Running);
    running.signal(Signal::SIGTERM);
    running.signal(Signal::SIGHUP);
    let output = running.ended();
    let output = text(&output.stdout);
    assert!(output.contains("stopped softly"), "{output}");
}

#[test]
fn ctrl_c_once_stops_softly_twice_holds_three_times_goes() {
    let home = home();
    let text_of = "format = 1\nname = \"slow\"\nbase = \"desk\"\n[safety]\nretreat = \"20s\"\nfade-in = \"0.1s\"\n";
    let slow = home.file("slow.toml", text_of);
    let robot = slow.to_str().expect("a path");
    let running = home.start("slow", &["--robot", robot, "--sim"]);
    running.wait_for_state(State::Running);
    running.signal(Signal::SIGINT);
    running.wait_for_state(State::Safe);
    running.signal(Signal::SIGINT);
    running.wait_for_state(State::Holding);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(
        running.page().read(|frame| frame.power()),
        Some(1.0),
        "it holds, and stays"
    );
    running.signal(Signal::SIGINT);
    let output = running.ended();
    assert!(output.status.success());
    assert!(
        text(&output.stdout).contains("the motors are released"),
        "{}",
        text(&output.stdout)
    );

    let running = home.start("quick", &["--robot", "desk", "--sim", "--speed", "10"]);
    running.wait_for_state(State::Running);
    running.signal(Signal::SIGTERM);
    let output = running.ended();
    assert!(
        text(&output.stdout).contains("stopped softly"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn the_black_box_survives_a_kill() {
    let home = home();
    let mut running = home.start("desk", &["--robot", "desk", "--sim", "--demo"]);
    running.wait_for_turn(300);
    running.child.kill().expect("it is there");
    running.child.wait().expect("it is gone");
    let output = home.good(&["blackbox", "desk"]);
    assert!(
        output.contains("not closed: the loop is running, or was killed"),
        "{output}"
    );
    let rows = home.good(&["blackbox", "desk", "Base", "Lamp.sent", "--csv"]);
    let turns: Vec<u64> = rows
        .lines()
        .skip(1)
        .map(|line| {
            line.split(',')
                .next()
                .expect("a turn")
                .parse()
                .expect("a number")
        })
        .collect();
    assert!(
        turns.len() >= 299 && turns.windows(2).all(|pair| pair[0] + 1 == pair[1]),
        "{} rows",
        turns.len()
    );
    // The name is free again, although nobody cleaned up.
    let running = home.start("desk", &["--robot", "desk", "--sim"]);
    running.wait_for_turn(10);
    assert!(home.good(&["blackbox", "desk"]).contains("not closed"));
    running.signal(Signal::SIGTERM);
    running.ended();
    assert!(home.good(&["blackbox", "desk"]).contains("closed normally"));
}

#[test]
fn a_stepped_loop_stands_still_until_it_is_told() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim", "--step"]);
    home.good(&["sim", "step", "5"]);
    running.wait_for_turn(5);
    std::thread::sleep(Duration::from_millis(50));
    let page = running.page();
    assert_eq!(page.latest(), 5);
    assert_eq!(page.read(|frame| frame.now().nanos()), Some(50_000_000));
    home.good(&["sim", "step", "1000"]);
    running.wait_for_turn(1005);
    assert_eq!(
        page.read(|frame| frame.state()).flatten(),
        Some(State::Running)
    );
}

#[test]
fn every_verb_has_its_help_its_page_and_its_completion() {
    let home = home();
    let help = home.good(&["--help"]);
    assert!(help.contains("Exit codes: 0 success"), "{help}");
    let verbs: Vec<_> = help
        .lines()
        .take_while(|line| *line != "Options:")
        // A verb and what it prints.
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|item| *item != "help")
        .map(str::to_owned)
        .collect();
    assert!(verbs.len() > 50, "{verbs:?}");
    let folder = home.path("man");
    home.good(&["man", folder.to_str().expect("a path")]);
    assert!(home.good(&["man"]).contains(".TH DCM-RUN"));
    for verb in &verbs {
        assert!(!home.good(&[verb, "--help"]).is_empty());
        let page = folder.join(format!("dcm-run-{verb}.1"));
        let page = std::fs::read_to_string(&page)
            .unwrap_or_else(|error| panic!("{verb} has no page: {error}"));
        let page = page.split("\n.SH EXTRA").next().unwrap_or_default();
        for line in page.lines() {
            assert!(line.trim_end() == line, "{verb}: a blank ends `{line}`");
            assert!(
                line.starts_with('.') || line.chars().count() <= 80,
                "{verb}: a long line: {line}"
            );
        }
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(home.good(&["completions", shell]).contains("dcm-run"));
    }
}

#[test]
fn poses_are_saved_and_gone_to() {
    let home = home();
    let mine = home.file(
        "mine.toml",
        "format = 1\nname = \"mine\"\nbase = \"desk\"\n",
    );
    let robot = mine.to_str().expect("a path");
    let running = home.start("mine", &["--robot", robot, "--sim"]);
    running.wait_for_state(State::Running);
    home.good(&["set", "Base", "0.4", "--in", "100ms"]);
    let get = |key: &str| {
        home.good(&["get", key])
            .trim()
            .parse::<f64>()
            .expect("a number")
    };
    until("it is there", || (get("Base.sensor") - 0.4).abs() < 0.02);
    let output = home.good(&["pose", "save", "look"]);
    assert!(
        output.contains("3 joints") && output.contains("mine.local.toml"),
        "{output}"
    );
    assert!(home.good(&["pose", "ls", robot]).contains("look"));
    assert!(
        home.good(&["pose", "ls"]).contains("look"),
        "the running robot's, if none is named"
    );
    drop(running);
    let running = home.start("mine", &["--robot", robot, "--sim"]);
    running.wait_for_state(State::Running);
    home.good(&["pose", "goto", "look", "--in", "300ms"]);
    // What was saved is within 0.02 of 0.4, and the motor comes as near to that again.
    until("it is there again", || {
        (get("Base.sensor") - 0.4).abs() < 0.04
    });
}

#[test]
fn a_move_may_give_values_by_name_by_actuator_or_in_the_older_form() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim"]);
    running.wait_for_state(State::Running);
    let mut wire = Wire::to(&running.socket);
    // `Arm` is an alias for three joints.
    for (ask, commands) in [
        (
            json!({ "set": { "actuator": "Arm", "value": 0.1, "after_ns": 1_000 } }),
            3,
        ),
        (
            json!({ "move": { "to": ["Arm"], "after_ns": [1_000], "values": [0.1] } }),
            3,
        ),
        (
            json!({ "move": { "to": ["Arm", "Lamp"], "after_ns": [1_000, 2_000], "values": [0, 0.1, 0, 1] } }),
            8,
        ),
        (
            json!({ "move": { "to": ["Arm", "Lamp"], "after_ns": [1_000], "values": [0, 0.1, 0.2, 1] } }),
            4,
        ),
    ] {
        let answer = wire.ask(&json!({ "id": 1, "ask": ask }).to_string());
        assert_eq!(
            answer["ok"]["taken"]["commands"],
            json!(commands),
            "{ask}: {answer}"
        );
    }
    for (ask, code) in [
        (
            json!({ "move": { "to": ["Arm"], "after_ns": [1_000], "values": [0, 0.1] } }),
            "wrong-count",
        ),
        (
            json!({ "move": { "to": ["Lamp", "Base"], "after_ns": [1_000], "values": [0, 99], "clip": false } }),
            "range",
        ),
        (
            json!({ "move": { "to": ["Lamp"], "after_ns": [1_000], "values": [0], "measures": "angle" } }),
            "unit",
        ),
    ] {
        let answer = wire.ask(&json!({ "id": 2, "ask": ask }).to_string());
        assert_eq!(answer["error"]["code"], json!(code), "{ask}: {answer}");
    }
}

#[test]
fn whatever_is_said_on_the_socket_there_is_an_answer_and_the_loop_goes_on() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim"]);
    running.wait_for_state(State::Running);
    let mut wire = Wire::to(&running.socket);
    let hello = wire.ask(r#"{"id":7,"ask":"hello"}"#);
    assert_eq!(
        (&hello["id"], &hello["ok"]["here"]["robot"]),
        (&json!(7), &json!("desk"))
    );
    for (line, code) in [
        ("", "invalid-request"),
        ("hello", "invalid-request"),
        ("{\"id\":1}", "invalid-request"),
        ("{\"id\":1,\"ask\":\"dance\"}", "invalid-request"),
        ("{\"id\":1,\"ask\":\"hello\",\"x\":1}", "invalid-request"),
        (
            "{\"id\":1,\"ask\":{\"set\":{\"actuator\":\"Base\",\"value\":1e999,\"after_ns\":1}}}",
            "invalid-request",
        ),
        (
            "{\"id\":1,\"ask\":{\"set\":{\"actuator\":\"Base\",\"value\":0,\"after_ns\":18446744073709551615}}}",
            "out-of-reach",
        ),
        (
            "{\"id\":1,\"ask\":{\"move\":{\"to\":[\"Base\",\"Base\"],\"after_ns\":[1],\"values\":[0,0]}}}",
            "twice",
        ),
        (
            "{\"id\":1,\"ask\":{\"move\":{\"to\":[\"Base\"],\"after_ns\":[1],\"values\":[]}}}",
            "wrong-count",
        ),
        (
            "{\"id\":1,\"ask\":{\"push\":{\"actuator\":\"Nobody\",\"torque\":1}}}",
            "unknown-name",
        ),
        ("\u{0}\u{1}\u{2}", "invalid-request"),
    ] {
        let answer = wire.ask(line);
        assert_eq!(answer["error"]["code"], json!(code), "{line}: {answer}");
    }
    // Whoever sends several at once knows which of them could not be read.
    let numbered = wire.ask(r#"{"id":77,"ask":{"move":{"to":7}}}"#);
    assert_eq!(numbered["id"], json!(77), "{numbered}");
    let many = (0..5000)
        .map(|i| i.to_string())
        .collect::<Vec<_>>()
        .join(",");
    let zeros = vec!["0"; 5000].join(",");
    let full = wire.ask(&format!(
        r#"{{"id":2,"ask":{{"move":{{"to":["Base"],"after_ns":[{many}],"values":[{zeros}]}}}}}}"#
    ));
    assert_eq!(full["error"]["code"], json!("too-large"), "{full}");
    // A long move, short of one value: no joint gets a part of it.
    let many = (0..1500)
        .map(|i| i.to_string())
        .collect::<Vec<_>>()
        .join(",");
    let zeros = vec!["0"; 2999].join(",");
    let short = wire.ask(&format!(
        r#"{{"id":3,"ask":{{"move":{{"to":["Base","Shoulder"],"after_ns":[{many}],"values":[{zeros}]}}}}}}"#
    ));
    assert_eq!(short["error"]["code"], json!("wrong-count"), "{short}");
    wire.send(
        b"{\"id\":4,\"ask\":{\"move\":{\"to\":[\"Base\"],\"after_ns\":[1],\"packed\":12}}}\n",
    )
    .expect("a loop");
    wire.send(&[0; 12]).expect("a loop");
    let odd = wire.answer().expect("an answer");
    assert_eq!(odd["error"]["code"], json!("invalid-request"), "{odd}");
    // A line that never ends is cut off, and the connection is closed.
    let mut rude = Wire::to(&running.socket);
    let sent = rude.send(&vec![b'x'; (1 << 20) + 2]);
    assert!(
        sent.is_err()
            || rude
                .answer()
                .is_some_and(|answer| answer["error"]["code"] == json!("invalid-request"))
    );
    // Those who say nothing make room for who comes later: the first of them is closed.
    let mut silent: Vec<_> = (0..64).map(|_| Wire::to(&running.socket)).collect();
    let hello = Wire::to(&running.socket).ask(r#"{"id":7,"ask":"hello"}"#);
    assert_eq!(hello["id"], json!(7), "{hello}");
    assert!(silent[0].answer().is_none(), "it was closed");
    drop(silent);
    // When all of them are being answered, one more gets an error.
    let far = r#"{"id":8,"ask":{"move":{"to":["Base"],"after_ns":[60000000000],"values":[0.1]}}}"#;
    let moved = Wire::to(&running.socket).ask(far);
    let receipt = moved["ok"]
        .as_object()
        .and_then(|object| object.values().next());
    let ticket = receipt
        .map(|receipt| receipt["ticket"].clone())
        .expect("a receipt");
    let wait = format!(
        "{{\"id\":9,\"ask\":{{\"progress\":{{\"tickets\":[{ticket}],\"wait_ns\":4000000000}}}}}}\n"
    );
    let mut callers = Vec::new();
    until("there is no room", || {
        let mut caller = Wire::to(&running.socket);
        // One that is refused may be closed before it has asked.
        let _ = caller.send(wait.as_bytes());
        let answer = caller.answer_within(Duration::from_millis(20));
        callers.push(caller);
        answer.is_some_and(|answer| answer["error"]["code"] == json!("busy"))
    });
    assert!(callers.len() > 32, "{} connections", callers.len());
    drop(callers);
    until("there is room again", || {
        let mut again = Wire::to(&running.socket);
        again.send(b"{\"id\":3,\"ask\":\"hello\"}\n").is_ok()
            && again
                .answer()
                .is_some_and(|answer| answer["id"] == json!(3))
    });
    let before = running.page().latest();
    until("the loop goes on", || running.page().latest() > before + 10);
}

#[test]
fn a_loop_that_is_stopped_and_goes_on_moves_no_joint_faster_than_it_may() {
    let home = home();
    let text_of = r#"
format = 1
name = "fast"
base = "desk"
period = "1ms"
[safety]
late-to-hold = 1000000
late-to-safe = 1000000
fade-in = "10ms"
ease-in = "10ms"
"#;
    let fast = home.file("fast.toml", text_of);
    let running = home.start(
        "fast",
        &["--robot", fast.to_str().expect("a path"), "--sim", "--demo"],
    );
    running.wait_for_state(State::Running);
    let page = running.page();
    let stops = if std::env::var("PROMISES").is_ok_and(|var| var == "full") {
        1000
    } else {
        12
    };
    let mut random = fastrand::Rng::with_seed(1);
    // A servo's word is a tenth of a mrad: the sent value may differ from the limited one by half of that.
    const WORD: f64 = 0.0001;
    // While the body was limp, its targets followed it, however fast it fell.
    let (mut missed, mut steepest, mut seen) = (0, 0.0f64, page.latest());
    let begun = Instant::now();
    for _ in 0..stops {
        running.signal(Signal::SIGSTOP);
        std::thread::sleep(Duration::from_millis(random.u64(1..60)));
        running.signal(Signal::SIGCONT);
        std::thread::sleep(Duration::from_millis(30));
        let mut last: Option<(u64, [f64; 3])> = None;
        for turn in page.turns().filter(|turn| *turn > seen) {
            let Some((now, elapsed, sent)) = page.read_turn(turn, |frame| {
                let sent = [0, 1, 2].map(|i| frame.sent(i).expect("a joint"));
                (frame.now().nanos(), frame.elapsed().nanos(), sent)
            }) else {
                last = None;
                continue;
            };
            missed += elapsed / 1_500_000;
            if let Some((_, before)) = last {
                // The limits assume one period at most.
                let seconds = elapsed.min(1_000_000) as f64 / 1e9;
                for (old, new) in before.iter().zip(sent) {
                    steepest = steepest.max(((new - old).abs() - WORD) / seconds);
                }
            }
            last = Some((now, sent));
        }
        seen = page.latest();
        assert!(begun.elapsed() < TIMEOUT * 10);
    }
    println!(
        "{stops} stops: {missed} turns late, the fastest joint moved at {steepest:.4} rad/s of 5.2360"
    );
    assert!(missed >= stops / 2, "the stops were not seen");
    assert!(
        steepest <= 300f64.to_radians() * 1.0001,
        "a joint moved at {steepest} rad/s"
    );
    running.signal(Signal::SIGKILL);
}

#[test]
fn what_arrives_in_a_hurry_comes_to_rest_where_it_was_sent() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim"]);
    running.wait_for_state(State::Running);
    for (value, time) in [
        ("0.4", "500ms"),
        ("-0.3", "200ms"),
        ("0.4", "500ms"),
        ("-0.5", "50ms"),
    ] {
        home.good(&["set", "Base", value, "--in", time]);
        std::thread::sleep(std::time::Duration::from_millis(1_500));
        let sent: f64 = home
            .good(&["get", "Base.sent"])
            .trim()
            .parse()
            .expect("a number");
        let asked: f64 = value.parse().expect("a number");
        assert!(
            (sent - asked).abs() < 1e-3,
            "{value} in {time}: it rests at {sent}"
        );
    }
}

#[test]
fn the_time_of_a_simulated_robot_goes_as_fast_as_it_is_told() {
    for speed in [0.5, 1.0, 10.0] {
        let home = home();
        let running = home.start(
            "desk",
            &["--robot", "desk", "--sim", "--speed", &speed.to_string()],
        );
        running.wait_for_turn(10);
        let page = running.page();
        let now = || page.read(|frame| frame.now().nanos()).expect("a turn");
        let (begun, first) = (Instant::now(), now());
        std::thread::sleep(Duration::from_secs(2));
        let passed = (now() - first) as f64 / 1e9;
        let scale = passed / begun.elapsed().as_secs_f64();
        // A busy machine may delay a turn, which is a small part of two seconds.
        assert!((scale / speed - 1.0).abs() < 0.2, "{scale} and not {speed}");
    }
}

#[test]
fn lights_pulse_when_a_client_has_fallen_silent() {
    let home = home();
    let words =
        "format = 1\nname = \"lit\"\nbase = \"nao\"\n[safety]\nlost-lights = [\"ChestLeds\"]\n";
    let file = home.file("lit.toml", words);
    let running = home.start("lit", &["--robot", file.to_str().expect("a path"), "--sim"]);
    running.wait_for_state(State::Running);
    let page = running.page();
    let lights = page.actuators();
    let lights = lights
        .iter()
        .enumerate()
        .filter(|pair| pair.1.name.starts_with("ChestBoard/Led/"));
    let lights: Vec<_> = lights.map(|light| light.0).collect();
    let shown = || -> Vec<f64> {
        let read = page.read(|frame| {
            lights
                .iter()
                .filter_map(|light| frame.sent(*light))
                .collect()
        });
        read.expect("a turn")
    };
    assert_eq!(shown(), [0.0; 3]);
    let mut wire = Wire::to(&running.socket);
    let options = json!({ "silent-after-ns": 300_000_000 });
    let ask = json!({ "ask": { "open-lane": { "lane": "mine", "options": options } } });
    let answer = wire.ask(&ask.to_string());
    assert!(answer["ok"]["lanes"].is_array(), "{answer}");
    // Bright and dark again, more than once, all three of them.
    for _ in 0..2 {
        until("they are bright", || {
            shown().iter().all(|value| *value > 0.7)
        });
        until("they are dark", || shown().iter().all(|value| *value < 0.3));
    }
    // They pulse on, until a client is back.
    let begun = std::time::Instant::now();
    while begun.elapsed().as_secs() < 12 {
        until("they are bright", || {
            shown().iter().all(|value| *value > 0.7)
        });
        until("they are dark", || shown().iter().all(|value| *value < 0.3));
    }
    let reply = wire.ask(
        &ask.to_string()
            .replace("mine", "again")
            .replace("300000000", "60000000000"),
    );
    assert!(reply["ok"]["lanes"].is_array(), "{reply}");
    until("they are dark", || shown().iter().all(|item| *item == 0.0));
    for _ in 0..20 {
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(
            shown().iter().all(|value| *value < 0.05),
            "they stay dark: {:?}",
            shown()
        );
    }
}
