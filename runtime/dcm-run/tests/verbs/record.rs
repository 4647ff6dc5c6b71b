//! `run --record` and `replay` with the real binary.

use crate::common::home;
use serde_json::Value;
use tests::process::{Home, text, until};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn piece(name: &str) -> String {
    format!("{ROOT}/choreographies/{name}/{name}.wasm")
}

/// The verdict on a recording, as JSON.
fn verdict(home: &Home, file: &str) -> Value {
    let output = home.run(&["--json", "replay", file, "--verify"]);
    let printed = text(&output.stdout);
    serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{printed}{}", text(&output.stderr)))
}

/// A minute; with `PROMISES=full` ten.
#[test]
fn minutes_of_three_guests_are_identical() {
    let home = home();
    let file = home.path("long.mcap").display().to_string();
    let (breathe, blink, balance) = (piece("breathe"), piece("blink"), piece("balance"));
    let seconds = 60 * tests::effort().min(10);
    let turns = format!("{},000 turns", seconds / 10);
    let printed = home.good(&[
        "run",
        &breathe,
        &blink,
        &balance,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--no-check",
        "--for",
        &format!("{seconds}s"),
        "--plain",
        "--record",
        &file,
    ]);
    assert!(
        printed.contains(&format!("recorded {turns} into ")),
        "{printed}"
    );
    let output = home.good(&["replay", &file, "--verify"]);
    let mut lines = output.lines();
    let first = lines.next().expect("a heading");
    assert!(
        first.contains(&format!(
            ": nao, {turns} in {seconds} s of virtual time, 3 guests, "
        )),
        "{output}"
    );
    assert_eq!(
        lines.next(),
        Some(&*format!("identical: {turns}, {seconds} s")),
        "{output}"
    );
    assert_eq!(lines.next(), Some("3 guests were run again"), "{output}");
}

#[test]
fn a_loop_with_people_at_it_is_played_again_and_shown_meanwhile() {
    let home = home();
    let file = home.path("busy.mcap").display().to_string();
    let (wave, dance, breathe) = (piece("wave"), piece("dance"), piece("breathe"));
    let running = home.start(
        "busy",
        &[
            &breathe, "--robot", "nao", "--sim", "--speed", "4", "--stay", "--record", &file,
        ],
    );
    running.wait_for_state(cycle::State::Running);
    home.good(&["load", &wave, "--robot", "busy"]);
    home.good(&["set", "HeadYaw", "0.4", "--in", "300ms", "--robot", "busy"]);
    home.good(&["load", &dance, "--no-check", "--robot", "busy"]);
    home.good(&["tune", "breathe", "depth=0.5", "--robot", "busy"]);
    home.good(&["pause", "breathe", "--robot", "busy"]);
    home.good(&["resume", "breathe", "--robot", "busy"]);
    // A check beside a loop that is four times as fast may not end in its time.
    home.good(&["swap", "breathe", &breathe, "--no-check", "--robot", "busy"]);
    home.good(&["estop", "--robot", "busy"]);
    home.good(&["estop", "--release", "--robot", "busy"]);
    home.good(&["resume", "--robot", "busy"]);
    home.good(&["stop", "--robot", "busy"]);
    let output = running.ended();
    let printed = text(&output.stdout);
    assert!(
        output.status.success() && printed.contains("recorded "),
        "{printed}"
    );
    let told = verdict(&home, &file);
    assert_eq!(told["identical"], true, "{told}");
    assert_eq!(
        (&told["run_again"], &told["echoed"]),
        (&3.into(), &1.into()),
        "{told}"
    );
    // A replay in real time has a page, like a robot.
    let mut playing = home.command(&["replay", &file, "--speed", "20", "--id", "again"]);
    let mut playing = playing
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it plays");
    let page = home.path("run/again.page");
    until("the page shows turns", || {
        sensors::PageReader::open(&page).is_ok_and(|reader| reader.latest() > 20)
    });
    assert!(playing.wait().expect("it ends").success());
}

/// All that can be read of a robot can be read of a replay; nobody can move it, and no verb means it by itself while a
/// robot runs.
#[test]
fn a_replay_is_read_like_a_robot_and_commanded_by_nobody() {
    let home = home();
    let file = home.path("show.mcap").display().to_string();
    let wave = piece("wave");
    home.good(&[
        "run", &wave, "--robot", "nao", "--sim", "--fast", "--stay", "--for", "60s", "--plain",
        "--record", &file,
    ]);
    let playing = home.command(&["replay", &file, "--id", "again"]);
    let mut playing = Playing::start(playing);
    let page = home.path("run/again.page");
    let turn = || sensors::PageReader::open(&page).map_or(0, |reader| reader.latest());
    until("the page shows turns", || turn() > 20);
    // It is the only one here.
    let printed = home.good(&["get"]);
    assert!(printed.contains("  turn "), "{printed}");
    let read: u64 = home
        .good(&["get", "turn", "-r", "again"])
        .trim()
        .parse()
        .expect("a number");
    assert!((20..=turn()).contains(&read), "{read}");
    let rows = home.good(&[
        "watch",
        "turn",
        "Head.sent",
        "-r",
        "again",
        "--count",
        "3",
        "--csv",
    ]);
    let opened = sensors::PageReader::open(&page).expect("a page");
    for row in rows.lines().skip(1) {
        let values: Vec<f64> = row
            .split(',')
            .map(|part| part.parse().expect("a number"))
            .collect();
        let sent = opened.read_turn(values[1] as u64, |frame| [frame.sent(0), frame.sent(1)]);
        let shown = [Some(values[2]), Some(values[3])];
        assert_eq!(sent, Some(shown), "{rows}");
    }
    assert_eq!(rows.lines().count(), 4, "{rows}");
    assert!(home.good(&["joints", "-r", "again"]).contains("HeadYaw"));
    assert!(
        home.good(&["top", "--once", "-r", "again"])
            .contains("again")
    );
    assert!(home.good(&["pose", "ls", "-r", "again"]).contains("stand"));
    let robots = home.good(&["robots", "--wait", "0"]);
    assert!(robots.contains("again  nao  here, as a replay"), "{robots}");
    for words in [
        &["hold"][..],
        &["estop"],
        &["set", "HeadYaw", "0"],
        &["ps"],
        &["events"],
        &["load", &wave],
    ] {
        let output = home.bad(1, &[words, &["-r", "again"]].concat());
        assert!(
            output.contains("`again` replays a recording, and can only be read"),
            "{words:?}: {output}"
        );
    }
    // Beside a robot, what has no name means the robot.
    let running = home.start("here", &["--robot", "nao", "--sim"]);
    running.wait_for_state(cycle::State::Running);
    assert!(home.good(&["estop"]).starts_with("here is "));
    assert!(
        playing.0.try_wait().expect("a process").is_none(),
        "it has ended too early"
    );
}

/// A replay that ends with its test.
struct Playing(std::process::Child);

impl Playing {
    fn start(mut command: std::process::Command) -> Playing {
        let command = command.stdout(std::process::Stdio::null());
        Playing(command.spawn().expect("it plays"))
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The same as in the recordings of a served robot: `server/recordings.rs` has them from there.
#[test]
fn a_recording_shows_the_body_to_viewers() {
    let home = home();
    let path = home.path("body.mcap");
    let file = path.display().to_string();
    home.good(&[
        "run",
        &piece("wave"),
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--quiet",
        "--record",
        &file,
    ]);
    let bytes = std::fs::read(&path).expect("a file");
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    let mut shapes = Vec::new();
    for message in mcap::MessageStream::new(&bytes).expect("a recording") {
        let message = message.expect("a message");
        *counts.entry(message.channel.topic.clone()).or_default() += 1;
        if message.channel.topic == "/scene" {
            shapes.push(message.log_time);
        }
    }
    let topics: Vec<_> = counts.keys().map(String::as_str).collect();
    let all = [
        "/guest",
        "/joint_commands",
        "/joint_states",
        "/log",
        "/run",
        "/scene",
        "/tf",
        "/turn",
    ];
    assert_eq!(topics, all, "{counts:?}");
    // A turn of a NAO is 10 ms: every one is drawn, and its shapes are once in a second.
    assert_eq!(counts["/tf"], counts["/turn"], "{counts:?}");
    let apart = shapes
        .windows(2)
        .all(|value| value[1] - value[0] == 1_000_000_000);
    assert!(shapes.len() > 1 && apart, "{shapes:?}");
    assert_eq!(verdict(&home, &file)["identical"], true);
}

#[test]
fn what_is_broken_ends_with_three_and_what_is_none_with_one() {
    let home = home();
    let path = home.path("wave.mcap");
    let file = path.display().to_string();
    let wave = piece("wave");
    let to = |file| {
        [
            "run", &wave, "--robot", "nao", "--sim", "--fast", "--quiet", "--record", file,
        ]
    };
    home.good(&to(&file));
    // Viewers go by the ending.
    let misnamed = home.path("wave.txt").display().to_string();
    let said = home.bad(2, &to(&misnamed));
    assert!(said.contains("ends in .mcap; fix: "), "{said}");
    // A recording is not overwritten by mistake.
    let said = home.bad(1, &to(&file));
    assert!(said.contains("is there already; fix: "), "{said}");
    let whole = std::fs::read(&path).expect("a file");
    std::fs::write(&path, &whole[..whole.len() / 2]).expect("a file");
    let output = home.run(&["replay", &file, "--verify"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("broken: at byte ") && said.contains("identical as far as it goes: "),
        "{said}"
    );
    let told = verdict(&home, &file);
    assert!(told["same_turns"].as_u64() > Some(200), "{told}");
    let said = home.bad(1, &["replay", &piece("wave"), "--verify"]);
    assert!(
        said.contains("wave.wasm: not a recording of dcm-run: "),
        "{said}"
    );
    let said = home.bad(1, &["replay", "/nowhere.mcap"]);
    assert!(
        said.contains("there is no file `/nowhere.mcap`; fix: "),
        "{said}"
    );
    // No recording is left behind when nothing was played.
    let unplayed = home.path("unplayed.mcap");
    let unplayed_name = unplayed.display().to_string();
    let mut words = to(&unplayed_name).to_vec();
    words.extend(["--no-check", "--param", "no-such=1"]);
    let printed = home.bad(1, &words);
    assert!(
        printed.contains("no-such") && !unplayed.exists(),
        "{printed}"
    );
    let odd = home.path("no/such/folder.mcap").display().to_string();
    let output = home.bad(
        1,
        &["run", "--robot", "nao", "--sim", "--fast", "--record", &odd],
    );
    assert!(
        output.contains("a recording cannot be made at "),
        "{output}"
    );
}

#[test]
fn a_loop_that_was_killed_leaves_what_it_recorded() {
    let home = home();
    let file = home.path("killed.mcap").display().to_string();
    let running = home.start(
        "killed",
        &[
            &piece("breathe"),
            "--robot",
            "nao",
            "--sim",
            "--speed",
            "4",
            "--record",
            &file,
        ],
    );
    running.wait_for_turn(1_200);
    // Meanwhile it is no broken recording: what is there is compared.
    let output = home.good(&["replay", &file, "--verify"]);
    assert!(
        output.contains("still being written: turns 1 to ") && output.contains("identical: "),
        "{output}"
    );
    assert!(!output.contains("broken"), "{output}");
    running.signal(nix::sys::signal::Signal::SIGKILL);
    drop(running);
    let told = verdict(&home, &file);
    assert!(told["same_turns"].as_u64() > Some(700), "{told}");
    assert_eq!(
        (&told["difference"], &told["stopped"]),
        (&Value::Null, &Value::Null),
        "{told}"
    );
    assert_eq!(told["damages"].as_array().map(Vec::len), Some(1), "{told}");
    assert_eq!(told["being_written"], false, "{told}");
}
