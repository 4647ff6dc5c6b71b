//! Clients that hang up, and tokens that are revoked: what was begun is finished and logged, and what was theirs ends.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::common::home;
use cycle::State;
use hyper::Method;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tests::process::{Home, text, until};
use tests::served::{BREATHE, Served, WAVE, refused, refused_by_loop, serve};

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[recordings]\non = false\n";

/// Sends a request, and leaves without the answer.
fn hang_up(served: &Served<'_>, token: &str, method: &str, path: &str, body: &str) {
    let address = served.address();
    let mut stream = TcpStream::connect(&address).expect("a server");
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("a server");
    // Long enough for the request to arrive, too short for an answer.
    std::thread::sleep(Duration::from_millis(5));
}

fn acts(home: &Home) -> Vec<Value> {
    let output = home.good(&["audit", "--json", "--number", "10000"]);
    let lines = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    lines.collect()
}

#[test]
fn an_act_is_done_and_written_down_though_nobody_waits_for_it() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--no-check"]);
    let token = served.token("perform");
    let start = json!({ "choreography": "wave", "wish": { "unchecked": true, "params": { "times": 10.0 } } });
    hang_up(
        &served,
        &token,
        "POST",
        "/api/v2/guests",
        &start.to_string(),
    );
    until("it plays", || home.good(&["ps"]).contains("wave"));
    until("it is written down", || {
        acts(&home).iter().any(|item| {
            item["act"] == "POST /api/v2/guests"
                && item["who"] == "perform"
                && item["outcome"] == "200"
        })
    });
}

#[test]
fn who_hangs_up_again_and_again_keeps_nobody_from_stop() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check", "--param", "times=10"]);
    let token = served.token("perform");
    for _ in 0..60 {
        hang_up(
            &served,
            &token,
            "POST",
            "/api/v2/loop/end",
            r#"{"soft":true}"#,
        );
    }
    // From the network, and on the robot itself.
    let stopped: Value = served
        .client(None)
        .ask(Method::POST, "/api/v2/body/stop", None::<&()>)
        .expect("stop");
    assert_eq!(stopped["state"], "estop");
    home.good(&["estop"]);
}

#[test]
fn a_token_that_is_taken_back_shows_and_plays_nothing_any_more() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    // It is checked before, so that it is scheduled at once.
    home.good(&["push", WAVE]);
    let (watch, perform) = (served.token("watch"), served.token("perform"));
    let client = served.client(Some(&perform));
    let utc = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock");
    let start = json!({ "choreography": "wave", "at": utc.as_secs_f64() + 10.0 });
    client
        .ask::<Value>(Method::POST, "/api/v2/guests", Some(&start))
        .expect("a plan");
    let (mut frames, watcher) = (0, served.client(Some(&watch)));
    let output = watcher.listen("/api/v2/stream?topics=all&hz=20", |_| {
        frames += 1;
        if frames == 5 {
            home.good(&["tokens", "revoke", "1"]);
            home.good(&["tokens", "revoke", "2"]);
        }
        frames < 400
    });
    assert!(
        output.is_err() && frames < 100,
        "{frames} frames, {output:?}"
    );
    assert_eq!(refused_by_loop(&client, "end", &json!({})), "token-unknown");
    until("the plan's time has come", || {
        acts(&home)
            .iter()
            .any(|item| item["act"] == "start wave" && item["outcome"] == "token-ended")
    });
    assert!(home.good(&["ps"]).contains("no guest plays"));
}

/// A press cancels what would follow. A request that comes to its end after the press does not bring it back.
#[test]
fn nothing_is_planned_to_follow_a_guest_once_the_stop_is_pressed() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check", "--param", "times=10"]);
    let client = served.client(Some(&served.token("perform")));
    client
        .ask::<Value>(Method::PUT, "/api/v2/lease", None::<&()>)
        .expect("control");
    let follow = json!({ "choreography": "wave", "after": "wave", "wish": { "unchecked": true } });
    let planned = client.ask::<Value>(Method::POST, "/api/v2/guests", Some(&follow));
    assert!(planned.expect("a plan")["planned"].is_number());
    home.good(&["estop"]);
    let code = refused(&client, Method::POST, "/api/v2/guests", Some(&follow));
    assert_eq!(code, "not-now");
}

/// Whoever arms the body expects no motion, also of what was planned before, for an instant or after a guest.
#[test]
fn a_planned_start_is_dropped_if_the_body_loses_its_force() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    for name in [WAVE, BREATHE] {
        home.good(&["push", name]);
    }
    home.good(&["start", "breathe"]);
    home.good(&["start", "wave", "--at", "+3600"]);
    home.good(&["start", "wave", "--after", "breathe"]);
    home.good(&["disarm"]);
    until("they are dropped", || {
        home.good(&["start", "--planned", "--json"]).is_empty()
    });
    until("both are logged as missed", || {
        let acts = acts(&home);
        let plans = acts.iter().filter(|act| act["from"] == "plan");
        plans.filter(|act| act["outcome"] == "missed").count() == 2
    });
    // What is planned for a limp body is carried out if the body has force then.
    home.good(&["start", "wave", "--at", "+3600"]);
    home.good(&["arm"]);
    served.wait_until_it_runs();
    assert!(!home.good(&["start", "--planned", "--json"]).is_empty());
}

/// A server that is frozen takes connections, and answers nothing.
#[test]
fn a_stop_over_the_network_that_nobody_confirms_is_told_in_time() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let (address, token) = (served.address(), served.token("watch"));
    let server = Pid::from_raw(served.server());
    kill(server, Signal::SIGSTOP).expect("it is there");
    let begun = std::time::Instant::now();
    let mut press = home.command(&["estop", "--robot", &format!("http://{address}/")]);
    let mut press = press
        .env("DCM_RUN_TOKEN", token)
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut printed = std::io::BufReader::new(press.stderr.take().expect("a pipe"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut printed, &mut line).expect("a line");
    assert!(line.contains("STOP NOT CONFIRMED"), "{line}");
    assert!(line.contains("cut its power"), "{line}");
    let after = begun.elapsed();
    assert!(after >= Duration::from_millis(1_400), "{after:?}");
    // It waits on, and says when it was heard after all.
    kill(server, Signal::SIGCONT).expect("it is there");
    let told = press.wait_with_output().expect("it ends");
    assert!(told.status.success(), "{told:?}");
    assert!(text(&told.stdout).contains("estop"), "{told:?}");
    // And gives up if it is not: the server is replaced meanwhile, and has another port.
    kill(server, Signal::SIGSTOP).expect("it is there");
    let output = home.bad(4, &["estop", "--robot", &address]);
    assert!(
        output.contains("STOP NOT CONFIRMED within 10 s; fix: "),
        "{output}"
    );
    until("the server is replaced", || {
        served.server() != server.as_raw()
    });
    home.until_good(&["ls"]);
    let log = fs::read_to_string(&served.log).expect("a log");
    assert!(log.contains("killed, because it hung"), "{log}");
}

#[test]
fn whoever_stops_a_frozen_loop_knows_soon_that_it_is_not_confirmed() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let client = served.client(None);
    let the_loop = Pid::from_raw(served.child.id().cast_signed());
    kill(the_loop, Signal::SIGSTOP).expect("it is there");
    // Two waits of a second, and what a busy machine needs.
    let within = Duration::from_secs(4);
    let begun = Instant::now();
    let code = refused(&client, Method::POST, "/api/v2/body/stop", None);
    assert_eq!(code, "no-loop");
    assert!(begun.elapsed() < within, "{:?}", begun.elapsed());
    let begun = Instant::now();
    let error = home.bad(4, &["estop"]);
    assert!(
        error.contains("STOP NOT CONFIRMED: the loop of `nao`"),
        "{error}"
    );
    assert!(begun.elapsed() < within, "{:?}", begun.elapsed());
    kill(the_loop, Signal::SIGCONT).expect("it is there");
    // What was pressed counts.
    until("it has stopped", || {
        served.page().read(|frame| frame.state()).flatten() == Some(State::Estop)
    });
}

#[test]
fn what_is_planned_outlasts_the_server() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    // It is checked before, so that it is scheduled at once.
    home.good(&["push", WAVE]);
    let printed = home.good(&["start", "wave", "--at", "+10"]);
    assert!(printed.contains("as plan 1"), "{printed}");
    home.good(&["start", "wave", "--at", "+3600"]);
    let planned = home.good(&["start", "--planned"]);
    assert_eq!(planned.lines().count(), 2, "{planned}");
    assert!(planned.contains("wave"), "{planned}");
    let before = served.server();
    kill(Pid::from_raw(before), Signal::SIGKILL).expect("it is there");
    until("it plays", || {
        tests::process::text(&home.run(&["ps"]).stdout).contains(" wave ")
    });
    assert_ne!(served.server(), before);
    // One is carried out, the other still waits, and is cancelled.
    assert_eq!(home.good(&["start", "--planned"]).lines().count(), 1);
    home.good(&["start", "--cancel", "2"]);
    assert!(
        home.good(&["start", "--planned"])
            .contains("nothing is planned")
    );
    let output = home.bad(1, &["start", "--cancel", "2"]);
    assert!(output.contains("--planned"), "{output}");
}

#[test]
fn a_guest_starts_when_another_has_ended_even_if_the_server_was_killed_meanwhile() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE]);
    let playing = || {
        let output = home.good(&["ps", "--json"]);
        let names = output.lines().map(|line| {
            let guest: Value = serde_json::from_str(line).expect("JSON");
            guest["name"].as_str().expect("a name").to_owned()
        });
        names.collect::<Vec<_>>()
    };
    let said = home.bad(1, &["start", "wave", "--after", "nobody"]);
    assert!(said.contains("no guest `nobody` plays"), "{said}");
    home.good(&["push", BREATHE, "--as", "breathe", "--no-check"]);
    home.good(&["start", "breathe", "--name", "first", "--no-check"]);
    // What would be refused when its time has come is refused now.
    for (option, value, word) in [
        ("--mask", "Tail", "`Tail`"),
        ("--param", "tempo=3", "tempo"),
        ("--priority", "1e9", "priority"),
        ("--weight", "7000", "weight"),
    ] {
        for when in [["--after", "first"], ["--at", "+3600"]] {
            let refused = home.run(&[&["start", "wave", option, value], &when[..]].concat());
            assert!(!refused.status.success(), "{option} {value}");
            let output = text(&refused.stderr);
            assert!(output.contains(word), "{option} {value}: {output}");
        }
    }
    let printed = home.good(&["start", "wave", "--name", "second", "--after", "first"]);
    assert!(
        printed.contains("when first has ended, as plan 1"),
        "{printed}"
    );
    home.good(&["start", "wave", "--name", "never", "--after", "first"]);
    home.good(&["start", "--cancel", "2"]);
    assert!(
        home.good(&["start", "--planned"])
            .contains("after first  wave")
    );
    let before = served.server();
    kill(Pid::from_raw(before), Signal::SIGKILL).expect("it is there");
    until("another server", || served.server() != before);
    assert_eq!(playing(), ["first"]);
    until("it can be stopped", || {
        home.run(&["stop", "first"]).status.success()
    });
    until("the second plays", || playing() == ["second"]);
    let client = served.client(Some(&served.token("perform")));
    let twice = json!({ "choreography": "wave", "in_s": 1, "after": "second" });
    let path = "/api/v2/guests";
    assert_eq!(
        refused(&client, Method::POST, path, Some(&twice)),
        "invalid-time"
    );
    // One that failed is followed by nobody.
    home.good(&["take-over"]);
    let trap = r#"(module (memory (export "memory") 1) (global $turns (mut i32) (i32.const 0))
        (func (export "pre-process") (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
            (if (i32.gt_u (global.get $turns) (i32.const 600)) (then unreachable))))"#;
    let trap = home.file("trap.wat", trap);
    home.good(&["load", trap.to_str().expect("a path"), "--no-check"]);
    let output = home.good(&["start", "wave", "--name", "third", "--after", "trap"]);
    assert!(output.contains("as plan 3"), "{output}");
    until("the plan is over", || {
        home.good(&["start", "--planned"]).contains("nothing")
    });
    until("it is in the log", || {
        let acts = acts(&home);
        let mut plans = acts.iter().filter(|item| item["from"] == "plan");
        plans.any(|plan| plan["outcome"] == "failed")
    });
    assert!(!playing().contains(&"third".to_owned()));
    let sentence = "the planned start 3 of `wave` was dropped: the end of `trap`";
    until("it is said", || served.line(sentence).is_some());
    // One that has ended by itself is followed.
    let short = r#"(module (memory (export "memory") 1) (global $turns (mut i32) (i32.const 0))
        (func (export "pre-process"))
        (func (export "is-alive") (result i32) (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
            (i32.lt_u (global.get $turns) (i32.const 500))))"#;
    let short = home.file("short.wat", short);
    home.good(&["load", short.to_str().expect("a path"), "--no-check"]);
    home.good(&["start", "wave", "--name", "fourth", "--after", "short"]);
    until("the fourth plays", || {
        playing().contains(&"fourth".to_owned())
    });
}

#[test]
fn a_guest_starts_when_another_has_settled_or_an_event_is_posted() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE]);
    // When its parameter is 1 it moves a joint, when it is 2 it posts an event of its own.
    let nod = r#"(module
        (import "dcm:choreography/body@0.1.0" "find-actuator" (func $actuator (param i32 i32) (result i32)))
        (import "dcm:choreography/events@0.1.0" "topic" (func $topic (param i32 i32) (result i32)))
        (import "dcm:choreography/events@0.1.0" "post" (func $post (param i32 f64) (result i32)))
        (import "dcm:choreography/params@0.1.0" "declare" (func $declare (param i32 i32 f64 f64 f64) (result i32)))
        (import "dcm:choreography/params@0.1.0" "get" (func $get (param i32) (result f64)))
        (import "dcm:choreography/commands@0.1.0" "set" (func $set (param i32 f64 i64) (result i32)))
        (import "dcm:choreography/clock@0.1.0" "now" (func $now (result i64)))
        (memory (export "memory") 1)
        (data (i32.const 0) "HeadYaw") (data (i32.const 16) "show/go") (data (i32.const 32) "part")
        (global $yaw (mut i32) (i32.const 0)) (global $go (mut i32) (i32.const 0))
        (global $part (mut i32) (i32.const 0)) (global $done (mut f64) (f64.const 0))
        (func (export "start")
            (global.set $yaw (call $actuator (i32.const 0) (i32.const 7)))
            (global.set $go (call $topic (i32.const 16) (i32.const 7)))
            (global.set $part (call $declare (i32.const 32) (i32.const 4) (f64.const 0) (f64.const 0) (f64.const 2))))
        (func (export "pre-process") (local $part f64)
            (local.set $part (call $get (global.get $part)))
            (if (f64.eq (local.get $part) (global.get $done)) (then (return)))
            (global.set $done (local.get $part))
            (if (f64.eq (local.get $part) (f64.const 1))
                (then (drop (call $set (global.get $yaw) (f64.const 0.3) (i64.add (call $now) (i64.const 300000000)))))
                (else (drop (call $post (global.get $go) (f64.const 2.5)))))))"#;
    let nod = home.file("nod.wat", nod);
    let printed = home.bad(1, &["start", "wave", "--after", "settled/nod"]);
    assert!(printed.contains("no guest `nod` plays"), "{printed}");
    home.good(&["load", nod.to_str().expect("a path"), "--no-check"]);
    let output = home.good(&["start", "wave", "--name", "bow", "--after", "settled/nod"]);
    assert!(
        output.contains("when `settled/nod` is posted, as plan 1"),
        "{output}"
    );
    home.good(&["start", "wave", "--name", "encore", "--after", "show/go"]);
    home.good(&["start", "wave", "--name", "never", "--after", "show/other"]);
    home.good(&[
        "start",
        "wave",
        "--name",
        "second",
        "--after",
        "started/encore",
    ]);
    let plans = home.good(&["start", "--planned"]);
    assert!(
        plans.contains("after settled/nod  wave") && plans.contains("after show/go  wave"),
        "{plans}"
    );
    let is_there = |name: &str| home.good(&["ps", "--all"]).contains(name);
    home.good(&["tune", "nod", "part=1"]);
    until("it has settled", || is_there("bow"));
    assert!(!is_there("encore"), "nothing was posted");
    home.good(&["tune", "nod", "part=2"]);
    until("the event was posted", || is_there("encore"));
    until("the other has started", || is_there("second"));
    let events = || home.good(&["events", "nod", "--verbose"]);
    let told = events();
    for line in [
        "nod has started",
        "nod has arrived",
        "nod has settled after 0.",
        "nod posts `show/go`: 2.5",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(!is_there("never"));
    // Pressing and releasing the emergency stop are events of the body.
    home.good(&["estop"]);
    home.good(&["estop", "--release"]);
    until("the release is in the log", || {
        home.good(&["events", "--verbose"])
            .contains("the emergency stop is released after")
    });
    // The body, guests and shows write into the same log; it is in the order of turns.
    let log = home.good(&["events", "--verbose", "--json"]);
    let turn = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["turn"].as_u64();
    assert!(log.lines().map(turn).is_sorted(), "{log}");
    for source in [
        "nod has started",
        "nod posts `show/go`",
        "is released after",
    ] {
        assert!(log.contains(source), "{source}: {log}");
    }
}

#[test]
fn nobody_can_wash_the_log_out() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let watch = served.client(Some(&served.token("watch")));
    let keys = json!(["Device/SubDeviceList/HeadYaw/Position/Sensor/Value"]);
    for _ in 0..20 {
        watch
            .ask::<Value>(Method::POST, "/api/v2/memory/getListData", Some(&keys))
            .expect("values");
    }
    let nobody = served.client(None);
    for _ in 0..600 {
        let code = refused_by_loop(&nobody, "end", &json!({}));
        assert!(code == "token-missing" || code == "too-often", "{code}");
    }
    let acts = acts(&home);
    let has = |word: &str| {
        acts.iter()
            .filter(|item| item["act"].as_str().is_some_and(|text| text.contains(word)))
            .count()
    };
    assert_eq!(has("getListData"), 0, "to look is no act");
    assert_eq!(has("POST /api/v2/tokens"), 1);
    let strangers = has("POST /api/v2/loop/end");
    assert!((400..=510).contains(&strangers), "{strangers}");
    let log = home.path("run/state/nao/audit.log");
    assert!(fs::metadata(log).expect("a log").len() < 200_000);
    let operator = served.client(Some(&served.token("operate")));
    let told: Value = operator.get("/api/v2/audit").expect("a log");
    assert!(told["passed_over"].as_u64() > Some(80), "{told}");
    assert_eq!(told["lost"], 0, "{told}");
}
