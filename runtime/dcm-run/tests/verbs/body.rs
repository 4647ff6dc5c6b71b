//! The simulated body: pushed, lifted and tilted, by hand and by a script.

use crate::common::home;
use cycle::State;
use tests::process::{Home, until};

#[test]
fn a_body_with_weight_is_pushed_lifted_and_tilted_by_hand_and_by_script() {
    let home = home();
    let script = home.path("script.txt");
    std::fs::write(&script, "4s push torso 80N 300ms left\n").expect("a file");
    let script = script.to_str().expect("a path");
    let words = [
        "--robot",
        "nao",
        "--sim",
        "--physics",
        "on",
        "--speed",
        "5",
        "--script",
        script,
    ];
    let running = home.start("nao", &words);
    running.wait_for_state(State::Running);
    let get = |key: &str| {
        let read = home.good(&["get", key]);
        read.trim().parse::<f64>().expect("a number")
    };
    let weight = || get("LFoot/FSR/TotalWeight") + get("RFoot/FSR/TotalWeight");
    until("the script has tipped it", || {
        get("InertialSensor/AccelerometerZ") > -5.0
    });
    home.good(&["sim", "lift"]);
    until("it is held upright", || {
        get("InertialSensor/AccelerometerZ") < -9.7
    });
    until("its feet are off the floor", || weight() < 0.2);
    home.good(&["sim", "drop"]);
    until("it has left the hands", || {
        weight() > 1.0 || (get("InertialSensor/AccelerometerZ") + 9.81).abs() > 1.0
    });
    home.good(&["sim", "floor", "tilt", "-3deg"]);
    home.good(&["sim", "push", "head", "1", "10ms", "up"]);
    for (args, words) in [
        (
            &["sim", "push", "torsi", "5", "100ms"][..],
            "did you mean `torso`?",
        ),
        (
            &["sim", "push", "torso", "5000N", "1s"],
            "push with at most 1000 N",
        ),
        (&["sim", "push", "torso", "5N", "0s"], "more than 0 s"),
        (&["sim", "floor", "tilt", "60deg"], "at most 45deg"),
        (&["sim", "floor", "steps", "0", "2cm", "10cm"], "1 to 16"),
        (
            &["sim", "put", "box", "30x20x10cm", "500kg", "1m"],
            "a mass from 10g to 100kg",
        ),
        (
            &["sim", "give", "LFoot/FSR/FrontLeft", "1"],
            "reads what the simulated body feels",
        ),
    ] {
        let output = home.bad(1, args);
        assert!(output.contains(words), "{args:?}: {output}");
    }
    // What has no masses floats, unless that is refused.
    let massless = home.path("massless.toml");
    std::fs::write(&massless, MASSLESS).expect("a file");
    let massless = massless.to_str().expect("a path");
    let output = home.bad(1, &["run", "--robot", massless, "--sim", "--physics", "on"]);
    assert!(
        output.contains("`arm` has no mass; fix: set `mass` in `[links.arm]`"),
        "{output}"
    );
}

/// A robot with a link that has no mass.
const MASSLESS: &str = "\
format = 1
name = \"massless\"
period = \"10ms\"
[boards]
only = { driver = \"sim\" }
[joints]
Arm = { range = [-1, 1], velocity = 3, acceleration = 30, motor = {} }
[links.foot]
mass = 1
sole = [[0.1, 0.1, 0], [0.1, -0.1, 0], [-0.1, 0, 0]]
[links.arm]
parent = \"foot\"
joint = \"Arm\"
";

/// A robot whose tip begins within its foot.
const KNOTTED: &str = "\
format = 1
name = \"knotted\"
period = \"10ms\"
[boards]
only = { driver = \"sim\" }
[joints]
Arm = { range = [-1, 1], velocity = 3, acceleration = 30, motor = {} }
Tip = { range = [-1, 1], velocity = 3, acceleration = 30, motor = {}, position = {} }
[links.foot]
mass = 5
sole = [[0.2, 0.2, 0], [0.2, -0.2, 0], [-0.2, 0, 0]]
capsules = [{ from = [0, 0, 0.05], to = [0.1, 0, 0.05], radius = 0.04 }]
[links.arm]
parent = \"foot\"
joint = \"Arm\"
mass = 0.1
capsules = [{ from = [0, 0, 0.1], to = [0, 0, 0.2], radius = 0.02 }]
[links.tip]
parent = \"arm\"
joint = \"Tip\"
mass = 0.1
capsules = [{ from = [0, 0.01, 0.05], to = [0.1, 0.01, 0.05], radius = 0.04 }]
";

#[test]
fn links_that_start_inside_each_other_are_named_and_do_not_fly_apart() {
    let home = home();
    let file = home.path("knotted.toml");
    std::fs::write(&file, KNOTTED).expect("a file");
    let file = file.to_str().expect("a path");
    let output = home.good(&["run", "--robot", file, "--sim", "--fast", "--for", "5s"]);
    let line = "physics: `foot` and `tip` start 70 mm inside each other, and do not collide; fix: correct their shapes";
    assert!(output.contains(line), "{output}");
    let page = home.path("run/knotted.page");
    let page = page.to_str().expect("a path");
    let table = home.good(&["blackbox", page, "Tip.sensor", "--csv"]);
    let positions = table
        .lines()
        .skip(1)
        .filter_map(|row| row.rsplit(',').next());
    let positions: Vec<f64> = positions
        .map(|text| text.parse().expect("a number"))
        .collect();
    assert!(positions.len() > 100, "{}", positions.len());
    assert!(positions.iter().all(|at| at.abs() < 0.1), "{table}");
}

/// What the accelerometer of a NAO reads of gravity in the end, after these acts on it, m/s².
fn upright_after(home: &Home, acts: &str, playing: &[&str]) -> f64 {
    let script = home.path("acts.txt");
    std::fs::write(&script, acts).expect("a file");
    let script = script.to_str().expect("a path");
    let words = ["run", "--robot", "nao", "--sim", "--fast", "--for", "12s"];
    let words = [&words[..], &["--script", script], playing].concat();
    home.good(&words);
    let page = home.path("run/nao.page");
    let page = page.to_str().expect("a path");
    let words = [
        "blackbox",
        page,
        "InertialSensor/AccelerometerZ",
        "--csv",
        "--last",
        "1",
    ];
    let table = home.good(&words);
    let last = table.trim().rsplit(',').next().expect("a value");
    last.parse::<f64>().expect("a number")
}

#[test]
fn the_shipped_balance_stands_on_a_slope_on_which_a_still_body_falls() {
    let home = home();
    // It rises ahead.
    let slope = "6s floor tilt 14deg\n";
    let still = upright_after(&home, slope, &[]);
    assert!(still > -5.0, "it did not fall: {still}");
    let balanced = upright_after(&home, slope, &["balance", "--no-check"]);
    assert!(balanced < -8.0, "it fell: {balanced}");
}

#[test]
fn buttons_are_pressed_joints_pushed_and_plugs_pulled_by_hand_and_by_script() {
    let home = home();
    let script = home.path("script.txt");
    let lines =
        "# what happens\n0.2s Button = 1\n0.3s Supply = 5 over 100ms\n0.2s push Elbow 0.2\n";
    std::fs::write(&script, lines).expect("a file");
    let script = script.to_str().expect("a path");
    let running = home.start("desk", &["--robot", "desk", "--sim", "--script", script]);
    running.wait_for_turn(1);
    let get = |key: &str| {
        home.good(&["get", key])
            .trim()
            .parse::<f64>()
            .expect("a number")
    };
    until("the script has pressed it", || get("Button") == 1.0);
    until("the battery is low", || (get("Supply") - 5.0).abs() < 0.05);
    home.good(&["sim", "give", "Button", "0"]);
    until("it is released", || get("Button") == 0.0);
    running.wait_for_state(State::Running);
    home.good(&["sim", "push", "Base", "1.2"]);
    until("it gives way", || get("Base.sensor").abs() > 0.02);
    home.good(&["sim", "unplug", "servos"]);
    // After five silent turns the body holds, after fifty there is a fault, as `[safety]` says.
    running.wait_for_state(State::Fault);
    assert!(home.good(&["get"]).contains("silent for"));
    home.good(&["sim", "plug", "servos"]);
    until("its board is back", || get("servos.age") == 0.0);
    home.good(&["clear"]);
    running.wait_for_state(State::Disarmed);
    std::fs::write(
        home.path("bad.txt"),
        "1s Button 1\nsoon Button = 1\n2s Buton = 1\n",
    )
    .expect("a file");
    let bad = home.path("bad.txt");
    let output = home.bad(
        1,
        &[
            "run",
            "--robot",
            "desk",
            "--sim",
            "--id",
            "x",
            "--script",
            bad.to_str().expect("a path"),
        ],
    );
    assert!(
        output.contains("line 1:")
            && output.contains("line 2:")
            && output.contains("line 3: there is no sensor `Buton`; fix: did you mean `Button`?"),
        "{output}"
    );
}

/// What happens to a body by hand happens by a script in the same words: it stops a car, and is taken away again.
#[test]
fn obstacles_are_put_and_taken_away_by_hand_and_by_script() {
    let home = home();
    let script = home.path("script.txt");
    let acts = "1s put box 10x50x30cm fixed 60cm\n1s put box 5x5x5cm 100g 20cm -30cm\n\
                2s floor steps 2 1cm 20cm 1m\n";
    std::fs::write(&script, acts).expect("a file");
    let script = script.to_str().expect("a path");
    let words = [
        "--robot", "wheels", "--sim", "--speed", "5", "--script", script,
    ];
    let running = home.start("wheels", &words);
    running.wait_for_state(State::Running);
    let get = |key: &str| {
        let read = home.good(&["get", key]);
        read.trim().parse::<f64>().expect("a number")
    };
    home.good(&["set", "Drive", "5", "--in", "1s"]);
    until("the wall stops it", || get("Bumper/Left") == 1.0);
    assert!((get("Simulation/X") - 0.445).abs() < 0.02);
    for (words, fix) in [
        (["30x20", "1kg"], "30x20x10cm"),
        (
            ["30x20x10cm", "1"],
            "expected a mass, such as 500g, or `fixed`",
        ),
    ] {
        let output = home.bad(2, &["sim", "put", "box", words[0], words[1], "1m"]);
        assert!(output.contains(fix), "{output}");
    }
    home.good(&["sim", "floor", "empty"]);
    until("it drives on", || get("Simulation/X") > 0.8);
    home.good(&["sim", "put", "box", "10x50x30cm", "fixed", "40cm"]);
    until("another wall stops it", || get("Bumper/Left") == 1.0);
    for _ in 0..15 {
        home.good(&["sim", "put", "box", "5x5x5cm", "fixed", "2m", "1m"]);
    }
    let full = home.bad(1, &["sim", "floor", "steps", "1", "2cm", "10cm"]);
    assert!(full.contains("fix: take them away"), "{full}");
}

/// From above: the soles of a NAO that stands are as long and wide as they are, and its centre of mass and of pressure
/// are between them.
#[test]
fn a_recording_is_drawn_from_above() {
    let home = home();
    let (file, picture) = (home.path("stand.mcap"), home.path("floor.svg"));
    let [file, picture] = [&file, &picture].map(|path| path.to_str().expect("a path"));
    let record = |physics: &str| {
        let mut run = vec!["run", "--robot", "nao", "--sim", "--fast", "--for", "5s"];
        run.extend(["--physics", physics, "--record", file]);
        home.good(&run);
    };
    let plot = ["plot", file, "--floor", "-o", picture];
    record("on");
    let drawn = home.good(&plot);
    assert!(drawn.contains("2 footfalls"), "{drawn}");
    let text = std::fs::read_to_string(picture).expect("a picture");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let points = |node: roxmltree::Node<'_, '_>| -> Vec<(f64, f64)> {
        let points = node.attribute("points").expect("points").split(' ');
        let pairs = points.map(|point| point.split_once(',').expect("x and y"));
        let number = |text: &str| text.parse::<f64>().expect("a number");
        pairs.map(|(x, y)| (number(x), number(y))).collect()
    };
    let extent = |points: &[(f64, f64)]| {
        let least = |list: &mut dyn Iterator<Item = f64>| list.fold(f64::INFINITY, f64::min);
        let x = least(&mut points.iter().map(|point| point.0));
        let y = least(&mut points.iter().map(|point| point.1));
        let right = -least(&mut points.iter().map(|point| -point.0));
        let bottom = -least(&mut points.iter().map(|point| -point.1));
        [x, y, right, bottom]
    };
    let is_foot = |node: &roxmltree::Node<'_, '_>| {
        node.has_tag_name("polygon") && node.children().any(|child| child.has_tag_name("title"))
    };
    let feet: Vec<_> = document.descendants().filter(is_foot).map(points).collect();
    let feet: Vec<_> = feet.iter().map(|points| extent(points)).collect();
    for [left, top, right, bottom] in &feet {
        let shape = (right - left) / (bottom - top);
        assert!((shape - 0.15 / 0.07).abs() < 0.05, "{shape}");
    }
    let (high, low) = (feet[0][1].min(feet[1][1]), feet[0][3].max(feet[1][3]));
    let tracks = document
        .descendants()
        .filter(|node| node.has_tag_name("polyline"));
    let mut count = 0;
    for [left, top, right, bottom] in tracks.map(|track| extent(&points(track))) {
        count += 1;
        assert!(left > feet[0][0] && right < feet[0][2]);
        assert!(top > high + 0.3 * (low - high) && bottom < low - 0.3 * (low - high));
    }
    assert_eq!(count, 3);
    std::fs::remove_file(file).expect("it is there");
    record("off");
    let refused = home.bad(1, &plot);
    assert!(
        refused.contains("has no place of the body; fix:"),
        "{refused}"
    );
    let refused = home.bad(1, &["plot", "today.csv", "--floor", "-o", picture]);
    assert!(refused.contains("--floor draws a recording"), "{refused}");
}

/// Somebody steadies a body until its motors have their force: obstacles that are put beside it until then change
/// nothing.
#[test]
fn a_steadied_body_stands_while_obstacles_are_put_beside_it() {
    let acts = "0s floor steps 2 2cm 10cm\n0s put box 10x10x10cm 1kg 0 50cm\n";
    let upright = upright_after(&home(), acts, &[]);
    assert!(upright < -9.0, "it fell: {upright}");
}
