//! Whoever arms or resumes a body learns which guests go on, and no guest goes on that nobody has asked for.

use cycle::State;
use tests::process::{Home, Loop, until};
use tests::served::WAVE;

use crate::common::home;

fn nao(home: &Home) -> Loop {
    let nao = home.start("nao", &["--robot", "nao", "--sim"]);
    nao.wait_for_state(State::Running);
    nao
}

/// Starts a long wave, and waits until it moves the arm.
fn play(home: &Home, robot: &Loop, words: &[&str]) {
    let load = ["load", WAVE, "--no-check", "--param", "times=100"];
    home.good(&[&load[..], words].concat());
    until("it plays", || position(robot).abs() > 0.1);
}

/// Where the right shoulder was sent.
fn position(robot: &Loop) -> f64 {
    robot.sent("RShoulderRoll")
}

#[test]
fn arming_starts_nothing_that_played_before() {
    let home = home();
    let robot = nao(&home);
    play(&home, &robot, &[]);
    home.good(&["estop"]);
    home.good(&["disarm"]);
    until("it is paused", || home.good(&["ps"]).contains("paused"));
    let output = home.bad(1, &["load", WAVE, "--no-check"]);
    assert!(
        output.contains("the body is disarmed, so nothing can be started; fix: `arm`; or"),
        "{output}"
    );
    home.good(&["load", WAVE, "--no-check", "--when-running"]);
    assert!(home.good(&["ps"]).contains("waits"));
    let output = home.good(&["arm"]);
    let expected = "nao is armed; starting when the body runs: wave-2; paused: wave at ";
    assert!(output.starts_with(expected), "{output}");
    until("the second begins", || {
        let guests = home.good(&["ps"]);
        let second = guests.lines().find(|line| line.contains("wave-2"));
        second.is_some_and(|line| line.contains("running"))
    });
    home.good(&["stop", "wave-2"]);
    until("the second has ended", || {
        !home.good(&["ps"]).contains("wave-2")
    });
    let first = position(&robot);
    robot.wait_for_turn(robot.page().latest() + 100);
    assert!((position(&robot) - first).abs() < 1e-9, "nobody moves it");
    let output = home.good(&["resume", "--all"]);
    assert_eq!(output, "nao is running; playing: wave\n");
    until("it goes on", || (position(&robot) - first).abs() > 0.05);
}

#[test]
fn resume_names_who_goes_on() {
    let home = home();
    let robot = nao(&home);
    play(&home, &robot, &[]);
    home.good(&["hold"]);
    assert!(home.good(&["ps"]).contains("waits"));
    assert_eq!(home.good(&["resume"]), "nao is running; playing: wave\n");
    home.good(&["hold"]);
    let output = home.good(&["resume", "--body"]);
    assert!(
        output.starts_with("nao is running; paused: wave at "),
        "{output}"
    );
    assert!(
        output.ends_with("; `resume NAME` or `resume --all` continues\n"),
        "{output}"
    );
    let output = home.good(&["resume", "wave"]);
    assert_eq!(output, "wave is resumed\n");
}
