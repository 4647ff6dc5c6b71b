//! `dcm-run serve`: verbs, tokens, bad input, a server that is killed, all with the real binary.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::home;
use crate::project::{Dev, TEXT, project, save};
use cycle::State;
use hyper::Method;
use network::client::{ApiClient, ClientError, RequestBody};
use network::hex::digest;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use protocol::Ask;
use protocol::choreographies::SIGNATURE;
use rustix::process::{Resource, Rlimit, prlimit};
use serde_json::{Value, json};
use tests::process::{text, until};
use tests::served::{
    BLINK, BREATHE, NAO, Served, WAVE, ask_loop, refused, refused_by_loop, serve, serve_with,
};

/// A port of its own on the loopback interface.
const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n";

#[test]
fn a_state_folder_has_one_server() {
    let home = home();
    let state = home.path("state of both");
    let state = state.to_str().expect("a path");
    let served = serve_with(&home, QUIET, &[&NAO[..], &["--state", state]].concat());
    let holder = format!("{}", served.child.id());
    // The other one has another name and another body; it ends before anything of it starts.
    let other = [
        "serve", "--robot", "desk", "--sim", "--id", "other", "--state", state,
    ];
    let refused = home.bad(1, &other);
    for words in ["is used by the server of nao, process ", &holder, "--state"] {
        assert!(refused.contains(words), "{refused}");
    }
    drop(served);
    let words = [
        "--robot", "desk", "--sim", "--id", "other", "--state", state,
    ];
    drop(serve_with(&home, QUIET, &words));
}

#[test]
fn a_choreography_is_pushed_kept_started_and_ended() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let printed = home.good(&[
        "push",
        WAVE,
        "--start",
        "--param",
        "times=10",
        "--param",
        "speed=0.5",
    ]);
    for words in [
        "wave is stored: ",
        "the robot's check passes",
        "wave plays as guest 1",
    ] {
        assert!(printed.contains(words), "{printed}");
    }
    let digest = digest(&fs::read(WAVE).expect("a file"));
    assert!(printed.contains(&digest), "{printed}");
    let page = served.page();
    let before = page.read(|frame| frame.sent(0));
    until("it moves", || {
        page.read(|frame| frame.sent(0)) != before || guest(&served)["commands"] != 0
    });
    assert!(home.good(&["push", WAVE]).contains("was already stored"));
    assert!(home.good(&["ls"]).contains("* wave"));
    // The same bytes under another name, and that name is removed.
    let output = home.good(&["push", WAVE, "--as", "again", "--no-check"]);
    assert!(output.contains("was already stored"), "{output}");
    let listed = home.good(&["ls"]);
    assert!(
        listed.contains("* again") && listed.contains("* wave"),
        "{listed}"
    );
    home.good(&["rm", "again"]);
    let listed = home.good(&["ls"]);
    assert!(
        !listed.contains("again") && listed.contains("* wave"),
        "{listed}"
    );
    for (verb, life) in [("pause", "paused"), ("resume", "running")] {
        home.good(&[verb, "wave"]);
        until(life, || guest(&served)["life"] == life);
    }
    home.good(&["tune", "wave", "speed=1.5", "--priority", "20"]);
    until("it is heard earlier", || guest(&served)["priority"] == 20.0);
    home.good(&["stop", "wave"]);
    until("it is gone", || {
        home.good(&["ps"]).contains("no guest plays")
    });
    // What was pulled is what was pushed.
    let file = home.path("pulled.wasm");
    let words = ["pull", "wave", "-o", file.to_str().expect("a path")];
    home.good(&words);
    assert_eq!(
        fs::read(&file).expect("a file"),
        fs::read(WAVE).expect("a file")
    );
    assert!(home.bad(1, &words).contains("already exists"));
    // Scheduled for an instant; and one that is cancelled.
    home.good(&["start", "wave", "--at", "+3"]);
    until("it starts by itself", || {
        guest(&served)["life"] == "running"
    });
    home.good(&["estop"]);
    until("it stands", || {
        page.read(|frame| frame.state()).flatten() == Some(State::Estop)
    });
    home.good(&["estop", "--release"]);
    until("it is told", || {
        home.good(&["events"])
            .contains("the body is in the state `estop`")
    });
    let audit = home.good(&["audit"]);
    assert!(audit.contains("POST /api/v2/guests"), "{audit}");
    home.good(&["stop"]);
    until("the loop has gone", || page.is_closed());
}

fn guest(served: &Served<'_>) -> Value {
    let lines = served.home.good(&["ps", "--json", "--all"]);
    let last = lines.lines().last().unwrap_or("null");
    serde_json::from_str(last).expect("JSON")
}

#[test]
fn versions_are_rolled_back_tagged_and_play_from_the_beginning() {
    let home = home();
    let mut served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--as", "show"]);
    home.good(&["push", BLINK, "--as", "show", "--no-check"]);
    let (wave, blink) = (
        digest(&fs::read(WAVE).expect("a file")),
        digest(&fs::read(BLINK).expect("a file")),
    );
    assert!(home.good(&["ls", "--all"]).lines().count() == 2);
    assert!(home.good(&["rollback", "show"]).contains(&wave));
    assert!(home.good(&["rollback", "show"]).contains(&blink));
    assert!(home.good(&["tag", "evening", &wave[..12]]).contains(&wave));
    assert!(
        home.bad(1, &["rm", "evening"])
            .contains("is tagged evening")
    );
    home.good(&["boot", "evening"]);
    home.good(&["stop"]);
    until("the loop has gone", || {
        served.child.try_wait().expect("a process").is_some()
    });
    drop(served);
    let served = serve(&home, QUIET);
    until("it plays by itself", || {
        guest(&served)["digest"] == wave.as_str()
    });
    // A server that restarts starts no choreography again.
    kill(Pid::from_raw(served.server()), Signal::SIGKILL).expect("it is there");
    home.until_good(&["ls"]);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(home.good(&["ps", "--json", "--all"]).lines().count(), 1);
    home.good(&["boot", "--nothing"]);
    home.good(&["tag", "evening", "--remove"]);
    let printed = home.bad(1, &["tag", "evening", "--remove"]);
    assert!(
        printed.contains("there is no tag `evening`; fix: "),
        "{printed}"
    );
    let output = home.bad(1, &["start", "wave", "--at", "2020-01-01T00:00:00Z"]);
    assert!(output.contains("that time has passed"), "{output}");
    home.good(&["rm", "show"]);
    assert!(home.good(&["ls"]).contains("stores no choreographies"));
}

/// Every operation of the description is requested without a token, with a wrong one, and by every role.
#[test]
fn no_route_lets_in_whom_its_description_does_not() {
    let home = home();
    let served = serve(&home, QUIET);
    let tokens: Vec<_> = ["watch", "perform", "author", "operate"]
        .iter()
        .map(|text| (*text, served.token(text)))
        .collect();
    let nobody = served.client(None);
    let description: Value = nobody.get("/api/v2/openapi.json").expect("a description");
    let forged = served.client(Some(&format!("dcm_{}", "0".repeat(64))));
    let revoked = served.token("operate");
    home.good(&["tokens", "revoke", "5"]);
    let revoked = served.client(Some(&revoked));
    let mut asked = 0;
    for (path, item) in description["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
            let path = path.replace(['{', '}'], "");
            let needs = &operation["security"][0]["token"][0];
            if needs.is_null() {
                continue;
            }
            let needs = tokens
                .iter()
                .position(|token| token.0 == needs)
                .expect("a role");
            assert_eq!(
                refused(&nobody, method.clone(), &path, None),
                "token-missing"
            );
            // However often it asks: a program whose token was revoked must hear of it.
            for stranger in [&forged, &revoked] {
                let code = refused(stranger, method.clone(), &path, None);
                assert_eq!(code, "token-unknown", "{method} {path}");
            }
            for (_, token) in &tokens[..needs] {
                let client = served.client(Some(token));
                assert_eq!(
                    refused(&client, method.clone(), &path, None),
                    "role-too-low",
                    "{method} {path}"
                );
            }
            asked += 1;
        }
    }
    assert!(asked > 30, "{asked} routes need a token");
    // A request of a sufficient role is answered by the handler, not by the gate.
    let watcher = served.client(Some(&tokens[0].1));
    assert!(watcher.request(&Ask::Guests).is_ok());
    assert_eq!(
        watcher.get::<Value>("/api/v2/me").expect("me")["role"],
        "watch"
    );
    // Everyone may press stop.
    let stopped: Value = nobody
        .ask(Method::POST, "/api/v2/body/stop", None::<&()>)
        .expect("stop");
    assert_eq!(stopped["state"], "estop");
}

/// Passes connections on to a server, and counts them.
fn counted(server: String) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let count = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&count);
    std::thread::spawn(move || {
        for near in listener.incoming().flatten() {
            counts.fetch_add(1, Ordering::Relaxed);
            let far = TcpStream::connect(&server).expect("the server listens");
            for (mut from, mut to) in [(&near, &far), (&far, &near)].map(|(from, to)| {
                let copy = |stream: &TcpStream| stream.try_clone().expect("a connection");
                (copy(from), copy(to))
            }) {
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Write);
                });
            }
        }
    });
    (address, count)
}

#[test]
fn a_command_to_a_paired_robot_takes_one_connection() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}tls = \"always\"\n"));
    served.wait_until_it_runs();
    let (address, count) = counted(served.address());
    home.good(&["pair", &address, "--code", &served.code(), "--name", "anna"]);
    for words in [
        &["set", "HeadYaw", "5deg"][..],
        &["ps"],
        &["hold"],
        &["resume"],
        &["joints"],
    ] {
        count.store(0, Ordering::Relaxed);
        home.good(&[words, &["--robot", &address]].concat());
        let many = count.load(Ordering::Relaxed);
        let most = if words[0] == "joints" { 2 } else { 1 };
        assert!((1..=most).contains(&many), "{words:?}: {many} connections");
    }
}

#[test]
fn who_pairs_is_known_and_codes_count_once() {
    let home = home();
    let served = serve(&home, &format!("{QUIET}tls = \"always\"\n"));
    let (address, code) = (served.address(), served.code());
    let said = home.bad(1, &["pair", &address, "--code", "12"]);
    assert!(said.contains("wrong code"), "{said}");
    let said = home.good(&["pair", &address, "--code", &code, "--name", "anna"]);
    assert!(said.contains("paired with nao as"), "{said}");
    let said = home.bad(1, &["pair", &address, "--code", &code]);
    assert!(said.contains("shows no pairing code"), "{said}");
    assert!(home.good(&["tokens"]).contains("anna"));
    // Over the network, by the certificate's fingerprint.
    assert!(
        home.good(&["ls", "--robot", &address])
            .contains("stores no choreographies")
    );
    // Its state is read there as it is here.
    let far = |words: &[&str]| home.good(&[words, &["--robot", &address]].concat());
    assert!(far(&["get"]).contains("  turn "), "the state of the loop");
    let value = |said: String| said.trim().parse::<f64>().expect("a value");
    // It may still be moving.
    until("it reads the same here and there", || {
        let here = value(home.good(&["get", "HeadYaw.limited"]));
        (here - value(far(&["get", "HeadYaw.limited"]))).abs() < 1e-9
    });
    // The server finds an alias; an unknown name is refused.
    assert_eq!(far(&["get", "Head.sent"]).lines().count(), 2);
    let printed = home.bad(1, &["get", "HedYaw", "--robot", &address]);
    assert!(printed.contains("did you mean `HeadYaw`?"), "{printed}");
    let rows = far(&["watch", "HeadYaw.clips", "elapsed", "--count", "2", "--csv"]);
    assert!(
        rows.starts_with("now,HeadYaw.clips,elapsed\n") && rows.lines().count() == 3,
        "{rows}"
    );
    assert_eq!(
        far(&["joints"]).lines().count(),
        home.good(&["joints"]).lines().count()
    );
    assert_eq!(far(&["pose", "ls"]), home.good(&["pose", "ls"]));
    // At a second address it is the same robot, and is listed once.
    let (_, port) = address.rsplit_once(':').expect("a port");
    for (place, before) in [
        (&*format!("localhost:{port}"), &*address),
        (&address, "localhost"),
    ] {
        let shown = home.good(&["pair", "--show", "--robot", "nao", "--json"]);
        let shown: Value = serde_json::from_str(&shown).expect("JSON");
        let code = shown["code"].as_str().expect("a code");
        let output = home.good(&["pair", place, "--code", code, "--name", "anna"]);
        let sentence = format!("it was paired at {before}");
        assert!(
            output.contains("paired with nao as") && output.contains(&sentence),
            "{output}"
        );
    }
    let rows = home.good(&["robots", "--wait", "0"]);
    assert!(
        rows.lines().count() == 1 && rows.contains("here, with a server, paired with"),
        "{rows}"
    );
    // After some wrong ones, none counts for a while.
    let shown = home.good(&["pair", "--show", "--role", "watch"]);
    assert!(
        shown.starts_with("pairing code: ") && shown.contains(" (role watch, 300 s)"),
        "{shown}"
    );
    until("whoever guesses is refused", || {
        let refusal = home.bad(1, &["pair", &address, "--code", "00000000x1"]);
        refusal.contains("too many guesses")
    });
    // Another robot at the same address.
    let robots = home.path("run/config/robots.toml");
    let text = fs::read_to_string(&robots).expect("a file");
    let at = text.find("fingerprint = \"").expect("a fingerprint") + 15;
    let other = format!("{}{}{}", &text[..at], "0".repeat(64), &text[at + 64..]);
    fs::write(&robots, other).expect("a file");
    let output = home.bad(1, &["ls", "--robot", &address]);
    assert!(output.contains("not the robot that you know"), "{output}");
}

/// On another machine, as far as `dev` can tell: it meets the robot over the network alone.
#[test]
fn dev_swaps_into_a_paired_robot_which_checks_by_itself() {
    let home = home();
    let served = serve(&home, QUIET);
    let (address, token) = (served.address(), served.token("operate"));
    let away = home.path("away");
    fs::create_dir_all(away.join("config")).expect("a folder");
    let known = format!("[kitchen]\naddress = \"{address}\"\ntoken = \"{token}\"\n");
    fs::write(away.join("config/robots.toml"), known).expect("a file");
    // A minute long: the check plays the whole of it.
    let blinks = |value: &str| {
        format!(
            r#"(module
            (import "dcm/body" "find-actuator" (func $find (param i32 i32) (result i32)))
            (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
            (import "dcm/clock" "now" (func $now (result i64)))
            (memory (export "memory") 1) (data (i32.const 0) "ChestBoard/Led/Red")
            (global $led (mut i32) (i32.const 0))
            (func (export "start") (global.set $led (call $find (i32.const 0) (i32.const 18))))
            (global $turns (mut i32) (i32.const 0))
            (func (export "is-alive") (result i32) (i32.lt_s (global.get $turns) (i32.const 6000)))
            (func (export "pre-process")
              (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
              (drop (call $set (global.get $led) (f64.const {value}) (call $now)))))"#
        )
    };
    let folder = project(&home, "glow", TEXT, &blinks("0.5"));
    let dev = Dev::start_in(
        &home,
        &[&folder.display().to_string(), "--robot", "kitchen"],
        &[("DCM_RUN_DIR", &away)],
    );
    let first = dev.outcome("plays");
    assert_eq!(first["checked_s"], Value::Null, "the robot has checked it");
    save(&folder, &blinks("0.7"));
    assert_eq!(dev.outcome("plays")["guest"], 2);
    // What the robot refuses leaves the version that plays.
    save(&folder, &blinks("3.0"));
    assert_eq!(dev.outcome("failed")["guest"], 2);
    dev.complains_of("does not pass the check");
    dev.interrupt();
    assert_eq!(dev.outcome("stopped")["guest"], 2);
    assert_eq!(dev.code(), Some(0));
    assert!(home.good(&["ls"]).contains("glow"), "it is stored there");
}

#[test]
fn a_name_on_this_machine_counts_before_one_of_another() {
    let home = home();
    let served = serve(&home, QUIET);
    let robots = home.path("run/config/robots.toml");
    fs::create_dir_all(robots.parent().expect("a folder")).expect("a folder");
    let (address, token) = (served.address(), served.token("operate"));
    let known = format!("[desk]\naddress = \"{address}\"\ntoken = \"{token}\"\n");
    fs::write(&robots, known).expect("a file");
    assert!(
        home.good(&["ls", "--robot", "desk"])
            .contains("stores no choreographies")
    );
    // What needs the robot's machine says so; the rest works from elsewhere.
    assert!(
        home.good(&["pose", "ls", "-r", "desk"])
            .contains("stand-ready")
    );
    for (code, words) in [
        (4, &["sim", "give", "Button", "1", "-r", "desk"][..]),
        (4, &["pose", "save", "here", "-r", "desk"]),
        (4, &["blackbox", "desk"]),
        (4, &["plot", "desk", "Base", "-o", "x.svg"]),
    ] {
        let output = home.bad(code, words);
        assert!(
            output.contains("`desk` runs on another machine"),
            "{words:?}: {output}"
        );
    }
    // Now a loop of that name runs here, without a server: verbs and stop mean this one.
    let near = home.start("desk", &["--robot", "desk", "--sim"]);
    near.wait_for_state(State::Running);
    home.good(&["set", "--robot", "desk", "Base", "0.1"]);
    let output = home.bad(4, &["ls", "--robot", "desk"]);
    let sentence = "`desk` runs here without a server, and this verb needs one; fix: ";
    assert!(output.contains(sentence), "{output}");
    home.good(&["estop", "--robot", "desk"]);
    near.wait_for_state(State::Estop);
}

#[test]
fn control_is_held_by_one_and_taken_over_by_a_word() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let (anna, bert) = (
        served.token("perform"),
        home.good(&["tokens", "make", "bert", "--role", "perform"]),
    );
    let (anna, bert) = (served.client(Some(&anna)), served.client(Some(bert.trim())));
    home.good(&["push", WAVE, "--no-check"]);
    let resume = |client: &ApiClient| {
        // It may hold already.
        home.run(&["hold", "--robot", "nao"]);
        client.ask::<Value>(Method::POST, "/api/v2/loop/resume", None::<&()>)
    };
    resume(&anna).expect("nobody holds control");
    let start = json!({ "choreography": "wave" });
    for (path, body) in [("loop/resume", None), ("guests", Some(&start))] {
        let path = format!("/api/v2/{path}");
        assert_eq!(refused(&bert, Method::POST, &path, body), "control-held");
    }
    // In the DCM every order counts.
    let set = json!({ "to": "HeadYaw", "values": 0.1, "after_ns": 500_000_000 });
    for client in [&bert, &anna, &bert] {
        ask_loop(client, "move", &set);
    }
    bert.ask::<Value>(Method::POST, "/api/v2/loop/hold", None::<&()>)
        .expect("to hold needs no control");
    bert.ask::<Value>(Method::PUT, "/api/v2/lease", None::<&()>)
        .expect("a word");
    resume(&bert).expect("it holds control");
    assert_eq!(
        refused(&anna, Method::POST, "/api/v2/loop/resume", None),
        "control-held"
    );
    bert.ask::<Value>(Method::DELETE, "/api/v2/lease", None::<&()>)
        .expect("a word");
    resume(&anna).expect("it was given back");
}

#[test]
fn whatever_becomes_of_the_server_no_turn_is_late() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", BREATHE, "--start", "--no-check"]);
    let page = served.page();
    let began = page.latest();
    let mut late = 0;
    for signal in [
        Signal::SIGKILL,
        Signal::SIGABRT,
        Signal::SIGSEGV,
        Signal::SIGBUS,
    ] {
        let old = served.server();
        let before = page.latest();
        kill(Pid::from_raw(old), signal).expect("it is there");
        let faults = matches!(signal, Signal::SIGSEGV | Signal::SIGBUS);
        until("another is there", || {
            if faults && served.server() == old {
                // The first one is mistaken for a stack overflow, and the second is not; a real fault happens again as
                // well.
                let _ = kill(Pid::from_raw(old), signal);
            }
            served.server() != old && home.run(&["ls"]).status.success()
        });
        assert!(home.good(&["ps"]).contains("breathe"), "the guest plays on");
        for turn in before + 1..=page.latest() {
            let elapsed = page.read_turn(turn, |frame| frame.elapsed().nanos());
            late += u32::from(elapsed.is_some_and(|value| 2 * value > 3 * page.period().nanos()));
        }
    }
    let turns = page.latest() - began;
    println!("{late} of {turns} turns were late while the server died four times");
    // The number is for people: other programs on the machine make turns late as well.
    assert!(4 * u64::from(late) <= turns, "{late} of {turns}");
    assert!(served.line("the server has ended (signal: ").is_some());
}

#[test]
fn a_server_that_wants_too_much_memory_goes_and_the_loop_stays() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let page = served.page();
    let turn = page.latest();
    let client = served.client(Some(&served.token("perform")));
    for _ in 0..2 {
        let server = served.server();
        // As if its settings had left it nothing beyond what it has.
        let limit = Rlimit {
            current: Some(1 << 20),
            maximum: None,
        };
        prlimit(
            rustix::process::Pid::from_raw(server),
            Resource::Data,
            limit,
        )
        .expect("a process");
        until("it has gone", || {
            let body = json!({ "names": [" ".repeat(4 << 20)] });
            // No answer comes from one that has gone.
            let answer = client.ask::<Value>(Method::POST, "/api/v2/loop/move", Some(&body));
            drop(answer);
            served.server() != server
        });
    }
    assert!(served.line("the server has ended (signal: ").is_some());
    assert!(home.good(&["joints"]).contains("HeadYaw"));
    assert!(page.latest() > turn, "the loop stays");
}

#[test]
fn what_nobody_signed_does_not_come_in_where_that_is_required() {
    let home = home();
    let served = serve(
        &home,
        &format!("{QUIET}[store]\nsignatures = \"require\"\n"),
    );
    served.wait_until_it_runs();
    let said = home.bad(1, &["push", WAVE]);
    assert!(said.contains("there is no signature"), "{said}");
    home.good(&["keys", "generate", "anna"]);
    let said = home.bad(1, &["push", WAVE, "--sign", "anna"]);
    assert!(said.contains("is not trusted by this robot"), "{said}");
    home.good(&["keys", "trust", "anna"]);
    let printed = home.good(&["push", WAVE, "--sign", "anna", "--no-check"]);
    assert!(printed.contains("signed by anna"), "{printed}");
    // A signature of another file, and one that was truncated.
    let author = served.client(Some(&served.token("author")));
    let (wave, blink) = (
        fs::read(WAVE).expect("a file"),
        fs::read(BLINK).expect("a file"),
    );
    let key = fs::read_to_string(home.path("run/config/keys/anna.key")).expect("a key");
    let bytes = network::hex::unhex(key.trim()).expect("a key");
    let secret = network::signature::SigningKey::of(&bytes).expect("a key");
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("a clock")
        .as_secs();
    let good = secret.sign(&digest(&blink), "blink", "nao", now, None);
    let push = |signature: &str| code_of(&author, &blink, &digest(&blink), signature);
    assert_eq!(
        push(&secret.sign(&digest(&wave), "blink", "nao", now, None)),
        "signature-digest"
    );
    assert_eq!(
        push(&secret.sign(&digest(&blink), "blink", "arm", now, None)),
        "signature-robot"
    );
    assert_eq!(
        push(&secret.sign(&digest(&blink), "blink", "nao", now + 9999, None)),
        "signature-early"
    );
    assert_eq!(
        push(&secret.sign(&digest(&blink), "blink", "nao", now, Some(now - 1))),
        "signature-ended"
    );
    assert_eq!(push(&good[..good.len() - 10]), "signature-form");
    assert_eq!(
        push(&good.replace("robot nao", "robot *")),
        "signature-seal"
    );
    assert_eq!(push(&"x".repeat(5000)), "signature-long");
    assert_eq!(push(&good), "taken");
    home.good(&["keys", "revoke", "anna"]);
    assert_eq!(push(&good), "signature-revoked");
    // It no longer plays, until somebody signs it again.
    let output = home.bad(1, &["start", "blink"]);
    assert!(output.contains("is not trusted any more"), "{output}");
    home.good(&["keys", "trust", "anna"]);
    home.good(&["start", "blink"]);
    assert_eq!(home.good(&["ls"]).lines().count(), 2);
}

/// The error code of uploading these bytes, which must be refused.
fn code_of(client: &ApiClient, bytes: &[u8], digest: &str, signature: &str) -> String {
    let mut headers = Vec::new();
    if !signature.is_empty() {
        headers.push((SIGNATURE, network::hex::hex(signature.as_bytes())));
    }
    let sent = RequestBody {
        headers,
        bytes: bytes::Bytes::copy_from_slice(bytes),
        kind: "application/wasm",
        only_reads: false,
    };
    let path = format!("/api/v2/choreographies/{digest}?name=blink");
    match client.send(Method::PUT, &path, sent, |_| {}) {
        Ok(_) => "taken".to_owned(),
        Err(ClientError::Refused(error)) => error.code,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn bad_uploads_and_requests_are_refused_and_leave_nothing() {
    let home = home();
    let served = serve(&home, QUIET);
    let token = served.token("author");
    let author = served.client(Some(&token));
    let blink = fs::read(BLINK).expect("a file");
    let is = digest(&blink);
    assert_eq!(
        code_of(&author, &blink, &digest(b"other"), ""),
        "digest-mismatch"
    );
    assert_eq!(code_of(&author, &blink, "12", ""), "invalid-digest");
    assert_eq!(
        code_of(&author, b"\x7fELF", &digest(b"\x7fELF"), ""),
        "not-a-component"
    );
    for name in ["..%2f..%2fetc", "A", "a%00", "", "a%2fb", "."] {
        let path = format!("/api/v2/choreographies/{is}?name={name}");
        assert_eq!(
            refused(&author, Method::PUT, &path, None),
            "invalid-name",
            "{name}"
        );
    }
    // An error that repeats a long word is short enough to be read.
    let long = json!({ "x".repeat(5000): 1 });
    let answer = author.ask::<Value>(Method::POST, "/api/v2/pair", Some(&long));
    match answer {
        Err(ClientError::Refused(error)) => {
            assert!(
                error.code == "invalid-request" && (20..500).contains(&error.sentence.len()),
                "{error}"
            );
        }
        other => panic!("{other:?}"),
    }
    for path in [
        "/api/v2/choreographies/..%2f..%2ftokens.json",
        "/api/v2/choreographies/%00",
        "/../tokens.json",
    ] {
        let code = refused(&author, Method::GET, path, None);
        assert!(
            ["not-found", "no-route"].contains(&code.as_str()),
            "{path}: {code}"
        );
    }
    let performer = served.client(Some(&served.token("perform")));
    for (path, body) in [
        ("/api/v2/loop/move", json!({ "to": "HeadYaw", "values": 1 })),
        (
            "/api/v2/loop/move",
            json!({ "to": "Nose", "values": 1, "after_ns": 1 }),
        ),
        (
            "/api/v2/loop/move",
            json!({ "to": "HeadYaw", "values": 1, "after_ns": -1 }),
        ),
        (
            "/api/v2/loop/move",
            json!({ "to": "HeadYaw", "values": 1, "after_ns": 1, "x": 1 }),
        ),
        (
            "/api/v2/loop/move",
            json!({ "to": "HeadYaw", "values": 1, "after_ns": [1, 2] }),
        ),
        (
            "/api/v2/loop/move",
            json!({ "to": "HeadYaw", "after_ns": 1, "packed": 8 }),
        ),
        (
            "/api/v2/loop/pose",
            json!({ "name": "upside-down", "in_ns": 1 }),
        ),
        ("/api/v2/loop/quit", json!({})),
        ("/api/v2/loop/load", json!({ "bytes": 8 })),
        ("/api/v2/guests", json!({ "choreography": "nothing" })),
        (
            "/api/v2/guests",
            json!({ "choreography": "nothing", "at": 1 }),
        ),
        ("/api/v2/guests", json!([])),
    ] {
        refused(&performer, Method::POST, path, Some(&body));
    }
    let long = json!({ "name": "x".repeat(300_000), "in_ns": 1 });
    assert_eq!(refused_by_loop(&performer, "pose", &long), "too-large");
    // By hand: a wrong length, half an upload, bytes that are no request.
    let head = |length: usize| {
        format!(
            "PUT /api/v2/choreographies/{is}?name=blink HTTP/1.1\r\nHost: localhost\r\n\
             Authorization: Bearer {token}\r\n\
             Content-Length: {length}\r\n\r\n"
        )
    };
    let whole = [head(blink.len() * 2).as_bytes(), &blink].concat();
    let half = said(&served, &whole, true);
    assert!(half.contains("cut-off"), "{half}");
    let huge = said(&served, head(100 << 30).as_bytes(), false);
    assert!(huge.contains("too-large"), "{huge}");
    for nonsense in [
        &b"\x16\x03\x01\x02\x00\x01\x00"[..],
        b"GET\r\n\r\n",
        &[0xff; 70_000],
    ] {
        let answer = said(&served, nonsense, true);
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{answer}"
        );
    }
    for (header, code) in [
        ("Host: robot.evil.example", "unknown-host"),
        (
            "Host: localhost\r\nHost: robot.evil.example",
            "unknown-host",
        ),
        (
            "Host: localhost\r\nOrigin: http://evil.example",
            "other-site",
        ),
        ("Host: localhost\r\nOrigin: null", "other-site"),
    ] {
        let request =
            format!("POST /api/v2/body/stop HTTP/1.1\r\n{header}\r\nContent-Length: 0\r\n\r\n");
        let answer = said(&served, request.as_bytes(), false);
        assert!(answer.contains(&format!("\"code\":\"{code}\"")), "{answer}");
    }
    // A person who opens the page by a name that nobody has told the robot can stop it all the same.
    let stop = "POST /api/v2/body/stop HTTP/1.1\r\nHost: robot.lan\r\nOrigin: http://robot.lan\r\nX-Dcm-Run: 1\r\n\
                Content-Length: 0\r\n\r\n";
    let answer = said(&served, stop.as_bytes(), false);
    assert!(answer.contains("\"state\":\"estop\""), "{answer}");
    // A cookie alone moves nothing: another site could make a browser send it.
    let operator = served.token("operate");
    let request = |own: &str| {
        format!(
            "POST /api/v2/loop/hold HTTP/1.1\r\nHost: localhost:1\r\nCookie: dcm_run_nao_1={operator}\r\n{own}\
             Content-Length: 0\r\n\r\n"
        )
    };
    assert!(said(&served, request("").as_bytes(), false).contains("other-site"));
    let answer = said(&served, request("X-Dcm-Run: 1\r\n").as_bytes(), false);
    assert!(!answer.contains("other-site"), "{answer}");
    assert!(
        answer.contains("content-security-policy: default-src 'none'"),
        "{answer}"
    );
    assert!(home.good(&["ls"]).contains("stores no choreographies"));
    let incoming = home.path("run/state/nao/incoming");
    until("nothing is left", || {
        fs::read_dir(&incoming).expect("a folder").next().is_none()
    });
}

/// The answer to these bytes; the sender may close its end.
fn said(served: &Served<'_>, bytes: &[u8], done: bool) -> String {
    let mut stream = TcpStream::connect(served.address()).expect("a server");
    stream
        .set_read_timeout(Some(Duration::from_secs(3)))
        .expect("a socket");
    // The server may close the connection before all is sent.
    let _ = stream.write_all(bytes);
    if done {
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
    let mut answer = [0; 4096];
    let read = stream.read(&mut answer).unwrap_or(0);
    String::from_utf8_lossy(&answer[..read]).into_owned()
}

#[test]
fn many_connections_are_refused_and_the_local_socket_stays_open() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let page = served.page();
    let began = page.latest();
    let mut open = Vec::new();
    for round in 0..600 {
        // Kept open, without a request.
        if let Ok(stream) = TcpStream::connect(served.address()) {
            open.push(stream);
        }
        if round % 200 == 0 {
            home.good(&["ls"]);
        }
    }
    let begun = Instant::now();
    home.good(&["ls"]);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(page.latest() > began);
    drop(open);
    until("the server accepts connections again", || {
        served.client(None).get::<Value>("/api/v2/hello").is_ok()
    });
}

#[test]
fn the_stream_shows_the_body_and_what_happens() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let watcher = served.client(Some(&served.token("watch")));
    let (mut frames, mut labels, mut state) = (0, Value::Null, String::new());
    let output = watcher.listen("/api/v2/stream?hz=50", |message| {
        match message["topic"].as_str() {
            Some("labels") => labels = message,
            Some("all") => {
                frames += 1;
                state = message["state"].as_str().unwrap_or_default().to_owned();
                let row = labels["actuators"].as_array().map_or(0, Vec::len);
                assert_eq!(message["sent"].as_array().map(Vec::len), Some(row));
                if frames == 10 {
                    home.good(&["estop"]);
                }
            }
            Some("event") => return message["text"] != "the body is in the state `estop`",
            _ => {}
        }
        true
    });
    output.expect("a stream");
    assert!(
        frames >= 10
            && labels["sensors"]
                .as_array()
                .is_some_and(|label| label.len() > 100)
    );
    for path in ["/api/v2/stream?topics=secrets", "/api/v2/stream?hz=5000"] {
        assert!(watcher.listen(path, |_| false).is_err(), "{path}");
    }
    let nobody = served.client(None).listen("/api/v2/stream", |_| false);
    assert!(matches!(nobody, Err(ClientError::Refused(_))), "{nobody:?}");
    let bytes = watcher
        .send(Method::GET, "/metrics", RequestBody::default(), |_| {})
        .expect("metrics");
    let text = String::from_utf8(bytes.to_vec()).expect("text");
    assert!(text.contains("dcm_state{state=\"estop\"} 1"), "{text}");
    assert!(
        text.contains("dcm_turn_work_seconds_bucket{le=\"+Inf\"}"),
        "{text}"
    );
    let verdicts = text
        .lines()
        .filter(|line| line.starts_with("dcm_realtime{"));
    let verdicts: Vec<_> = verdicts.collect();
    let ones = verdicts
        .iter()
        .filter(|verdict| verdict.ends_with(" 1"))
        .count();
    assert_eq!((verdicts.len(), ones), (4, 1), "{verdicts:?}");
}

#[test]
fn settings_that_are_wrong_are_told_before_anything_moves() {
    let home = home();
    let config = home.path("dcm-run.toml");
    for (text, word) in [
        ("[server]\nlisten = \"all\"", "listen"),
        ("[server]\nport = 1", "port"),
        ("[store]\nsignatures = \"maybe\"", "maybe"),
        ("[server]\ncertificate = \"x\"", "belong together"),
        ("[server]\nmemory = 0", "cannot work with less than 64"),
        ("[server]\nconnections = 0", "cannot work with less than 8"),
        ("[recordings]\nquota = 0", "`recordings.quota` is 0"),
    ] {
        fs::write(&config, text).expect("a file");
        let words = [
            "serve",
            "--robot",
            "nao",
            "--sim",
            "--config",
            config.to_str().expect("a path"),
        ];
        let output = home.bad(1, &words);
        assert!(output.contains(word), "{output}");
    }
    assert!(
        home.bad(4, &["ls"])
            .contains("no robot with a server runs here, and none is paired; fix: ")
    );
    assert!(
        home.bad(4, &["ls", "--robot", "127.0.0.1:1"])
            .contains("cannot be reached")
    );
    // A real body stays limp until somebody arms it; so does this one.
    let toml = home.file("limp.toml", "format = 1\nname = \"limp\"\nbase = \"nao\"\n");
    let served = serve_with(
        &home,
        QUIET,
        &["--robot", toml.to_str().expect("a path"), "--id", "nao"],
    );
    let page = served.page();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(
        page.read(|frame| frame.state()).flatten(),
        Some(State::Disarmed)
    );
}

#[test]
fn what_the_check_refuses_is_refused_whichever_way_it_comes() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let file = |name: &str, value: &str, end: u32| {
        let text =
            format!("actuator,time,value\nHeadYaw,1,0\nHeadYaw,3,{value}\nHeadYaw,{end},0\n");
        let path = home.file(&format!("{name}.csv"), text);
        path.to_str().expect("a path").to_owned()
    };
    // The good one is to play as long as this test takes.
    let (good, far, long) = (
        file("good", "0.5", 3_000),
        file("far", "30", 5),
        file("long", "300mm", 5),
    );
    home.good(&["load", &good, "--no-check"]);
    for words in [
        &["load", &far][..],
        &["swap", "good", &far],
        &["push", &far],
        &["start", "far"],
        &["start", "far", "--at", "+5"],
        &["boot", "far"],
    ] {
        let output = home.run(words);
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{words:?}: {printed}");
        assert!(printed.contains("range"), "{words:?}: {printed}");
    }
    assert!(
        home.bad(1, &["load", &long])
            .contains("and this is a length")
    );
    assert!(
        home.bad(1, &["push", &long])
            .contains("and this is a length")
    );
    // A refused version is not the current one: its name never got it.
    assert!(!home.good(&["ps"]).contains("far"));
    home.good(&["start", "far", "--allow", "range"]);
    until("it plays", || home.good(&["ps"]).contains("far"));
    home.good(&["load", &far, "--no-check"]);
    let output = home.good(&["start", "far", "--at", "+3600", "--allow", "range"]);
    assert!(output.contains("as plan"), "{output}");
}
