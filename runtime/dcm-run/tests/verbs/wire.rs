//! The boards of a description, by the real binary and without hardware: boards that are processes, a simulated NAO
//! with LoLA. What needs device nodes is in `wired.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::home;
use crate::lola_robot::Robot as Nao;
use board::{Firmware, Motion};
use cycle::State;
use description::{RobotSource, load};
use drivers::bus::serve;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use robot::boards::table::rows;
use tests::process::{Home, Loop, text, until};

/// The desk's arm, on a board that is a process.
fn arm(home: &Home, more: &str) -> (String, PathBuf) {
    let folder = home.folder.path();
    let (path, socket) = (folder.join("arm.toml"), folder.join("board"));
    let text = format!(
        "format = 1\nname = \"arm\"\nbase = \"desk\"\n{more}\n[boards]\n\
         servos = {{ driver = \"servo\", socket = {socket:?} }}\n\
         panel = {{ driver = \"sim\" }}\n"
    );
    fs::write(&path, text).expect("a file");
    (path.to_str().expect("a path").to_owned(), socket)
}

/// A process that is ended by Ctrl-C.
struct Board(Child);

impl Board {
    fn simulate(home: &Home, robot: &str, socket: &Path, more: &[&str]) -> Board {
        let words = [&["wire", "simulate", robot], more].concat();
        let child = home.command(&words).stdout(Stdio::null()).spawn();
        let board = Board(child.expect("the binary starts"));
        until("the board listens", || socket.exists());
        board
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = kill(Pid::from_raw(self.0.id().cast_signed()), Signal::SIGINT);
        let _ = self.0.wait();
    }
}

#[test]
fn a_board_is_probed_dumped_and_driven_and_its_transfers_written_down() {
    let home = home();
    let (robot, socket) = arm(&home, "[safety]\nfade-in = \"50ms\"\nlink-good = \"50ms\"");
    let said = home.bad(1, &["wire", "probe", &robot]);
    assert!(said.contains("the bus is not there"), "{said}");
    let board = Board::simulate(&home, &robot, &socket, &[]);
    let probed = home.good(&["wire", "probe", &robot]);
    assert!(
        probed.contains("Elbow") && probed.contains("the board matches the description"),
        "{probed}"
    );
    let printed: serde_json::Value =
        serde_json::from_str(&home.good(&["--json", "wire", "probe", &robot])).expect("JSON");
    assert_eq!(
        (printed["outputs"].as_u64(), printed["inputs"].as_u64()),
        (Some(7), Some(11))
    );
    let dumped = home.good(&["wire", "dump", &robot, "-n", "40"]);
    assert!(
        dumped.contains("query about row 3") && dumped.contains("good answers"),
        "{dumped}"
    );
    // A host that expects another table is told the differences.
    let other = home.path("other.toml");
    let text_of =
        fs::read_to_string(&robot).expect("a file") + "[joints]\nWrist = { range = [-1, 1] }\n";
    fs::write(&other, text_of).expect("a file");
    let output = home.run(&["wire", "probe", other.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stdout);
    assert!(
        said.contains("the description has 9 outputs, the board 7"),
        "{said}"
    );

    let tape = home.path("arm.tap");
    let tap = format!("servos={}", tape.display());
    let running = home.start("arm", &["--robot", &robot, "--tap", &tap]);
    running.wait_for_state(State::Running);
    home.good(&["set", "Base", "0.3", "--in", "200ms"]);
    let number = |key: &str| {
        home.good(&["get", key])
            .trim()
            .parse::<f64>()
            .expect("a number")
    };
    until("it is there", || (number("Base.sensor") - 0.3).abs() < 0.02);
    // The board goes; the fault has a name, and the board comes back by itself.
    drop(board);
    running.wait_for_state(State::Fault);
    let printed = home.good(&["get"]);
    assert!(
        printed.contains("silent for") && printed.contains("(gone)"),
        "{printed}"
    );
    let _board = Board::simulate(&home, &robot, &socket, &["--boots", "2"]);
    until("it is back", || number("servos.age") == 0.0);
    // From its loss until it is back, what the log says of it is in one span.
    until("the log says so", || {
        home.good(&["logs"]).contains("the board servos is back")
    });
    let logs = home.good(&["logs", "--json"]);
    let recovery: Vec<serde_json::Value> = logs
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .filter(|value: &serde_json::Value| value["span"] == "recovery")
        .collect();
    let (lost, back) = (&recovery[0], &recovery[recovery.len() - 1]);
    assert_eq!(lost["text"], "the board servos is lost: gone", "{logs}");
    assert_eq!(back["text"], "the board servos is back", "{logs}");
    let taken = back["at_ns"].as_u64().zip(lost["at_ns"].as_u64());
    assert_eq!(
        back["fields"]["after_ns"].as_u64(),
        taken.map(|(back, lost)| back - lost),
        "{logs}"
    );
    running.signal(Signal::SIGINT);
    let output = text(&running.ended().stdout);
    assert!(
        output.contains("the board servos is lost: gone"),
        "{output}"
    );
    let help = home.good(&["wire", "dump", "--help"]);
    assert!(help.contains("or a file that `run --tap` wrote"), "{help}");
    let dumped = home.good(&["wire", "dump", tape.to_str().expect("a path")]);
    assert!(dumped.contains("powered") && dumped.contains("the bus is not there"));
    let output = home.bad(1, &["wire", "dump", "/dev/null"]);
    assert!(!output.is_empty());
}

/// A board with another table is not driven, whatever differs: `run`, `probe` and `doctor` print both values, and
/// accept what the description allows by name.
#[test]
fn a_board_that_is_another_than_described_is_refused_with_both_values() {
    let home = home();
    let (robot, socket) = arm(&home, "");
    let _board = Board::simulate(&home, &robot, &socket, &[]);
    let described = fs::read_to_string(&robot).expect("a file");
    let with = |name: &str, more: &str, allow: &str| {
        let path = home.path(&format!("{name}.toml"));
        let allow = format!("socket = {socket:?}, allow = [{allow}]");
        let text = described.replace(&format!("socket = {socket:?}"), &allow);
        fs::write(&path, format!("{text}{more}\n")).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let cases = [
        // (45° and half a turn) / 0.0001; at rest it is 0.
        ("rest", "[joints]\nBase.rest = \"45deg\"", "39270", "31416"),
        (
            "range",
            "[joints]\nBase.range = [-1.6, 1.6]",
            "15416 to 47415",
            "15708 to 47123",
        ),
        (
            "step",
            "[joints]\nBase.calibration.gain = 0.00012",
            "0.00012 rad",
            "0.0001 rad",
        ),
        (
            "kind",
            "[lights]\nLamp.absent = true\n[hands]\nLamp = { board = \"servos\", range = [0, 1], channel = 6 }",
            "position",
            "light",
        ),
        (
            "name",
            "[lights]\nLamp.absent = true\nLight = { board = \"servos\", levels = 256, channel = 6 }",
            "`Light`",
            "`Lamp`",
        ),
    ];
    for (what, more, ours, theirs) in cases {
        let other = with("other", more, "");
        let output = home.run(&["wire", "probe", &other]);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        let sentence = format!("its {what} is {ours} in the description, {theirs} on the board");
        assert!(said.contains(&sentence), "{what}: {said}");
        let refused = home.bad(1, &["run", "--robot", &other, "--for", "100ms"]);
        let examined = text(&home.run(&["doctor", "--robot", &other]).stdout);
        for said in [refused, examined] {
            assert!(
                said.contains("its table differs from the description: row"),
                "{said}"
            );
        }
    }
    let allowed = with("allowed", cases[0].1, "\"Base.rest\"");
    assert!(
        home.good(&["wire", "probe", &allowed])
            .contains("matches the description")
    );
    let slip = with("slip", "", "\"Bse.rest\"");
    let printed = text(&home.run(&["config", "check", &slip]).stderr);
    assert!(
        printed.contains("no channel `Bse`") && printed.contains("`Base`?"),
        "{printed}"
    );
    let wrong = with("wrong", "", "\"Base\"");
    let output = text(&home.run(&["config", "check", &wrong]).stderr);
    assert!(
        output.contains("is not a channel") && output.contains("HeadYaw.rest"),
        "{output}"
    );
}

#[test]
fn what_cannot_be_is_refused_with_what_to_do() {
    let home = home();
    let (robot, _) = arm(&home, "");
    for (words, said) in [
        (&["wire", "probe", "nao"][..], "has no servo board"),
        (
            &["wire", "probe", "desk", "--board", "panel"],
            "is not a servo board",
        ),
        (
            &["wire", "probe", "desk", "--board", "servo"],
            "there is no board `servo`; fix: did you mean `servos`?",
        ),
        (
            &["wire", "simulate", "desk"],
            "has no socket; fix: --at PATH",
        ),
        (&["run", "--robot", "desk"], "/dev/spidev0.0"),
        (
            &["run", "--robot", "desk", "--fast"],
            "needs real time; fix: simulate the robot",
        ),
        (
            &["run", "--robot", &robot, "--tap", "servos"],
            "--tap needs a board and a file",
        ),
        (
            &["run", "--robot", &robot, "--tap", "panel=x"],
            "has no bus to tap",
        ),
        (
            &["run", "--robot", &robot, "--tap", "sevos=x"],
            "there is no board `sevos`; fix: did you mean `servos`?",
        ),
        (&["run", "--robot", "nao-v6"], "/tmp/robocup"),
        (
            &["wire", "calibrate", "desk", "--joint", "Bse"],
            "there is no joint `Bse`; fix: did you mean `Base`?",
        ),
    ] {
        let output = home.bad(1, words);
        assert!(output.contains(said), "{words:?}: {output}");
    }
    let shown = home.good(&["config", "show", "desk", "boards"]);
    assert!(
        shown.contains(
            "# the bus of `servos`: 512 bits at 1000000 bit/s take 512 µs, 5.1 % of a turn"
        ),
        "{shown}"
    );
    let output = text(&home.run(&["doctor", "--robot", "desk"]).stdout);
    assert!(
        output.contains("bad") && output.contains("`servos`: /dev/spidev0.0"),
        "{output}"
    );
}

#[test]
fn a_joint_is_calibrated_by_hand_and_nothing_is_written_without_yes() {
    let home = home();
    let (path, socket) = arm(&home, "");
    let robot = load(&RobotSource::of(&path)).expect("a robot");
    let rows = rows(&robot, 0);
    // Base is held still at 30,000 for two seconds, then moved from 20,000 to 44,000 and back. It stays at each end for
    // a tenth of a second, because a busy machine does not read every turn.
    let calibrate = |more: &[&str]| {
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut motions = vec![Motion::default(); 7];
                let mut firmware =
                    Firmware::new("arm", &rows, &mut motions, 500, 1).expect("a board");
                let mut first = None;
                let hand = |place: usize, _: &Firmware<'_>, clock: u32| {
                    let since = clock.wrapping_sub(*first.get_or_insert(clock)) / 1000;
                    match (place, since) {
                        (0, ..2_000) => 30_000,
                        (0, _) => {
                            let way = 500 - (since % 1_000).abs_diff(500);
                            (17_000 + 60 * way).clamp(20_000, 44_000) as u16
                        }
                        _ => 0,
                    }
                };
                let over = || over.load(Ordering::Relaxed);
                serve(&socket, &mut firmware, hand, |_, _| {}, over).expect("a socket");
            });
            until("the board listens", || socket.exists());
            let words = [
                "--json",
                "wire",
                "calibrate",
                &path,
                "--joint",
                "Base",
                "--for",
                "4s",
            ];
            let found = home.good(&[&words, more].concat());
            over.store(true, Ordering::Relaxed);
            let _ = fs::remove_file(&socket);
            serde_json::from_str::<serde_json::Value>(&found).expect("JSON")
        })
    };
    let local = home.path("arm.local.toml");
    let found = calibrate(&["--at", "10deg"]);
    assert!(!local.exists(), "nothing was said of writing");
    // 30,000 counts of a tenth of a mrad are 3 rad; there it stood at 10 degrees.
    let near = |value: &serde_json::Value, wanted: f64| {
        (value.as_f64().expect("a number") - wanted).abs() < 0.02
    };
    let (offset, margin) = (10f64.to_radians() - 3.0, 1f64.to_radians());
    assert!(near(&found["offset"], offset), "{found}");
    assert!(near(&found["range"][0], offset + 2.0 + margin), "{found}");
    assert!(near(&found["range"][1], offset + 4.4 - margin), "{found}");
    calibrate(&["--yes"]);
    assert!(local.exists());
    let known = load(&RobotSource::of(&path)).expect("a robot");
    let base = &known.actuators[0];
    assert!(
        (base.calibration.offset + 3.0).abs() < 0.02,
        "{:?}",
        base.calibration
    );
    assert!(
        (base.range.min - (-1.0 + 1f64.to_radians())).abs() < 0.02,
        "{:?}",
        base.range
    );
}

/// A loop that drives a robot with LoLA, and runs.
fn on_a_nao(home: &Home) -> (Nao, Loop) {
    let folder = home.folder.path();
    let (path, socket) = (folder.join("v6.toml"), folder.join("robocup"));
    let described = format!(
        "format = 1\nname = \"v6\"\nbase = \"nao-v6\"\n[safety]\nfade-in = \"50ms\"\nlink-good = \"50ms\"\n\
         [boards]\nrobot = {{ socket = {socket:?} }}\n"
    );
    fs::write(&path, described).expect("a file");
    let nao = Nao::start(&socket, Duration::from_millis(12));
    let running = home.start("v6", &["--robot", path.to_str().expect("a path")]);
    running.wait_for_state(State::Running);
    (nao, running)
}

#[test]
fn a_nao_whose_loop_stands_still_is_brought_down() {
    let home = home();
    let (nao, running) = on_a_nao(&home);
    // As far as its temperature allows: this robot reports that it is hot.
    until("it is stiff", || nao.told("Stiffness")[0] > 0.2);
    let begun = std::time::Instant::now();
    running.signal(Signal::SIGSTOP);
    until("it is limp", || nao.is_limp());
    // A quarter of a second until it is noticed, two until no motor has force, and time for a slow machine.
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
    let output = text(&running.ended().stderr);
    assert!(
        output.contains("made no turn for") && output.contains("its boards were taken over"),
        "{output}"
    );
}

#[test]
fn a_nao_is_driven_over_lola() {
    let home = home();
    let (nao, running) = on_a_nao(&home);
    home.good(&["set", "HeadYaw", "0.5", "--in", "300ms"]);
    let number = |key: &str| {
        home.good(&["get", key])
            .trim()
            .parse::<f64>()
            .expect("a number")
    };
    until("the robot's head is there", || {
        (nao.position(0) - 0.5).abs() < 0.03
    });
    until("and it says so", || {
        (number("HeadYaw.sensor") - 0.5).abs() < 0.03
    });
    home.good(&["set", "Face/Led/Blue/Left/45Deg", "1", "--in", "0s"]);
    until("a light", || nao.told("LEye").get(16) == Some(&1.0));
    running.signal(Signal::SIGINT);
    assert!(text(&running.ended().stdout).contains("stopped softly"));
    until("it is limp", || nao.is_limp());
}
