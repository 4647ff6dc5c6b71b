//! What verbs say is what becomes of it: how long a way takes, what keeps it back, what is refused and why.
//! The figures are worked out here from the body's published ranges and speeds, not from what the program says.

use std::fs;

use cycle::State;

use crate::common::home;
use tests::process::{text, until};

/// Of NAO's head: rad, and rad/s.
const YAW_END: f64 = 2.08567;
const YAW_SPEED: f64 = 8.26797;

/// The seconds in "in 241.90 ms" or "in 2.0 s".
fn told_seconds(said: &str) -> f64 {
    let (_, told) = said.split_once(" in ").expect("a time");
    let mut words = told.split([' ', ';', ',', '\n']);
    let mut next = || words.next().expect("a word");
    let number: f64 = next().parse().expect("a number");
    match next() {
        "ms" => number / 1e3,
        "s" => number,
        unit => panic!("{unit} in {said}"),
    }
}

#[test]
fn set_says_how_long_the_way_takes_and_what_keeps_it_back() {
    let home = home();
    let running = home.start("here", &["--robot", "nao", "--sim", "--seed", "1"]);
    running.wait_for_state(State::Running);
    let at = |it: f64| {
        let page = running.page();
        let place = page.actuators().iter().position(|it| it.name == "HeadYaw");
        let place = place.expect("a head");
        until("the head arrives", || {
            let sent = page.read(|frame| frame.sent(place)).flatten();
            sent.is_some_and(|sent| (sent - it).abs() < 1e-6)
        });
    };
    // There and back; every way once in more time than it takes, and once in less.
    let mut random = fastrand::Rng::with_seed(5);
    let mut from = 0.0f64;
    for round in 0..8 {
        let to = (random.f64() * 2.0 - 1.0) * YAW_END;
        let takes = (to - from).abs() / YAW_SPEED;
        let share = if round % 2 == 0 { 0.5 } else { 1.5 };
        let asked = takes * share + if share > 1.0 { 0.05 } else { -0.03 };
        let within = format!("{:.6}s", asked.max(0.001));
        let said = home.good(&["set", "HeadYaw", &to.to_string(), "--in", &within]);
        let is_late = takes > asked.max(0.001) * 1.02 + 0.01;
        assert_eq!(
            said.contains("at its speed limit"),
            is_late,
            "{said} {takes} {asked}"
        );
        let told = told_seconds(&said);
        let expected = if is_late { takes } else { asked };
        assert!(
            (told - expected).abs() < 0.02 * expected + 0.001,
            "{said} {expected}"
        );
        at(to);
        from = to;
    }
    // Far to the side the head may not nod so far.
    home.good(&["set", "HeadYaw", "0", "--in", "1s"]);
    at(0.0);
    let free = home.good(&["set", "HeadPitch", "0.5", "--in", "2s"]);
    assert!(!free.contains("coupled"), "{free}");
    home.good(&["set", "HeadPitch", "0", "--in", "500ms"]);
    home.good(&["set", "HeadYaw", "-2", "--in", "1s"]);
    at(-2.0);
    let kept = home.good(&["set", "HeadPitch", "0.5", "--in", "2s"]);
    assert!(kept.contains("the joint that it is coupled to"), "{kept}");
    // What rounding makes of the end of a range is the end; more is beyond it.
    home.good(&["set", "HeadYaw", &(YAW_END + 4e-7).to_string()]);
    let beyond = home.bad(1, &["set", "HeadYaw", &(YAW_END + 4e-6).to_string()]);
    assert!(beyond.contains("outside the range"), "{beyond}");
    // A time is not negative, and is told so in words.
    let negative = home.bad(2, &["set", "HeadYaw", "0", "--in", "-1s"]);
    assert!(negative.contains("expected a time from 0"), "{negative}");
}

#[test]
fn what_would_not_follow_is_refused_in_every_state_that_stops_it() {
    let home = home();
    let running = home.start("here", &["--robot", "nao", "--sim", "--seed", "1"]);
    for (verbs, state) in [
        (&["hold"][..], State::Holding),
        (&["estop"], State::Estop),
        (&["estop --release", "disarm"], State::Disarmed),
    ] {
        if state == State::Holding {
            running.wait_for_state(State::Running);
        }
        for verb in verbs {
            home.good(&verb.split(' ').collect::<Vec<_>>());
        }
        running.wait_for_state(state);
        for what in ["HeadYaw", "HeadYawStiffness", "LHand"] {
            let said = home.bad(1, &["set", what, "0.5"]);
            let named = said.contains(state.name()) && said.contains("to let it move");
            assert!(named, "{what} in {}: {said}", state.name());
        }
        home.good(&["set", "Face/Led/Red/Left/0Deg", "0.5"]);
    }
}

/// What stands behind Tab is of all robots that run.
#[test]
fn candidates_are_those_of_all_robots_that_run() {
    let home = home();
    let candidates = || {
        let mut command = home.command(&["--", "dcm-run", "set", ""]);
        command
            .env("DCM_RUN_COMPLETE", "bash")
            .env("_CLAP_COMPLETE_INDEX", "2")
            .env("_CLAP_IFS", "\n");
        text(&command.output().expect("it runs").stdout)
    };
    let _one = home.start("one", &["--robot", "nao", "--sim"]);
    let _other = home.start("other", &["--robot", "desk", "--sim"]);
    let told = candidates();
    for name in ["HeadYaw", "Elbow"] {
        assert!(told.lines().any(|it| it == name), "{name}: {told}");
    }
}

#[test]
fn words_name_the_thing_and_the_fix() {
    let home = home();
    let file = |name: &str, text: &str| {
        let path = home.folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let empty = file("x.motion", "");
    let list = file("list.json", "[1, 2]");
    let far = file("far.csv", "time,HeadYaw\n0,1e308\n");
    let urdf = file(
        "arm.urdf",
        "<robot name=\"arm\"><link name=\"base\"/><link name=\"arm\"/><joint name=\"turn\" type=\"revolute\">\
         <parent link=\"base\"/><child link=\"arm\"/>\
         <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint></robot>",
    );
    let made = home.path("arm.toml");
    let made = made.to_str().expect("a path");
    let check = |file: &str| {
        let output = home.run(&["check", file, "--robot", "nao"]);
        text(&output.stdout) + &text(&output.stderr)
    };
    assert!(check(&empty).contains("this file cannot be played"));
    let said = check(&list);
    assert!(
        said.contains("an object with `actuator`, `time` and `value`"),
        "{said}"
    );
    let said = check(&far);
    assert!(
        said.contains("1.000e308 rad") && !said.contains("inf"),
        "{said}"
    );
    let said = home.good(&["urdf", "import", &urdf, "-o", made]);
    assert!(said.contains("no soles (`--soles LINK`"), "{said}");
    // Whoever has no such boards learns how to try it all the same.
    let nowhere = file(
        "far.toml",
        "format = 1\nname = \"far\"\nbase = \"desk\"\n[boards]\n\
         servos = { driver = \"servo\", spi = \"/nowhere/spidev9.9\" }\n\
         panel = { driver = \"sim\" }\n",
    );
    let said = home.bad(1, &["run", "--robot", &nowhere, "--for", "1s"]);
    assert!(
        said.contains("/nowhere/spidev9.9") && said.contains("without this hardware: --sim"),
        "{said}"
    );
}
