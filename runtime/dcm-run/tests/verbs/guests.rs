//! Choreographies on a running robot, with the real binary, its verbs and its page.

use crate::common::home;
use cycle::State;
use serde_json::Value;
use tests::process::{Home, Loop, text, until};

/// Swings HeadPitch to `height` and back, once a second; ends after `turns`.
pub(crate) fn nod(height: f64, turns: u32) -> String {
    format!(
        r#"(module
        (import "dcm/body" "find-actuator" (func $find (param i32 i32) (result i32)))
        (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
        (import "dcm/clock" "now" (func $now (result i64)))
        (import "dcm/log" "write" (func $log (param i32 i32 i32) (result i32)))
        (import "dcm/params" "declare" (func $declare (param i32 i32 f64 f64 f64) (result i32)))
        (import "dcm/params" "get" (func $get (param i32) (result f64)))
        (memory (export "memory") 1)
        (data (i32.const 0) "HeadPitchheighthello")
        (global $joint (mut i32) (i32.const 0))
        (global $turns (mut i32) (i32.const 0))
        (func (export "start")
          (global.set $joint (call $find (i32.const 0) (i32.const 9)))
          (drop (call $declare (i32.const 9) (i32.const 6)
            (f64.const -0.5) (f64.const {height}) (f64.const 0.5)))
          (drop (call $log (i32.const 1) (i32.const 15) (i32.const 5))))
        (func (export "pre-process")
          (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
          (drop (call $set (global.get $joint) (call $get (i32.const 0))
            (i64.add (call $now) (i64.const 50000000)))))
        (func (export "is-alive") (result i32) (i32.lt_u (global.get $turns) (i32.const {turns}))))"#
    )
}

const SPINS: &str = r#"(module (func (export "pre-process") (loop (br 0))))"#;

/// The names of the guests.
fn ps(home: &Home) -> Vec<Value> {
    let lines = home.good(&["ps", "--all", "--json"]);
    let guests = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    guests.collect()
}

fn guest(home: &Home, name: &str) -> Value {
    let mut all = ps(home).into_iter().filter(|ps| ps["name"] == name);
    all.next().unwrap_or(Value::Null)
}

/// The value that was last sent to HeadPitch.
fn head(running: &Loop) -> f64 {
    running.sent("HeadPitch")
}

#[test]
fn a_choreography_plays_and_the_loop_goes_softly_when_it_has_ended() {
    let home = home().with_own_cache();
    let piece = home.piece("nod.wasm", &nod(0.3, 400));
    let words = [
        "run",
        &piece,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--no-check",
    ];
    let first = home.good(&words);
    assert!(
        first.contains("nod plays as guest 1: a motion, in-place, compiled in"),
        "{first}"
    );
    assert!(
        first.contains("nod: hello") && first.contains("stopped softly"),
        "{first}"
    );
    assert!(
        first.contains("nod  finished; 400 commands, misses: none"),
        "{first}"
    );
    // Its code is compiled; and virtual time is the same for every observer.
    let again = home.good(&words);
    assert!(again.contains("in-place, from the cache in"), "{again}");
    let turns = |said: &str| {
        said.lines()
            .find(|line| line.contains(" turns, "))
            .map(|line| line[..9].to_owned())
    };
    assert_eq!(turns(&first), turns(&again));
    let json = home.good(&[
        "run",
        &piece,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--no-check",
        "--json",
    ]);
    let lines: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let guest = &lines.last().expect("lines")["guest"];
    assert_eq!(
        (&guest["name"], &guest["end"]),
        (&"nod".into(), &"finished".into())
    );
    assert_eq!(guest["hooks"]["pre-process"]["calls"], 400);
}

#[test]
fn several_guests_play_at_once_each_with_its_own_options() {
    let home = home();
    let low = home.piece("low.wasm", &nod(-0.2, u32::MAX));
    let high = home.piece("high.wasm", &nod(0.2, u32::MAX));
    let running = home.start(
        "two",
        &[
            &low,
            &high,
            "--robot",
            "nao",
            "--sim",
            "--no-check",
            "--priority",
            "high=20",
            "--weight",
            "high=1",
            "--param",
            "low.height=-0.1",
            "--mask",
            "low=Head",
        ],
    );
    running.wait_for_state(State::Running);
    until("the higher is heard", || {
        (head(&running) - 0.2).abs() < 1e-6
    });
    let (low, high) = (guest(&home, "low"), guest(&home, "high"));
    assert_eq!(
        (&low["priority"], &high["priority"]),
        (&10.0.into(), &20.0.into())
    );
    assert_eq!(low["params"]["height"][1], -0.1);
    let table = home.good(&["ps"]);
    assert!(
        table.contains("PRIORITY") && table.contains("low") && table.contains("high"),
        "{table}"
    );
    home.good(&["pause", "high"]);
    until("the lower is heard", || (head(&running) + 0.1).abs() < 1e-6);
    assert_eq!(guest(&home, "high")["life"], "paused");
    home.good(&["resume", "high"]);
    until("the higher is heard again", || {
        (head(&running) - 0.2).abs() < 1e-6
    });
    assert_eq!(home.good(&["stop", "high"]), "high is ending\n");
    until("it is gone", || guest(&home, "high")["life"] == "gone");
    until("the lower is heard alone", || {
        (head(&running) + 0.1).abs() < 1e-6
    });
    assert_eq!(guest(&home, "high")["end"], "stopped");
}

#[test]
fn a_guest_is_tuned_and_swapped_while_it_moves() {
    let home = home();
    let (old, new) = (nod(0.1, u32::MAX), nod(-0.3, u32::MAX));
    let (old, new) = (home.piece("old.wasm", &old), home.piece("new.wasm", &new));
    let running = home.start("one", &["--robot", "nao", "--sim"]);
    running.wait_for_state(State::Running);
    let printed = home.good(&["load", &old, "--no-check"]);
    assert!(
        printed.starts_with("old plays as guest 1: a motion, in-place"),
        "{printed}"
    );
    until("it moves", || (head(&running) - 0.1).abs() < 1e-6);
    // A value beyond its range is clipped, and this is reported.
    assert_eq!(
        home.good(&["tune", "old", "height=3"]),
        "old: height is 0.5, the end of its range, and not 3\n"
    );
    until("it is turned", || (head(&running) - 0.5).abs() < 1e-6);
    assert_eq!(
        home.good(&[
            "tune",
            "1",
            "height=10deg",
            "--priority",
            "30",
            "--weight",
            "0.4"
        ]),
        "1: height is 0.17453292519943295, its priority is 30, its weight is 0.4\n"
    );
    until("it is heard earlier", || {
        guest(&home, "old")["priority"] == 30.0
    });
    let output = home.good(&["swap", "old", &new, "--in", "200ms", "--no-check"]);
    assert!(output.starts_with("new plays as guest 2"), "{output}");
    until("the new one moves", || (head(&running) + 0.3).abs() < 1e-6);
    until("the old one is gone", || {
        guest(&home, "old")["life"] == "gone"
    });
    assert_eq!(guest(&home, "old")["end"], "another version took over");
    assert_eq!(
        guest(&home, "new")["priority"],
        30.0,
        "the lane's priority is taken over"
    );
}

#[test]
fn a_guest_that_breaks_is_told_of_and_the_others_play_on() {
    let home = home();
    let bad = home.piece("spins.wasm", SPINS);
    let good = home.piece("nod.wasm", &nod(0.3, 300));
    let output = home.run(&[
        "run",
        &bad,
        &good,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--no-check",
    ]);
    let (said, complained) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}{complained}");
    assert!(complained.contains("dcm-run: spins broke"), "{complained}");
    assert!(
        said.contains("ran out of fuel: it used more fuel than it was granted"),
        "{said}"
    );
    assert!(said.contains("nod  finished; 300 commands"), "{said}");
}

#[test]
fn mistakes_with_choreographies_are_told_with_what_to_do() {
    let home = home();
    let good = home.piece("nod.wasm", &nod(0.3, u32::MAX));
    let file = |name: &str, bytes: &[u8]| {
        let path = home.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path.display().to_string()
    };
    let empty = file("empty.wasm", b"");
    let prose = file("prose.wasm", b"to be or not to be");
    let module = file("module.wasm", b"\0asm\x01\0\0\0");
    let running = home.start("one", &["--robot", "nao", "--sim"]);
    running.wait_for_state(State::Running);
    let cases: [(&[&str], &str); 12] = [
        (&["load", &empty], "empty.wasm: the file is empty"),
        (&["load", &prose], "it is not WebAssembly"),
        (
            &["load", &module],
            "fix: make one of it with `dcm-run build`",
        ),
        (&["load", "no.wasm"], "there is no file `no.wasm`; fix: "),
        (
            &["load", &good, "--param", "speed=2"],
            "it has no parameter `speed`; fix: its parameters are height",
        ),
        (
            &["load", &good, "--mask", "LEaring"],
            "this robot has no actuator `LEaring`",
        ),
        (
            &["load", &good, "--priority", "1000"],
            "its grant allows a priority of 50 at most",
        ),
        (
            &["load", &good, "--weight", "2000"],
            "a weight lies between 0 and 1,000; fix: ",
        ),
        (&["stop", "nobody"], "there is no guest `nobody`; fix: "),
        (&["pause", "nobody"], "there is no guest `nobody`; fix: "),
        (
            &["swap", "nobody", &good],
            "there is no guest `nobody`; fix: ",
        ),
        (
            &["tune", "nobody", "a=1"],
            "there is no guest `nobody`; fix: ",
        ),
    ];
    for (words, sentence) in cases {
        let output = home.bad(1, words);
        assert!(output.contains(sentence), "{words:?}: {output}");
    }
    assert_eq!(ps(&home).len(), 0, "nothing was left of any of them");
    assert!(home.good(&["ps"]).contains("no guest plays on one"));
    let output = home.bad(
        1,
        &[
            "run",
            &good,
            "--robot",
            "nao",
            "--sim",
            "--id",
            "one",
            "--no-check",
        ],
    );
    assert!(
        output.contains("a loop named one is already running"),
        "{output}"
    );
}

#[test]
fn a_module_of_any_compiler_becomes_a_choreography() {
    let home = home();
    let text = tests::rig::full_names(&nod(0.3, 50));
    let module = home.file("nod.wat", text);
    let (module, made) = (module.display().to_string(), home.path("made.wasm"));
    let made = made.display().to_string();
    let printed = home.good(&["build", &module, "-o", &made]);
    assert!(
        printed.contains("a motion of")
            && printed.contains("uses dcm:choreography/commands@0.1.0: set")
    );
    home.good(&[
        "run",
        &made,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--no-check",
    ]);
    let checked = home.good(&["build", "--check", &made]);
    assert!(
        checked.contains("made.wasm keeps the contract"),
        "{checked}"
    );
    let strange = home.path("strange.wat");
    std::fs::write(
        &strange,
        r#"(module (import "dcm" "fly" (func)) (func (export "start")))"#,
    )
    .expect("a file");
    let output = home.bad(1, &["build", &strange.display().to_string()]);
    assert!(
        output.contains("strange.wat: ") && output.contains("fly"),
        "{output}"
    );
}

/// The form is a setting of the description; every report names it.
#[test]
fn the_form_is_chosen_in_the_description() {
    let home = home().with_own_cache();
    let words = "format = 1\nname = \"calls\"\nbase = \"nao\"\n[loop]\nguests = \"calls\"\n";
    let robot = home.file("calls.toml", words);
    let piece = home.piece("nod.wasm", &nod(0.3, 50));
    let output = home.good(&[
        "run",
        &piece,
        "--robot",
        &robot.display().to_string(),
        "--sim",
        "--fast",
        "--no-check",
    ]);
    assert!(
        output.contains("a motion, calls, compiled") && output.contains("(calls)"),
        "{output}"
    );
}

/// The grant follows the file's name, not the name in the manifest.
#[test]
fn a_grant_goes_by_the_files_name_whatever_is_in_the_file() {
    let home = home();
    let words = "format = 1\nname = \"strict\"\nbase = \"nao\"\n[grants]\ndefault = { priority = 10 }\n\
                 trusted = { priority = 50 }\n";
    let robot = home.file("strict.toml", words);
    let named = nod(0.3, 50).replace(
        "(module",
        "(module (@custom \"dcm:manifest\" \"name = 'trusted'\")",
    );
    let robot = robot.display().to_string();
    let words = |piece: &str| {
        let words = [
            "run",
            piece,
            "--robot",
            &robot,
            "--sim",
            "--fast",
            "--no-check",
            "--priority",
            "40",
        ];
        words.map(str::to_owned)
    };
    let stranger = words(&home.piece("stranger.wasm", &named));
    let printed = home.bad(1, &stranger.each_ref().map(String::as_str));
    assert!(
        printed.contains("its grant allows a priority of 10 at most"),
        "{printed}"
    );
    let trusted = words(&home.piece("trusted.wasm", &named));
    let output = home.good(&trusted.each_ref().map(String::as_str));
    assert!(output.contains("trusted plays as guest"), "{output}");
}

#[test]
fn a_name_that_begins_like_an_option_is_a_name() {
    let home = home();
    let running = home.start("here", &["--robot", "nao", "--sim"]);
    running.wait_for_state(State::Running);
    for name in ["-x", "--help", "-V", "--allow"] {
        let piece = home.piece(&format!("{name}.wasm"), &nod(0.1, 20));
        home.good(&["load", "--robot", "here", "--", &piece]);
    }
    // It is checked all the same: this one moves nothing.
    let piece = home.piece("-V.wasm", &nod(9.0, 20));
    let output = home.bad(3, &["load", "--robot", "here", "--", &piece]);
    assert!(
        output.contains("`-V` does not pass the check: nothing:"),
        "{output}"
    );
}

#[test]
fn a_simulation_grants_what_a_score_asks_of_wasi() {
    let home = home();
    let path = home.path("dice.wat");
    let text = r#"(component
        (import "wasi:random/random@0.2.0" (instance $it (export "get-random-u64" (func (result u64)))))
        (core func $f (canon lower (func $it "get-random-u64")))
        (core module $m (import "" "f" (func $f (result i64)))
          (func (export "run") (if (i64.eqz (i64.or (call $f) (call $f))) (then (unreachable)))))
        (core instance $i (instantiate $m (with "" (instance (export "f" (func $f))))))
        (func (export "run") (canon lift (core func $i "run"))))"#;
    std::fs::write(&path, text).expect("a file");
    let file = path.display().to_string();
    let check = ["check", &file, "--robot", "nao", "--allow", "nothing"];
    let printed = home.bad(3, &check);
    assert!(printed.is_empty(), "{printed}");
    let output = home.run(&check);
    let output = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.contains("it imports `wasi:random/random@0.2.0`, which it was not granted")
            && output.contains("for a simulation, use `--wasi`"),
        "{output}"
    );
    home.good(&[&check[..], &["--wasi"]].concat());
    let run = [
        "run", &file, "--robot", "nao", "--fast", "--quiet", "--allow", "nothing",
    ];
    home.good(&[&run[..], &["--sim", "--wasi"]].concat());
    let output = home.bad(2, &[&run[..], &["--wasi"]].concat());
    assert!(output.contains("--sim"), "{output}");
}

#[test]
fn all_guests_end_at_one_word_and_the_loop_goes_on() {
    let home = home();
    let running = home.start("many", &["--robot", "nao", "--sim"]);
    running.wait_for_state(State::Running);
    let names = ["one", "two", "three"];
    for name in names {
        let piece = home.piece(&format!("{name}.wasm"), &nod(0.2, u32::MAX));
        home.good(&["load", &piece, "--no-check"]);
        until("it plays", || guest(&home, name)["life"] == "running");
    }
    let output = home.good(&["stop", "--soft"]);
    assert!(output.contains("ended"), "{output}");
    for name in names {
        until("it is gone", || guest(&home, name)["life"] == "gone");
        assert_eq!(guest(&home, name)["end"], "stopped");
    }
    let page = running.page();
    let turn = page.latest();
    until("the loop goes on", || page.latest() > turn + 10);
    assert_eq!(
        page.read(|frame| frame.state()).flatten(),
        Some(State::Running)
    );
}

#[test]
fn a_loop_that_ends_lists_the_guests_that_still_play() {
    let home = home();
    let (ends, stays) = (
        home.piece("ends.wasm", &nod(0.2, 50)),
        home.piece("stays.wasm", &nod(0.3, u32::MAX)),
    );
    let output = home.good(&[
        "run",
        &ends,
        &stays,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--for",
        "5s",
        "--no-check",
    ]);
    for (end, from) in [("ends  finished;", &ends), ("stays  running;", &stays)] {
        let line = output.lines().find(|line| line.starts_with(end));
        let line = line.unwrap_or_else(|| panic!("{end}: {output}"));
        assert!(line.ends_with(&format!("; from {from}")), "{line}");
    }
}
