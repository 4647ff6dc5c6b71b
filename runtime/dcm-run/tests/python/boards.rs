//! A board that was made from the protocol's document alone, in another language, and what becomes of the body when it
//! misbehaves: `tests/boards/board.py`. Its limits are looked at on its pins, by what it writes down itself.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use cycle::State;

use crate::common::home;
use tests::process::{Home, text, until};

const BOARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/boards/board.py");

/// Words in a second that a joint of the desk may make at most: 300°/s of 0.0001 rad.
const FASTEST: f64 = 300.0 * std::f64::consts::PI / 180.0 / 0.0001;

/// Words in a second that it may gather in a second.
const GATHERS: f64 = 10.0 * FASTEST;

struct Bench {
    home: Home,
    robot: String,
    log: PathBuf,
    board: Child,
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.board.kill();
        let _ = self.board.wait();
    }
}

impl Bench {
    /// The desk's arm with a board that does this.
    fn with(misbehaviour: &str) -> Bench {
        let home = home();
        let folder = home.folder.path();
        let [socket, robot, table, log] =
            ["board", "arm.toml", "table", "log"].map(|text| folder.join(text));
        let described = format!(
            "format = 1\nname = \"arm\"\nbase = \"desk\"\n[safety]\nfade-in = \"50ms\"\nlink-good = \"50ms\"\n\
             late-to-hold = 1000000\nlate-to-safe = 1000000\n[boards]\n\
             servos = {{ driver = \"servo\", socket = {socket:?} }}\n\
             panel = {{ driver = \"sim\" }}\n"
        );
        fs::write(&robot, described).expect("a file");
        let robot = robot.to_str().expect("a path").to_owned();
        let output = home.good(&["config", "show", &robot, "--table"]);
        fs::write(&table, output).expect("a file");
        let board = Command::new("python3")
            .arg(BOARD)
            .args(["--at", socket.to_str().expect("a path")])
            .args(["--log", log.to_str().expect("a path")])
            .args(["--do", misbehaviour])
            .arg(&table)
            .stdin(Stdio::null())
            .spawn();
        let board = board.expect("python3 is here");
        until("the board listens", || socket.exists());
        Bench {
            home,
            robot,
            log,
            board,
        }
    }

    /// The speeds of the first joint with force, words in a second, from one frame to the next, and when that was.
    fn speeds(&self) -> Vec<(f64, f64)> {
        let text = fs::read_to_string(&self.log).expect("a log");
        let read = |line: &str| {
            let mut words = line.split(' ');
            let mut next = || words.next()?.parse::<f64>().ok();
            Some((next()?, next()? > 0.5, next()?))
        };
        let rows: Vec<_> = text.lines().filter_map(read).collect();
        let speeds = rows.windows(2).filter_map(|pair| {
            let ((from, forced, a), (to, _, b)) = (pair[0], pair[1]);
            (forced && to - from > 0.001).then(|| (to, (b - a) / (to - from)))
        });
        speeds.collect()
    }

    fn fastest(&self) -> f64 {
        let speeds = self.speeds();
        speeds.iter().map(|speed| speed.1.abs()).fold(0.0, f64::max)
    }

    /// The most that it gathered in six frames, as a share of what its acceleration allows.
    fn most_gathered(&self) -> f64 {
        let speeds = self.speeds();
        let gathered = speeds.windows(7).map(|value| {
            let (then, now) = (value[0].0, value[6]);
            let before = value[..2].iter().map(|pair| pair.1 * now.1.signum());
            let gathered = now.1.abs() - before.fold(0.0, f64::max);
            gathered / (GATHERS * (now.0 - then))
        });
        gathered.fold(0.0, f64::max)
    }
}

#[test]
fn a_board_that_was_made_from_the_document_is_driven_within_its_limits() {
    for lossy in ["", "lossy"] {
        let bench = Bench::with(lossy);
        let probed = bench.home.good(&["wire", "probe", &bench.robot]);
        assert!(
            probed.contains("the board matches the description"),
            "{probed}"
        );
        let running = bench.home.start("arm", &["--robot", &bench.robot]);
        running.wait_for_state(State::Running);
        // As fast as it may, there and back, again and again; held and resumed, disarmed and armed between.
        for turn in 0..12 {
            let to = if turn % 2 == 0 { "85deg" } else { "-85deg" };
            let said = bench.home.run(&["set", "Base", to, "--in", "0s"]);
            std::thread::sleep(std::time::Duration::from_millis(350));
            let verbs: &[&str] = match turn {
                3 => &["hold", "resume"],
                6 => &["estop", "estop --release", "resume"],
                9 => &["disarm", "arm"],
                _ => &[],
            };
            for verb in verbs {
                bench.home.run(&verb.split(' ').collect::<Vec<_>>());
                std::thread::sleep(std::time::Duration::from_millis(150));
            }
            assert!(
                lossy == "lossy" || said.status.success(),
                "{}",
                text(&said.stderr)
            );
        }
        drop(running);
        let fastest = bench.fastest();
        // A hundredth for catching up, and what a clock that is read late makes of it.
        assert!(
            fastest > 0.5 * FASTEST && fastest < 1.05 * FASTEST,
            "{lossy}: {fastest} of {FASTEST}"
        );
        // A board that stood because frames were lost does not go on at once as fast as its host.
        let gathered = bench.most_gathered();
        assert!(
            gathered > 0.2 && gathered < 1.05,
            "{lossy}: {gathered} of what it may"
        );
    }
}

/// After a fault, a hold, an e-stop and a disarming nothing catches up on a real board either: what was asked is slow,
/// and the way back is bounded to a fifth.
#[test]
fn stale_commands_are_not_made_up_for_on_a_board() {
    let bench = Bench::with("pause");
    let running = bench.home.start("arm", &["--robot", &bench.robot]);
    running.wait_for_state(State::Running);
    bench.home.good(&["set", "Base", "80deg", "--in", "8s"]);
    running.wait_for_state(State::Fault);
    for (verbs, state) in [
        (&["clear", "arm"][..], State::Running),
        (&["set Base 80deg --in 8s", "hold"], State::Holding),
        (&["resume"], State::Running),
        (&["set Base -80deg --in 10s", "estop"], State::Estop),
        (&["estop --release", "resume"], State::Running),
        (&["set Base 60deg --in 8s", "disarm"], State::Disarmed),
        (&["arm"], State::Running),
    ] {
        for verb in verbs {
            let words: Vec<_> = verb.split(' ').collect();
            bench.home.until_good(&words);
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
        running.wait_for_state(state);
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    drop(running);
    let fastest = bench.fastest();
    assert!(
        fastest > 0.0 && fastest < 0.2 * 1.05 * FASTEST,
        "{fastest} of {FASTEST}"
    );
}

#[test]
fn a_table_that_is_not_as_described_is_refused_by_its_row() {
    for (what, said) in [
        (
            "space",
            "row 0 of its table is invalid: its name has a character that is not printable ASCII",
        ),
        ("kind", "row 0 of its table is invalid: its kind is 13"),
        (
            "rest",
            "row 0 of its table is invalid: its word at rest, 47124, is outside",
        ),
        (
            "name",
            "row 0 (`Base`): its name is `Base` in the description, `Other` on the board",
        ),
        (
            "velocity",
            "its kind is position in the description, velocity on the board",
        ),
        (
            "narrow",
            "its range is 15708 to 47123 in the description, 15708 to 46123 on the board",
        ),
        (
            "scale",
            "its step is 0.0001 rad in the description, 0.0002 rad on the board",
        ),
        ("unit", "its unit is rad in the description, m on the board"),
    ] {
        let bench = Bench::with(what);
        let refused = bench
            .home
            .bad(1, &["run", "--robot", &bench.robot, "--for", "1s"]);
        let probed = bench.home.run(&["wire", "probe", &bench.robot]);
        assert_eq!(probed.status.code(), Some(3), "{what}");
        let probed = text(&probed.stdout) + &text(&probed.stderr);
        let dumped = text(
            &bench
                .home
                .run(&["wire", "dump", &bench.robot, "-n", "60"])
                .stdout,
        );
        let is_row = said.starts_with("row 0 of its table is invalid: ");
        let as_dumped = match said.split_once("invalid: ") {
            Some((_, flaw)) if is_row => format!("row 0 is invalid: {flaw}"),
            _ => "its table differs from the description".to_owned(),
        };
        assert!(dumped.contains(&as_dumped), "{what}: {dumped}");
        for told in [refused, probed] {
            assert!(told.contains(said), "{what}: {told}");
            assert!(!told.contains("check its wires"), "{what}: {told}");
        }
    }
    let bench = Bench::with("watchdog");
    let probed = bench.home.good(&["wire", "probe", &bench.robot]);
    assert!(
        probed.contains("its watchdog of 100 ms is shorter than"),
        "{probed}"
    );
    let running = bench.home.start("arm", &["--robot", &bench.robot]);
    running.wait_for_state(State::Running);
    running.signal(nix::sys::signal::Signal::SIGINT);
    let output = text(&running.ended().stdout);
    assert!(
        output.contains("its watchdog of 100 ms is shorter than"),
        "{output}"
    );
}

#[test]
fn whatever_a_board_does_the_body_stops_and_says_why() {
    for (what, state, said) in [
        (
            "silent",
            State::Fault,
            "the board servos is lost: timed-out",
        ),
        ("frozen", State::Fault, "the board servos is lost: frozen"),
        (
            "unpowered",
            State::Fault,
            "the board servos is lost: unpowered",
        ),
        ("reboot", State::Fault, "the board servos is lost: mismatch"),
        ("impossible", State::Fault, "Base has an impossible reading"),
        (
            "blocked",
            State::Holding,
            "Base does not follow its commands",
        ),
        ("late", State::Running, "the board servos is slow"),
    ] {
        let bench = Bench::with(what);
        let running = bench.home.start("arm", &["--robot", &bench.robot]);
        running.wait_for_state(State::Running);
        bench.home.run(&["set", "Base", "80deg", "--in", "300ms"]);
        until(what, || bench.home.good(&["events"]).contains(said));
        running.wait_for_state(state);
        // What is lost says why, and what to look at; and one whose clock stands is not back because it is asked.
        if let Some((_, fault)) = said.split_once(" is lost: ")
            && what != "unpowered"
        {
            let why = format!("the board `servos` has a fault: {fault}");
            until("the board is refused by name", || {
                text(&bench.home.run(&["clear"]).stderr).contains(&why)
            });
            std::thread::sleep(std::time::Duration::from_secs(1));
            let events = bench.home.good(&["events"]);
            assert!(!events.contains("the board servos is back"), "{events}");
        }
        if what == "late" {
            let events = bench.home.good(&["events"]);
            let count = events.matches("a turn came late").count();
            assert!(count < 5, "{events}");
        }
    }
}
