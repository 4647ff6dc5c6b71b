//! What verbs print is what happens: how long a motion takes, what limits it, what is refused and why. The numbers are
//! computed here from the body's published ranges and velocities, not from what the program prints.

use std::fs;

use cycle::State;

use crate::common::home;
use tests::process::{text, until};

/// Of NAO's head: rad, and rad/s.
const YAW_END: f64 = 2.08567;
const YAW_SPEED: f64 = 8.26797;

/// The seconds in "in 241.9 ms" or "in 2 s".
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
    let at = |value: f64| {
        let page = running.page();
        let place = page
            .actuators()
            .iter()
            .position(|actuator| actuator.name == "HeadYaw");
        let place = place.expect("a head");
        until("the head arrives", || {
            let sent = page.read(|frame| frame.sent(place)).flatten();
            sent.is_some_and(|sent| (sent - value).abs() < 1e-6)
        });
    };
    // There and back, each once in more time than it takes, and once in less.
    let mut random = fastrand::Rng::with_seed(5);
    let mut from = 0.0f64;
    for round in 0..8 {
        let to = (random.f64() * 2.0 - 1.0) * YAW_END;
        let takes = (to - from).abs() / YAW_SPEED;
        let share = if round % 2 == 0 { 0.5 } else { 1.5 };
        let asked = takes * share + if share > 1.0 { 0.05 } else { -0.03 };
        let within = format!("{:.6}s", asked.max(0.001));
        let output = home.good(&["set", "HeadYaw", &to.to_string(), "--in", &within]);
        let is_late = takes > asked.max(0.001) * 1.02 + 0.01;
        assert_eq!(
            output.contains("at its speed limit"),
            is_late,
            "{output} {takes} {asked}"
        );
        let printed = told_seconds(&output);
        let expected = if is_late { takes } else { asked };
        assert!(
            (printed - expected).abs() < 0.02 * expected + 0.001,
            "{output} {expected}"
        );
        at(to);
        from = to;
    }
    // With the head turned far to the side, its pitch is limited.
    home.good(&["set", "HeadYaw", "0", "--in", "1s"]);
    at(0.0);
    let free = home.good(&["set", "HeadPitch", "0.5", "--in", "2s"]);
    assert!(!free.contains("coupled"), "{free}");
    home.good(&["set", "HeadPitch", "0", "--in", "500ms"]);
    home.good(&["set", "HeadYaw", "-2", "--in", "1s"]);
    at(-2.0);
    let kept = home.good(&["set", "HeadPitch", "0.5", "--in", "2s"]);
    assert!(kept.contains("the joint that it is coupled to"), "{kept}");
    // A rounded end of a range counts as the end; more is beyond it.
    home.good(&["set", "HeadYaw", &(YAW_END + 4e-7).to_string()]);
    let beyond = home.bad(1, &["set", "HeadYaw", &(YAW_END + 4e-6).to_string()]);
    assert!(beyond.contains("outside the range"), "{beyond}");
    // A negative time is refused with a sentence.
    let negative = home.bad(2, &["set", "HeadYaw", "0", "--in", "-1s"]);
    assert!(
        negative.contains("expected a time from 0 to 86,400 s"),
        "{negative}"
    );
    let long = home.bad(2, &["set", "HeadYaw", "0", "--in", "100000s"]);
    assert!(
        long.contains("expected a time from 0 to 86,400 s"),
        "{long}"
    );
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
            let output = home.bad(1, &["set", what, "0.5"]);
            let way = robot::states::way_to_running(state);
            let named = output.contains(state.name()) && output.contains(&format!("; fix: {way}"));
            assert!(named, "{what} in {}: {output}", state.name());
        }
        home.good(&["set", "Face/Led/Red/Left/0Deg", "0.5"]);
    }
}

/// A loop that hangs is told as such, by every verb, in a few seconds.
#[test]
fn a_loop_that_hangs_is_named_and_not_waited_for() {
    let home = home();
    let running = home.start("hangs", &["--robot", "nao", "--sim"]);
    running.wait_for_state(State::Running);
    running.signal(nix::sys::signal::Signal::SIGSTOP);
    for words in [
        &["get"][..],
        &["hold"],
        &["estop"],
        &["get", "--robot", "hangs"],
    ] {
        let begun = std::time::Instant::now();
        let error = home.bad(4, words);
        // Whoever presses stop hears sooner that nobody has confirmed it.
        let wanted = match words {
            ["estop"] => "STOP NOT CONFIRMED: the loop of `hangs` does not answer; fix: press ",
            _ => {
                "dcm-run: the loop of `hangs` has not answered within 3 s; fix: `dcm-run blackbox hangs` "
            }
        };
        assert!(error.contains(wanted), "{words:?}: {error}");
        assert!(
            begun.elapsed().as_secs() < 12,
            "{words:?}: {:?}",
            begun.elapsed()
        );
    }
    let robots = home.good(&["robots", "--wait", "0"]);
    assert!(
        robots.contains("hangs") && robots.contains("its loop does not answer"),
        "{robots}"
    );
    // What the sentence names shows the process.
    let shown = home.good(&["blackbox", "hangs"]);
    assert!(
        shown.contains(&format!("process {},", running.child.id())),
        "{shown}"
    );
}

/// Completion knows all robots that run.
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
        assert!(told.lines().any(|line| line == name), "{name}: {told}");
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
    let empty = file("x.mp4", "");
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
    let kick = file("kick.kmc", "phaseParameters = [];\n");
    let reason = "line 1, column 1: a kick of B-Human is balanced by its engine";
    assert!(check(&kick).contains(reason), "{}", check(&kick));
    let said = check(&list);
    assert!(
        said.contains("line 1, column 2: a command is the number 1; expected a table"),
        "{said}"
    );
    let said = check(&far);
    assert!(
        said.contains("1.000e308 rad") && !said.contains("inf"),
        "{said}"
    );
    let printed = home.good(&["urdf", "import", &urdf, "-o", made]);
    assert!(printed.contains("no soles (`--soles LINK`"), "{printed}");
    // If this machine has no such boards, the message says how to try it all the same.
    let nowhere = file(
        "far.toml",
        "format = 1\nname = \"far\"\nbase = \"desk\"\n[boards]\n\
         servos = { driver = \"servo\", spi = \"/nowhere/spidev9.9\" }\n\
         panel = { driver = \"sim\" }\n",
    );
    let output = home.bad(1, &["run", "--robot", &nowhere, "--for", "1s"]);
    assert!(
        output.contains("/nowhere/spidev9.9") && output.contains("without this hardware: --sim"),
        "{output}"
    );
}

/// A sentence that names the thing, then the fix; no words of Rust's libraries.
fn is_whole(said: &str) {
    let rusts = ["os error", "invalid float", "invalid digit", "target type"];
    assert!(
        said.contains("; fix: ") && rusts.iter().all(|rust| !said.contains(rust)),
        "{said}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named_in_the_same_words_by_every_verb() {
    let home = home();
    let path = home.folder.path().join("show.csv");
    fs::write(&path, "time,HeadYaw\n1,0\n").expect("a file");
    let missing = home.path("shwo.csv").display().to_string();
    let (script, svg) = (missing.clone(), home.path("x.svg").display().to_string());
    let folder = home.folder.path().display().to_string();
    for verb in [
        &["play", &missing, "--robot", "nao", "--sim"][..],
        &["check", &missing, "--robot", "nao"],
        &["run", "--robot", "nao", "--sim", "--script", &script],
        &["build", &missing],
        &["trace", &missing],
        &["replay", &missing],
        &["plot", &missing, "-o", &svg],
        &["urdf", "import", &missing],
    ] {
        let printed = home.bad(1, verb);
        let near = printed.contains("there is no file `") && printed.contains("show.csv`?");
        assert!(near, "{verb:?}: {printed}");
        is_whole(&printed);
        let in_folder: Vec<_> = verb
            .iter()
            .map(|verb| {
                if *verb == missing {
                    folder.as_str()
                } else {
                    *verb
                }
            })
            .collect();
        // `build` takes a folder, as a project.
        if verb[0] != "build" {
            let output = home.bad(1, &in_folder);
            assert!(
                output.contains("is a folder, not a file"),
                "{verb:?}: {output}"
            );
            is_whole(&output);
        }
    }
    let output = home.path("no/x.svg").display().to_string();
    let csv = path.display().to_string();
    let output = home.bad(1, &["plot", &csv, "-o", &output]);
    is_whole(&output);
    let drawn = home.good(&["plot", &csv, "-o", &svg]);
    assert!(
        drawn.contains("1 key") || drawn.contains("2 keys"),
        "{drawn}"
    );
}

#[test]
fn numbers_are_told_in_plain_words() {
    let home = home();
    for (verb, words) in [
        (&["run", "--speed", "fast"][..], "expected a number"),
        (&["run", "--for", "0"], "expected a time above 0"),
        (
            &["check", "dance", "--robot", "nao", "--for", "0"],
            "expected a time above 0",
        ),
        (
            &["check", "dance", "--robot", "nao", "--seed", "x"],
            "expected a whole number",
        ),
        (&["sim", "push", "HeadYaw", "hard"], "expected a number"),
        (
            &["sim", "give", "Button", "on"],
            "expected a number, such as 0.5",
        ),
        (
            &["set", "HeadYaw", "0", "--in", "soon"],
            "expected a time such as 500ms",
        ),
        (
            &["watch", "HeadYaw", "--count", "99999999999999999999"],
            "the number is too large",
        ),
    ] {
        let output = home.bad(2, verb);
        assert!(
            output.contains(words) && !output.contains("literal"),
            "{verb:?}: {output}"
        );
    }
}

#[test]
fn names_that_nothing_has_come_with_what_lists_them() {
    let home = home();
    let running = home.start("nao", &["--robot", "nao", "--sim", "--seed", "1"]);
    running.wait_for_state(State::Running);
    let said = home.bad(4, &["joints", "-r", "nope"]);
    assert!(said.contains("`dcm-run robots`"), "{said}");
    is_whole(&said);
    home.good(&["load", "blink", "--no-check"]);
    for (verb, words) in [
        (&["get", "Nope"][..], "`dcm-run config show nao sensors`"),
        (
            &["sim", "give", "Nope", "1"],
            "`dcm-run config show nao sensors`",
        ),
        (
            &["sim", "give", "ChestBoard/Buton", "1"],
            "did you mean `ChestBoard/Button`?",
        ),
        (
            &["sim", "give", "ChestBoard/Button", "7"],
            "reads from 0 to 1, and not 7; fix: use 1",
        ),
        (
            &["sim", "give", "HeadYaw", "1"],
            "`dcm-run sim push HeadYaw 0.5`",
        ),
        (&["sim", "push", "HeadYaw", "1e9"], "push with at most"),
        (&["sim", "push", "LArm", "1"], "push one of LShoulderPitch"),
        (&["sim", "push", "HeadYawStiffness", "1"], "has no motor"),
        (&["sim", "unplug", "Nope"], "`dcm-run get` lists its boards"),
        (&["pause", "blnk"], "did you mean `blink`?"),
        (&["swap", "nope", "no.wasm"], "there is no guest `nope`"),
        (&["logs", "nope"], "there is no guest `nope`"),
        (&["events", "nope"], "there is no guest `nope`"),
        (&["tune", "blink", "a=b"], "expected a number"),
        (
            &["tune", "blink", "nope=1"],
            "`blink` has no parameter `nope`",
        ),
        (
            &["load", "blink", "--no-check", "--param", "nope=1"],
            "it has no parameter `nope`",
        ),
        (&["load", "blnk"], "did you mean `blink`?"),
        (&["pose", "goto", "nope"], "`dcm-run pose ls`"),
        (&["pose", "save", ""], "invalid name of a pose"),
        (&["pose", "save", "a b"], "invalid name of a pose"),
        (&["pose", "save", "stand"], "replace it: --force"),
        (
            &["blackbox", "nope"],
            "no loop named `nope` has run on this machine",
        ),
        (
            &["plot", "nope", "HeadYaw", "-o", "x.svg"],
            "no loop named `nope` has run on this machine",
        ),
        (&["wire", "probe", "nao"], "has no servo board"),
        (&["config", "show", "nao", "nope"], "lists all keys"),
        (&["config", "set", "nao", "a.b", "3"], "nao.local.toml:"),
    ] {
        let output = home.bad(1, verb);
        assert!(output.contains(words), "{verb:?}: {output}");
        assert!(!output.contains(".draft"), "{output}");
        if verb[0] != "config" {
            is_whole(&output);
        }
    }
    // A guest that was there is known, even if it wrote nothing.
    home.good(&["logs", "blink"]);
    // What the user did not ask for is said.
    let said = home.good(&["load", "blink", "--no-check", "--param", "light=99"]);
    assert!(said.contains("another guest is named `blink`"), "{said}");
    assert!(said.contains("the end of its range, and not 99"), "{said}");
    let said = home.good(&["tune", "blink", "light=99"]);
    assert!(said.contains("the end of its range, and not 99"), "{said}");
    let all = home.folder.path().join("all.wasm");
    let blink = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../choreographies/blink/blink.wasm"
    );
    fs::copy(blink, &all).expect("a file");
    let said = home.good(&["load", all.to_str().expect("a path"), "--no-check"]);
    assert!(
        said.contains("its name is that in its manifest, not `all`"),
        "{said}"
    );
    // The joints of an alias that stop at the ends of their ranges are named.
    let said = home.good(&["set", "LArm", "0.1", "--clip"]);
    assert!(said.contains("has been clipped"), "{said}");
    assert!(
        said.contains("LElbowRoll") && said.contains("only to the end of the range"),
        "{said}"
    );
    // Asking for the end as it is told arrives there.
    let said = home.bad(1, &["set", "HeadYaw", "30"]);
    assert!(said.contains("use 2.08567 rad"), "{said}");
    let said = home.good(&["set", "HeadYaw", "5deg", "--in", "1s"]);
    assert_eq!(said.trim(), "HeadYaw goes to 0.08727 rad (5°) in 1 s");
    let printed = home.good(&["pose", "goto", "stand-ready"]);
    assert!(
        printed.starts_with("nao goes to the pose stand-ready in 2 s"),
        "{printed}"
    );
    assert!(home.good(&["pose", "ls"]).contains("stand-ready"));
    // Counts have no decimals.
    let watched = home.good(&["watch", "turn", "HeadYaw.clips", "--count", "1"]);
    let row = watched.lines().last().expect("a row");
    let counts: Vec<_> = row.split_whitespace().skip(1).collect();
    assert!(counts.iter().all(|count| !count.contains('.')), "{watched}");
    assert_eq!(home.good(&["estop"]).trim(), "nao is in the state `estop`");
    let output = home.bad(1, &["hold"]);
    assert!(
        output.contains("fix: use `estop --release` or `disarm`; to let it move, "),
        "{output}"
    );
}
