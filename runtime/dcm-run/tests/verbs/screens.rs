//! The screens in a terminal of 80 columns and 24 lines, and their keys.

use crate::common::home;
use crate::terminal::Terminal;
use nix::sys::signal::Signal;
use tests::process::{Home, until};

/// A show of this many seconds on a NAO, as a file.
fn show(home: &Home, seconds: u32) -> String {
    let text = format!("time,HeadYaw\n0,0\n{seconds},0.5\n");
    let path = home.file("nods.csv", text);
    path.to_str().expect("a path").to_owned()
}

#[test]
fn the_picture_of_a_run_has_room_for_all_joints_its_show_and_its_keys() {
    let home = home();
    let show = show(&home, 60);
    let mut terminal = Terminal::run(
        &mut home.command(&["play", &show, "--robot", "nao", "--sim", "--seed", "1"]),
    );
    let seen = terminal.shows(&[" running ", "nods", " of 61.0 s", "joints 1 to "]);
    for key in [
        "space STOP",
        "u release",
        "a arm",
        "d disarm",
        "h hold",
        "r resume",
        "q quit",
    ] {
        assert!(seen.contains(key), "no `{key}` in\n{seen}");
    }
    assert!(seen.contains("HeadYaw"), "{seen}");
    // Scrolling reaches its last joints, and the first ones again.
    terminal.press("\x1b[F");
    let seen = terminal.shows(&["RHand"]);
    assert!(!seen.contains("HeadYaw "), "{seen}");
    terminal.press("\x1b[H");
    terminal.shows(&["HeadYaw ", "joints 1 to "]);
    // While it is held, its time stands still; then it continues.
    let time = |seen: &str| {
        let (before, _) = seen.split_once(" of 61.0 s").expect("a show");
        let words = before.split_whitespace();
        let last = words.last().expect("a time");
        last.parse::<f64>().expect("a number")
    };
    terminal.press("h");
    let held = time(&terminal.shows(&[" holding "]));
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert!(time(&terminal.text()) - held < 0.15, "{}", terminal.text());
    terminal.press("r");
    terminal.shows(&[" running "]);
    until("its time goes on", || time(&terminal.text()) > held + 0.2);
    terminal.press(" ");
    terminal.shows(&[" estop "]);
    terminal.press("u");
    terminal.shows(&[" holding "]);
    terminal.press("q");
    terminal.ends();
}

#[test]
fn top_follows_the_state_and_shows_how_far_a_show_is() {
    let home = home();
    let show = show(&home, 60);
    let running = home.start("here", &["--robot", "nao", "--sim", "--seed", "1"]);
    running.wait_for_state(cycle::State::Running);
    home.good(&["load", &show]);
    let mut terminal = Terminal::run(&mut home.command(&["top"]));
    terminal.shows(&[" running ", "nods", " of 61.0 s", "q quit", "h hold"]);
    for (verb, state, possible) in [
        (&["hold"][..], " holding ", "r resume"),
        (&["resume"], " running ", "h hold"),
        (&["estop"], " estop ", "estop --release"),
        (&["estop", "--release"], " holding ", "r resume"),
        (&["disarm"], " disarmed ", "arm"),
        (&["arm"], " running ", "h hold"),
    ] {
        home.good(verb);
        terminal.shows(&[state, possible]);
    }
    // As it is reported, by the turn.
    let seen = terminal.text();
    assert!(seen.contains(" events "), "{seen}");
    terminal.press("q");
    terminal.ends();
}

#[test]
fn top_says_that_its_figures_are_old_and_that_a_stop_is_not_confirmed() {
    let home = home();
    let running = home.start("here", &["--robot", "nao", "--sim", "--seed", "1"]);
    running.wait_for_state(cycle::State::Running);
    let mut terminal = Terminal::run(&mut home.command(&["top"]));
    terminal.shows(&[" running ", "h hold"]);
    running.signal(Signal::SIGSTOP);
    terminal.shows(&[" STALE ", "h hold"]);
    // A hold now would come whenever the loop goes on. A stop is sent, and doubted until it is confirmed.
    terminal.press("h");
    terminal.shows(&["only space works while the figures are old"]);
    terminal.press(" ");
    terminal.shows(&[
        "STOP NOT CONFIRMED for ",
        " s: press the robot's stop button",
    ]);
    running.signal(Signal::SIGCONT);
    terminal.shows(&[" estop ", "emergency stop: the robot is estop"]);
    until("the figures are new, and the stop is confirmed", || {
        let shown = terminal.text();
        !shown.contains("STALE") && !shown.contains("CONFIRMED")
    });
    terminal.press("q");
    terminal.ends();
}

#[test]
fn an_import_asks_about_joints_without_end() {
    let home = home();
    let path = home.path("rover.urdf");
    let joint = |name: &str| {
        format!(
            "<link name=\"{name}\"/><joint name=\"{name}\" type=\"continuous\"><parent link=\"base\"/>\
             <child link=\"{name}\"/><limit effort=\"1\" velocity=\"2\"/></joint>"
        )
    };
    let names = ["left", "turret", "right"].map(joint).concat();
    std::fs::write(
        &path,
        format!("<robot name=\"rover\"><link name=\"base\"/>{names}</robot>"),
    )
    .expect("a file");
    let file = path.to_str().expect("a path");
    let made = home.path("rover.toml");
    let output = made.to_str().expect("a path");
    let mut terminal =
        Terminal::run(&mut home.command(&["urdf", "import", file, "--output", output]));
    terminal.shows(&["`left` is a continuous joint"]);
    terminal.press("y\n");
    terminal.shows(&["`turret` is a continuous joint"]);
    terminal.press("perhaps\n");
    terminal.press("n\n");
    terminal.shows(&["`right` is a continuous joint"]);
    terminal.press("a\n");
    terminal.shows(&["3 joints"]);
    let text = std::fs::read_to_string(&made).expect("a description");
    let wheels = text.find("[wheels]").expect("wheels");
    let wheels = text[wheels..].split("\n\n").next().expect("a section");
    assert!(
        wheels.contains("\nleft ") && wheels.contains("\nright ") && !wheels.contains("turret"),
        "{text}"
    );
}

#[test]
fn whoever_sets_what_a_show_drives_is_told_so() {
    let home = home();
    let show = show(&home, 60);
    let running = home.start("here", &["--robot", "nao", "--sim", "--seed", "1"]);
    running.wait_for_state(cycle::State::Running);
    let alone = home.good(&["set", "HeadYaw", "0.1"]);
    assert!(!alone.contains("others"), "{alone}");
    home.good(&["load", &show]);
    until("it plays", || home.good(&["ps"]).contains("running"));
    until("it drives the head", || {
        home.good(&["set", "HeadYaw", "0.2"])
            .contains("a guest or another lane drives it as well")
    });
    let alone = home.good(&["set", "HeadPitch", "0.1"]);
    assert!(
        !alone.contains("others") && !alone.contains("force"),
        "{alone}"
    );
    home.good(&["set", "HeadPitchStiffness", "0", "--in", "0s"]);
    until("it is limp", || {
        home.good(&["set", "HeadPitch", "0.2"])
            .contains("it has no force now")
    });
}
