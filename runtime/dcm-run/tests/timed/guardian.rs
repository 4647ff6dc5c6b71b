//! The guardian brings the body down when the loop's process is gone or stands still.
//!
//! A real loop drives the reference board, another process, which records its pins. The guardian is the one that
//! `dcm-run run` starts. With `PROMISES=full` this happens a thousand times.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::common::home;
use cycle::State;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tests::process::{Home, Loop, text, until};

/// The desk's arm on a board that is a process; it is armed quickly, and the way to its safe pose is short.
const ARM: &str = r#"
format = 1
name = "arm"
base = "desk"
[safety]
fade-in = "50ms"
link-good = "30ms"
retreat = "400ms"
[boards]
servos = { driver = "servo", socket = "BOARD" }
panel = { driver = "sim" }
"#;

/// The counts of the safe pose: 0, 75 and 45 degrees.
const SAFE: [f64; 3] = [31_416.0, 44_506.0, 39_270.0];

/// The words of the base for each rad.
const COUNTS_IN_A_RAD: f64 = 10_000.0;

struct Bench {
    home: Home,
    board: Child,
    log: PathBuf,
    robot: String,
}

/// The record of the pins: when, µs, and the word of each servo; `None` for a servo without force.
type Pins = Vec<(u64, [Option<u16>; 3])>;

impl Bench {
    fn new() -> Bench {
        let home = home();
        let folder = home.folder.path();
        let (socket, log, robot) = (
            folder.join("board"),
            folder.join("pins"),
            folder.join("arm.toml"),
        );
        let described = ARM.replace("BOARD", socket.to_str().expect("a path"));
        fs::write(&robot, described).expect("a file");
        let robot = robot.to_str().expect("a path").to_owned();
        let board = home
            .command(&[
                "wire",
                "simulate",
                &robot,
                "--outputs",
                log.to_str().expect("a path"),
            ])
            .stdout(Stdio::null())
            .spawn();
        until("the board listens", || socket.exists());
        Bench {
            board: board.expect("the binary starts"),
            home,
            log,
            robot,
        }
    }

    fn pins(&self) -> Pins {
        let text = fs::read_to_string(&self.log).expect("a log");
        let line = |line: &str| {
            let mut words = line.split(',');
            let at = words.next()?.parse().ok()?;
            let word = || words.next().and_then(|word| word.parse().ok());
            let row = std::iter::repeat_with(word).take(3).collect::<Vec<_>>();
            Some((at, row.try_into().ok()?))
        };
        // A line that is being written is not read yet: half a line would look like a limp body.
        let whole = text.rsplit_once('\n').map_or("", |pair| pair.0);
        whole.lines().filter_map(line).collect()
    }

    /// Asserts what the guardian does with a body that was powered until `ended`: it makes no jump, moves the body to
    /// the safe pose, and disarms it in time, once.
    fn judge(&self, ended: u64, moved: f64, what: &str) -> Duration {
        until("the body is limp", || {
            self.pins().last().is_some_and(|pin| pin.1 == [None; 3])
        });
        let pins = self.pins();
        let after: Vec<_> = pins.iter().filter(|pin| pin.0 >= ended).collect();
        let (limp, _) = after.last().expect("something after the end");
        let took = Duration::from_micros(limp - ended);
        assert!(took < Duration::from_secs(2), "{what}: limp after {took:?}");
        // The last words with force are those of the safe pose.
        let last = after.iter().rev().find_map(|pair| {
            let [a, b, c] = pair.1;
            Some([f64::from(a?), f64::from(b?), f64::from(c?)])
        });
        let last = last.unwrap_or_else(|| panic!("{what}: it let go at once"));
        let moved = [moved * COUNTS_IN_A_RAD, 0.0, 0.0];
        for ((word, safe), moved) in last.iter().zip(SAFE).zip(moved) {
            assert!(
                (word - safe + moved).abs() <= 2.0,
                "{what}: {last:?} is not {SAFE:?}"
            );
        }
        // It had force without a gap, and kept its maximum velocity: 300 degrees in a second, 52,360 counts.
        let forced = after.iter().take_while(|pair| pair.1 != [None; 3]).count();
        assert!(
            after[forced..].iter().all(|pair| pair.1 == [None; 3]),
            "{what}: force came back"
        );
        for pair in pins.windows(2) {
            for (old, new) in pair[0].1.iter().zip(pair[1].1) {
                let (Some(old), Some(new)) = (old, new) else {
                    continue;
                };
                let seconds = (pair[1].0 - pair[0].0) as f64 / 1e6;
                let step = (f64::from(new) - f64::from(*old)).abs();
                // The record is as late as the board's process; the way of one turn does not count.
                assert!(
                    step <= 52_360.0 * (seconds + 0.03),
                    "{what}: {step} counts in {seconds} s"
                );
            }
        }
        took
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.board.kill();
        let _ = self.board.wait();
    }
}

fn now() -> u64 {
    let utc = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock");
    utc.as_micros() as u64
}

#[test]
fn however_the_loop_ends_the_body_is_brought_down() {
    let rounds = match std::env::var("PROMISES").as_deref() {
        Ok("full") => 1_000,
        _ => 10,
    };
    let ends = [
        (Signal::SIGKILL, "was ended by signal 9"),
        (Signal::SIGABRT, "was ended by signal 6"),
        (Signal::SIGSEGV, "was ended by signal 11"),
        (Signal::SIGBUS, "was ended by signal 7"),
        // It stands still, like a thread that hangs in a driver.
        (Signal::SIGSTOP, "made no turn for"),
    ];
    let bench = Bench::new();
    let mut longest = Duration::ZERO;
    for round in 0..rounds {
        let (signal, said) = ends[round % ends.len()];
        let running = bench.home.start("arm", &["--robot", &bench.robot]);
        // In every second round a joint is calibrated first: the guardian must know where its zero is now.
        let moved = if round % 2 == 0 { 0.0 } else { 0.1 };
        if moved != 0.0 {
            running.wait_for_state(State::Running);
            bench.home.good(&["disarm"]);
            until("it is limp", || {
                bench.pins().last().is_some_and(|pin| pin.1 == [None; 3])
            });
            let moved = moved.to_string();
            bench.home.good(&["calibrate", "Base", "--moved", &moved]);
            bench.home.good(&["arm"]);
        }
        running.wait_for_state(State::Running);
        // It moves fast.
        let to = if round % 2 == 0 { "0.9" } else { "-0.9" };
        bench.home.good(&["set", "Base", to, "--in", "400ms"]);
        std::thread::sleep(Duration::from_millis(40 * (round as u64 % 12)));
        let ended = now();
        running.signal(signal);
        if matches!(signal, Signal::SIGSEGV | Signal::SIGBUS) {
            // The first one is mistaken for a stack overflow, and the second is not; a real fault happens again as
            // well.
            std::thread::sleep(Duration::from_millis(2));
            running.signal(signal);
        }
        longest = longest.max(bench.judge(ended, moved, &format!("round {round}, {signal}")));
        let output = text(&running.ended().stderr);
        // A thread that is just starting or ending may turn it into an abort.
        let aborted = signal == Signal::SIGSEGV && output.contains("was ended by signal 6");
        let gone = output.contains("is gone") && signal != Signal::SIGSTOP;
        let known = output.contains(said) || aborted || gone;
        assert!(
            known && output.contains("it went to its safe pose"),
            "{signal}: {output}"
        );
        assert_eq!(
            output
                .lines()
                .filter(|line| line.contains("dcm-run guard: "))
                .count(),
            1,
            "{output}"
        );
    }
    println!("{rounds} loops ended: no motor had force after {longest:?} at most");
}

#[test]
fn a_loop_that_ends_in_peace_is_left_alone_and_so_is_a_limp_body() {
    let bench = Bench::new();
    let running = bench.home.start("arm", &["--robot", &bench.robot]);
    running.wait_for_state(State::Running);
    running.signal(Signal::SIGINT);
    let ended = running.ended();
    assert!(text(&ended.stdout).contains("stopped softly"));
    assert_eq!(text(&ended.stderr), "");

    let running = bench
        .home
        .start("arm", &["--robot", &bench.robot, "--no-arm"]);
    running.wait_for_state(State::Disarmed);
    running.signal(Signal::SIGKILL);
    let output = text(&running.ended().stderr);
    assert!(output.contains("the body was limp"), "{output}");
    // No process holds the board any more.
    let running = bench.home.start("arm", &["--robot", &bench.robot]);
    running.wait_for_state(State::Running);
}

/// The guardian of a loop: one of its children.
fn guardian_of(process: u32) -> Option<i32> {
    let children = format!("/proc/{process}/task");
    let threads = std::fs::read_dir(children).ok()?.flatten();
    let of = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("children")).ok();
    let children: Vec<String> = threads.filter_map(of).collect();
    let all = children.iter().flat_map(|child| child.split_whitespace());
    let mut all = all.filter_map(|item| item.parse::<i32>().ok());
    all.find(|item| {
        let words = std::fs::read_to_string(format!("/proc/{item}/cmdline"));
        words.is_ok_and(|word| word.split('\0').any(|part| part == "guard"))
    })
}

/// A loop whose first guardian got a signal, and the second guardian, which replaces it.
fn after_another_guardian(signal: Signal) -> (Bench, Loop) {
    let bench = Bench::new();
    let running = bench.home.start("arm", &["--robot", &bench.robot]);
    running.wait_for_state(State::Running);
    let process = running.child.id();
    let first = guardian_of(process).expect("a guardian");
    kill(Pid::from_raw(first), signal).expect("it is there");
    until("another looks after it", || {
        guardian_of(process).is_some_and(|guardian| guardian != first)
    });
    // It does not watch as soon as it exists.
    std::thread::sleep(Duration::from_millis(500));
    (bench, running)
}

#[test]
fn a_guardian_that_dies_is_followed_by_another() {
    let (bench, running) = after_another_guardian(Signal::SIGKILL);
    let ended = now();
    running.signal(Signal::SIGKILL);
    bench.judge(ended, 0.0, "after another guardian");
    let ended = running.ended();
    let (said, told) = (text(&ended.stdout), text(&ended.stderr));
    assert!(said.contains("the guardian died (signal: 9"), "{said}");
    assert!(told.contains("it went to its safe pose"), "{told}");
}

#[test]
fn a_guardian_that_is_stopped_is_followed_by_another() {
    // The loop ends, whatever happens to the second guardian.
    let (_bench, running) = after_another_guardian(Signal::SIGSTOP);
    let second = guardian_of(running.child.id()).expect("a guardian");
    kill(Pid::from_raw(second), Signal::SIGSTOP).expect("it is there");
    running.signal(Signal::SIGINT);
    let output = text(&running.ended().stdout);
    assert!(output.contains("the guardian died (signal: 9"), "{output}");
}

#[test]
fn nothing_is_armed_while_no_guardian_can_be_had() {
    let bench = Bench::new();
    let running = bench.home.start("arm", &["--robot", &bench.robot]);
    running.wait_for_state(State::Running);
    bench.home.good(&["disarm"]);
    // No guardian can start with a description that it cannot read.
    let described = fs::read_to_string(&bench.robot).expect("a file");
    fs::write(&bench.robot, "no description").expect("a file");
    let first = guardian_of(running.child.id()).expect("a guardian");
    kill(Pid::from_raw(first), Signal::SIGKILL).expect("it is there");
    until("nobody looks after it", || {
        bench.home.good(&["events"]).contains("is started")
            || !bench.home.run(&["arm"]).status.success()
    });
    let printed = bench.home.bad(1, &["arm"]);
    assert!(printed.contains("its guardian has gone"), "{printed}");
    fs::write(&bench.robot, described).expect("a file");
    let begun = std::time::Instant::now();
    loop {
        let armed = bench.home.run(&["arm"]);
        let output = String::from_utf8_lossy(&armed.stderr);
        // An answer that came too late was carried out all the same.
        if armed.status.success() || output.contains("while the body is running") {
            break;
        }
        // A busy machine stops the loop of this test for a while, and what is broken then is cleared first.
        if output.contains("fault") {
            bench.home.run(&["clear"]);
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{output}");
        std::thread::sleep(Duration::from_millis(20));
    }
    running.wait_for_state(State::Running);
}

#[test]
fn a_body_that_was_stopped_is_not_moved_any_more() {
    let bench = Bench::new();
    let running = bench.home.start("arm", &["--robot", &bench.robot]);
    running.wait_for_state(State::Running);
    bench.home.good(&["set", "Base", "0.9", "--in", "2s"]);
    std::thread::sleep(Duration::from_millis(500));
    bench.home.good(&["estop"]);
    running.wait_for_state(State::Estop);
    std::thread::sleep(Duration::from_millis(100));
    let stopped = bench.pins().last().expect("pins").1;
    let ended = now();
    running.signal(Signal::SIGKILL);
    until("the body is limp", || {
        bench
            .pins()
            .last()
            .is_some_and(|pin| pin.0 > ended && pin.1 == [None; 3])
    });
    let after = bench
        .pins()
        .into_iter()
        .filter(|pin| pin.0 >= ended && pin.1 != [None; 3]);
    for (_, words) in after {
        assert_eq!(words, stopped, "it moved after the stop");
    }
    let output = text(&running.ended().stderr);
    assert!(output.contains("it was left where it was"), "{output}");
}

#[test]
fn a_simulated_robot_has_no_guardian() {
    let home = home();
    let running = home.start("desk", &["--robot", "desk", "--sim"]);
    running.wait_for_state(State::Running);
    let output = home.bad(1, &["guard", "desk"]);
    // Without the device nobody can hold it; where there is one, it is free.
    assert!(
        output.contains("no process drives this robot's boards"),
        "{output}"
    );
    running.wait_for_state(State::Running);
}

#[test]
fn a_guardian_never_drives_beside_a_living_loop() {
    let bench = Bench::new();
    let running = bench
        .home
        .start("arm", &["--robot", &bench.robot, "--no-guard"]);
    running.wait_for_state(State::Running);
    // Everything that drives a board must have its lock.
    for words in [
        &["wire", "dump", &bench.robot][..],
        &["wire", "probe", &bench.robot],
        &["run", "--robot", &bench.robot, "--id", "other"],
    ] {
        let output = bench.home.bad(1, words);
        assert!(
            output.contains("is driven by another process"),
            "{words:?}: {output}"
        );
    }
    // A guardian for a loop that does not exist reports that; so does a guardian of another robot.
    let output = bench.home.bad(1, &["guard", "nao", "--id", "arm"]);
    assert!(output.contains("drives another robot"), "{output}");
    assert!(!bench.pins().is_empty());
    // None of them has sent anything to the board: it answers the loop as before.
    std::thread::sleep(Duration::from_millis(200));
    running.wait_for_state(State::Running);
}
