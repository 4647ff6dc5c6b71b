//! Descriptions of robots: all mistakes are reported at once with their places; layers, origins, editing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cycle::ActuatorId;
use description::{
    DerivedSpec, Problem, Problems, Robot, RobotSource, SHIPPED, load, parse, place_of, schema,
    show, write,
};
use proptest::prelude::*;

use crate::ROOT;

fn shipped(name: &str) -> String {
    fs::read_to_string(format!("{ROOT}/runtime/description/robots/{name}.toml"))
        .expect("it is shipped")
}

/// Where each problem is, and what it says.
fn told(problems: &Problems) -> Vec<String> {
    let one = |problem: &Problem| {
        let place = problem
            .spots
            .first()
            .map(|(spot, _)| place_of(&problems.layers, *spot));
        format!("{} {}", place.unwrap_or_default(), problem.sentence)
    };
    problems.list.iter().map(one).collect()
}

fn source(folder: &Path, name: &str) -> RobotSource {
    RobotSource::of(
        folder
            .join(format!("{name}.toml"))
            .to_str()
            .expect("a path"),
    )
}

const HEAD: &str = "format = 1\nname = \"test\"\n";

/// What is missing is left out wherever the base names it, and nothing else changes.
#[test]
fn a_robot_without_some_parts_keeps_the_rest_of_what_its_base_says() {
    const GONE: [&str; 5] = [
        "LWristYaw",
        "RWristYaw",
        "LHand",
        "RHand",
        "LFoot/FSR/RearLeft",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let words = "format = 1\nname = \"h21\"\nbase = \"nao\"\n[joints]\nLWristYaw = { absent = true }\n\
                 RWristYaw = { absent = true }\n[hands]\nLHand = { absent = true }\nRHand = { absent = true }\n\
                 [sensors]\n\"LFoot/FSR/RearLeft\" = { absent = true }\n";
    fs::write(folder.path().join("h21.toml"), words).expect("a file");
    let robot = load(&source(folder.path(), "h21"));
    let robot = robot.unwrap_or_else(|problems| panic!("{problems}"));
    let nao = load(&RobotSource::of("nao")).expect("it is shipped");
    let name = |of: &Robot, id: ActuatorId| of.actuators[usize::from(id.0)].name.clone();
    let stays = |text: &String| {
        let own = text.strip_suffix("Stiffness").unwrap_or(text);
        !GONE.contains(&own)
    };
    let all = nao.actuators.iter().map(|actuator| actuator.name.clone());
    let found: Vec<_> = robot
        .actuators
        .iter()
        .map(|actuator| actuator.name.clone())
        .collect();
    assert_eq!(found, all.filter(stays).collect::<Vec<_>>());
    assert_eq!(found.len() + 8, nao.actuators.len());
    // Every alias and every pose, without them.
    let members = |of: &Robot, ids: &[ActuatorId]| -> Vec<String> {
        let names = ids.iter().map(|id| name(of, *id));
        names.filter(stays).collect()
    };
    let aliases = |of: &Robot| -> Vec<(String, Vec<String>)> {
        let all = of.aliases.iter();
        let all = all.map(|(name, ids)| (name.clone(), members(of, ids)));
        all.filter(|pair| !pair.1.is_empty()).collect()
    };
    assert_eq!(aliases(&robot), aliases(&nao));
    let arm = robot
        .aliases
        .iter()
        .find(|alias| alias.0 == "LArm")
        .expect("it has an arm");
    assert_eq!(arm.1.len(), 4);
    let poses = |of: &Robot| -> Vec<(String, Vec<(String, f64)>)> {
        let pose = |ids: &[(ActuatorId, f64)]| -> Vec<(String, f64)> {
            let joints = ids.iter().map(|id| (name(of, id.0), id.1));
            joints.filter(|joint| stays(&joint.0)).collect()
        };
        of.poses
            .iter()
            .map(|pair| (pair.0.clone(), pose(&pair.1)))
            .collect()
    };
    assert_eq!(poses(&robot), poses(&nao));
    // Every link, of which those of the joints stay where they hang.
    assert_eq!(robot.links.len(), nao.links.len());
    for (link, whole) in robot.links.iter().zip(&nao.links) {
        let moved = whole.joint.map(|joint| name(&nao, joint)).filter(stays);
        assert_eq!(
            link.joint.map(|joint| name(&robot, joint)),
            moved,
            "{}",
            link.name
        );
        assert_eq!(
            (&link.name, link.parent, link.at),
            (&whole.name, whole.parent, whole.at)
        );
    }
    // The weight of a foot is the sum of what is left.
    let weight = robot.sensor("LFoot/FSR/TotalWeight").expect("a sensor");
    let weight = robot.sensors[usize::from(weight.0)].derived.as_ref();
    let Some(DerivedSpec::Sum(terms)) = weight else {
        panic!("{weight:?}");
    };
    assert_eq!(terms.len(), 3);
    // What was never there is still a mistake.
    let words = words.replace(
        "[hands]",
        "[aliases]\nMine = [\"LWristYaw\", \"LWristYawn\"]\n[hands]",
    );
    fs::write(folder.path().join("h21.toml"), words).expect("a file");
    let problems = load(&source(folder.path(), "h21")).expect_err("a name is wrong");
    assert!(
        told(&problems)[0].ends_with("there is no actuator `LWristYawn`"),
        "{:?}",
        told(&problems)
    );
}

#[test]
fn mistakes_of_computed_sensors_are_told_with_their_line_and_column() {
    let text = r#"format = 1
name = "bad"
period = "10ms"
[boards]
main = { driver = "sim" }
[sensors]
"Foot/Left" = {}
"Foot/Right" = {}
"Weight" = { sum-of = ["Foot/Left", "Foot/Right"] }
"A" = { sum-of = ["Foot/Leftt"] }
"B" = { sum-of = ["Foot/Left"], centre-of = ["Foot/Left"], places = [1] }
"C" = { centre-of = ["Foot/Left", "Foot/Right"], places = [1] }
"D" = { sum-of = ["Weight"] }
"E" = { sum-of = ["E"] }
"F" = { sum-of = ["Foot/Left", "Foot/Right"], factors = [0.5] }
"G" = { held = "Weight" }
"H" = { held = "Foot/Righ" }
"I" = { p-of = "Toe" }
"J" = { d-of = "Knee" }
[joints]
Knee = { unit = "rad", range = [-1, 1], position = {} }
"#;
    let problems = parse("bad.toml", text).expect_err("it is full of mistakes");
    assert_eq!(
        told(&problems),
        [
            "bad.toml:10:19 there is no sensor `Foot/Leftt`",
            "bad.toml:11:45 `B` is computed in two ways",
            "bad.toml:12:21 `C` comes from 2 sensors, and has 1 places",
            "bad.toml:13:19 `Weight` is computed itself",
            "bad.toml:14:19 `E` is computed itself",
            "bad.toml:15:18 `F` comes from 2 sensors, and has 1 factors",
            "bad.toml:16:16 `Weight` is computed itself",
            "bad.toml:17:16 there is no sensor `Foot/Righ`",
            "bad.toml:18:16 there is no actuator `Toe`",
            "bad.toml:19:16 `Knee` has no gains",
        ]
    );
}

#[test]
fn a_limit_of_current_weakens_the_stiffness_of_its_joint() {
    let with = |current: &str| {
        let text = format!(
            "{HEAD}[boards]\nmain = {{ driver = \"sim\" }}\n[joints.Elbow]\nunit = \"rad\"\nrange = [-1, 1]\n\
             stiffness = {{}}\ncurrent = {{ {current} }}\n"
        );
        parse("arm.toml", &text)
    };
    let robot = with("high = 1.5, limit = 2.5").expect("a sound robot");
    let elbow = robot.actuator("Elbow").expect("a joint");
    let is_of_elbow =
        |spec: &&description::ActuatorSpec| spec.kind == cycle::Kind::Stiffness { joint: elbow };
    let stiffness = robot.actuators.iter().find(is_of_elbow);
    let current = stiffness
        .and_then(|stiffness| stiffness.current)
        .expect("a limit");
    assert_eq!((current.high, current.limit), (1.5, 2.5));
    assert_eq!(
        robot.sensors[usize::from(current.sensor.0)].name,
        "ElbowCurrent"
    );
    let none = with("noise = 0.1").expect("a sound robot");
    assert!(
        none.actuators
            .iter()
            .all(|actuator| actuator.current.is_none())
    );
    for (current, mistake) in [
        ("high = 2, limit = 2", "`limit` is not above `high`"),
        ("high = 2", "`high` and `limit` need each other"),
        ("limit = 2", "`high` and `limit` need each other"),
        ("high = 0, limit = 2", "`high` is not above zero"),
    ] {
        let problems = with(current).expect_err(current);
        let told = told(&problems);
        assert!(
            told.iter().any(|item| item.contains(mistake)),
            "{current}: {told:?}"
        );
    }
}

#[test]
fn all_mistakes_of_a_file_are_told_at_once_each_with_its_line_and_column() {
    let text = r#"format = 1
name = "bad"
period = "10 parsecs"
colour = "red"
[boards]
main = { driver = "sim" }
[joints]
A = { range = [1, -1], channel = 3 }
B = { rnge = ["-90deg", "90deg"], channel = 3 }
C = { range = [-1, 1], rest = 2, board = "mian" }
D = { range = [-1, 1], velocity = "fast" }
[poses.sit]
D = 9
Z = 0
"#;
    let problems = parse("bad.toml", text).expect_err("it is full of mistakes");
    assert_eq!(
        told(&problems),
        [
            "bad.toml:3:10 `period` is not a number with a unit that fits",
            "bad.toml:4:1 there is no key `colour` here",
            "bad.toml:8:15 `range` is crossed: its lowest value is above its highest",
            "bad.toml:9:1 `B` has no range",
            "bad.toml:9:7 there is no key `rnge` here",
            "bad.toml:9:45 output 3 of the board `main` has two owners",
            "bad.toml:10:31 `C` rests at 2, which is outside its range",
            "bad.toml:10:42 there is no board `mian`",
            "bad.toml:11:35 `velocity` is not a number with a unit that fits",
            "bad.toml:13:5 `D` cannot stand at 9",
            "bad.toml:14:1 there is no actuator `Z`",
        ]
    );
    let helps: Vec<_> = problems
        .list
        .iter()
        .filter_map(|problem| problem.help.as_deref())
        .collect();
    assert!(
        helps.contains(&"did you mean `range`?") && helps.contains(&"did you mean `main`?"),
        "{helps:?}"
    );
}

#[test]
fn broken_toml_is_told_with_everything_else_that_can_still_be_read() {
    let text =
        "format = 1\nname = \"x\"\n[joints]\nA = { range = [0 1] }\nB = { rnge = [0, 1] }\nB = 3\n";
    let error = told(&parse("x", text).expect_err("it is broken"));
    assert!(
        error.iter().any(|text| text.starts_with("x:4:")),
        "{error:?}"
    );
    assert!(
        error.iter().any(|item| item.contains("no key `rnge`")),
        "{error:?}"
    );
    assert!(
        error.iter().any(|text| text.starts_with("x:6:")),
        "{error:?}"
    );
}

#[test]
fn relations_that_cannot_be_are_refused_by_name() {
    let body = "[joints]\nA = { range = [-1, 1] }\nB = { range = [-1, 1] }\n";
    let cases = [
        (
            "[[couplings]]\ndriver = \"A\"\ndriven = \"A\"\nrows = [{ at = 0, range = [0, 0] }]",
            "two couplings",
        ),
        (
            "[[couplings]]\ndriver = \"A\"\ndriven = \"B\"\nrows = []",
            "at least one row",
        ),
        (
            "[[couplings]]\ndriver = \"A\"\ndriven = \"B\"\n\
             rows = [{ at = 1, range = [0, 0] }, { at = 1, range = [0, 0] }]",
            "do not rise",
        ),
        (
            "[[couplings]]\ndriver = \"A\"\ndriven = \"B\"\nrows = [{ at = 1, range = [0, 2] }]",
            "outside that of `B`",
        ),
        (
            "[exclusive]\nx = { members = [\"A\"] }\ny = { members = [\"A\"] }",
            "two exclusive groups",
        ),
        ("[aliases]\nA = [\"B\"]", "already the name of an actuator"),
        ("[aliases]\nBoth = [\"A\", \"A\"]", "named twice"),
        ("[safety]\npose = \"nowhere\"", "no pose `nowhere`"),
        ("[links]\na = {}\nb = {}", "there is a root already"),
        (
            "[links]\na = { parent = \"b\" }\nb = { parent = \"a\" }",
            "form a ring",
        ),
        ("[links]\na = { axis = [0, 0, 0] }", "an axis of no length"),
        (
            "[links]\na = { mass = 1, inertia = { moments = [1, 1, 3] } }",
            "no body can have the inertia of `a`",
        ),
        (
            "[links]\na = { inertia = { moments = [1, 1, 1] } }",
            "`a` has an inertia and no mass",
        ),
        (
            "[links]\na = { mass = 1, wheel = { radius = 1, width = 1 } }",
            "`a` is a wheel that no joint turns",
        ),
        (
            "[sensors]\nA = {}\n\"A/Sensor/Value\" = {}",
            "two sensors answer to `A/Sensor/Value`",
        ),
        ("[sensors]\nS = { unit = \"furlongs\" }", "is too long"),
        ("[sensors]\n\"a{1..700}{1..8}\" = {}", "more than 4096"),
        ("[lights]\n\"L{A,B}\" = {}\nLA = {}", "described twice"),
        (
            "[hands.H]\nstiffness = { range = [0.5, 1] }",
            "can never make it limp",
        ),
        (
            "[hands.H]\ntemperature = { warm = 80, hot = 70 }",
            "not above `warm`",
        ),
        ("[hands.H]\ntemperature = { warm = 80 }", "need each other"),
        (
            "[hands.H]\ncalibration = { gain = 0 }",
            "cannot be inverted",
        ),
        (
            "[hands.H]\ncalibration = { gain = 7, offset = 3, whole = true }",
            "no whole count",
        ),
        ("[grants.g]\nactuators = [\"C\"]", "no actuator `C`"),
        (
            "C = { range = [-1, 1], velocity = 4, derived-acceleration = 3 }",
            "`C` needs 1.33 s to stop from its highest velocity",
        ),
    ];
    for (text, wanted) in cases {
        let text = format!("{HEAD}{body}{text}\n");
        let error = told(&parse("x", &text).expect_err(wanted));
        assert!(
            error.iter().any(|item| item.contains(wanted)),
            "{wanted}: {error:?}"
        );
    }
}

#[test]
fn channels_are_given_to_those_who_ask_and_then_to_the_others() {
    let text = format!(
        "{HEAD}[lights]\nA = {{}}\nB = {{ channel = 0 }}\n\"C{{1..3}}\" = {{ channel = 4 }}\nD = {{}}\n"
    );
    let robot = parse("x", &text).expect("it is sound");
    let channels: Vec<_> = robot
        .actuators
        .iter()
        .map(|actuator| (actuator.name.as_str(), actuator.channel))
        .collect();
    assert_eq!(
        channels,
        [
            ("A", 1),
            ("B", 0),
            ("C1", 4),
            ("C2", 5),
            ("C3", 6),
            ("D", 2)
        ]
    );
}

#[test]
fn later_layers_win_key_by_key_and_every_value_tells_where_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    put(
        "mine.toml",
        "format = 1\nname = \"mine\"\nbase = \"desk\"\n[joints.Base]\nvelocity = 1\n",
    );
    put(
        "mine.body.toml",
        "[joints.Base]\nvelocity = 2\nacceleration = 20\n",
    );
    put("mine.local.toml", "[joints.Base]\nacceleration = 30\n");
    let source = source(folder.path(), "mine");
    let robot = load(&source).expect("it is sound");
    let base = &robot.actuators[usize::from(robot.actuator("Base").expect("it is the desk's").0)];
    assert_eq!(
        (robot.name.as_str(), base.velocity, base.acceleration),
        ("mine", 2.0, 30.0)
    );
    assert_eq!(base.channel, 0, "what no layer says anew is the base's");
    let shown = show(&source).expect("it is sound");
    let origin = |key: &str| {
        let value = shown
            .iter()
            .find(|item| item.key == key)
            .unwrap_or_else(|| panic!("{key}"));
        value
            .origin
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(origin("joints.Base.velocity"), "mine.body.toml:2:12");
    assert_eq!(origin("joints.Base.acceleration"), "mine.local.toml:2:16");
    assert!(origin("joints.Base.range").starts_with("desk (shipped):"));
    put("mine.local.toml", "[joints.Bas]\nacceleration = 30\n");
    let error = told(&load(&source).expect_err("a joint without a range"));
    assert!(
        error[0].contains("mine.local.toml:1:9 `Bas` has no range"),
        "{error:?}"
    );
}

#[test]
fn bases_that_stand_on_each_other_in_a_ring_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "format = 1\nname = \"a\"\nbase = \"./a.toml\"\n";
    fs::write(folder.path().join("a.toml"), text).expect("a file");
    let problems = load(&source(folder.path(), "a")).expect_err("it never ends");
    assert!(
        problems.to_string().contains("build on each other"),
        "{problems}"
    );
}

#[test]
fn a_base_that_is_not_there_is_told_where_it_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for base in ["naoo", "./gone.toml"] {
        let text = format!("format = 1\nname = \"a\"\nbase = \"{base}\"\n");
        fs::write(folder.path().join("a.toml"), &text).expect("a file");
        let problems = load(&source(folder.path(), "a")).expect_err("it is not there");
        let (spot, _) = &problems.list[0].spots[0];
        let shown = &problems.layers[spot.layer].text[spot.from..spot.to];
        assert_eq!(shown, format!("\"{base}\""), "{problems}");
    }
}

#[test]
fn a_calibration_is_written_back_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(
        folder.path().join("mine.toml"),
        "format = 1\nname = \"mine\"\nbase = \"desk\"\n",
    )
    .expect("a file");
    let local = folder.path().join("mine.local.toml");
    let before = "# mine, do not touch\n[joints.Base]\nvelocity = 3 # slow\n";
    fs::write(&local, before).expect("a file");
    let source = source(folder.path(), "mine");
    let key = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
    let offset = key("joints.Base.calibration.offset");
    write(&source, &[(offset.clone(), "-3.1".to_owned())]).expect("it is sound");
    let robot = load(&source).expect("it is sound");
    assert_eq!(robot.actuators[0].calibration.offset, -3.1);
    let text = fs::read_to_string(&local).expect("a file");
    assert!(
        text.contains("# mine, do not touch") && text.contains("velocity = 3 # slow"),
        "{text}"
    );
    for (key, value) in [
        (key("joints.Base.range"), "[3, -3]"),
        (key("joints.Nobody.rest"), "0.5"),
        (key("joints.Base.velocity.x"), "1"),
        (key("joints..x"), "1"),
        (offset.clone(), "not a value"),
    ] {
        write(&source, &[(key.clone(), value.to_owned())]).expect_err("it would not load");
        assert_eq!(fs::read_to_string(&local).expect("a file"), text, "{key:?}");
    }
    let files = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files, 2, "no draft stays behind");
    write(&source, &[(offset, String::new())]).expect("an empty value takes it away");
    assert_eq!(
        load(&source).expect("it is sound").actuators[0]
            .calibration
            .offset,
        -std::f64::consts::PI
    );
}

#[test]
fn the_schema_holds_for_every_shipped_robot_and_refuses_what_the_reader_refuses() {
    let schema = jsonschema::validator_for(&schema()).expect("a schema");
    let as_json = |text: &str| {
        serde_json::to_value(text.parse::<toml::Table>().expect("TOML")).expect("JSON")
    };
    for name in SHIPPED {
        let value = as_json(&shipped(name));
        let errors: Vec<_> = schema
            .iter_errors(&value)
            .map(|iter_error| iter_error.to_string())
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
    for bad in [
        "colour = 1",
        "period = -1",
        "name = 3",
        "[joints]\nA = 3",
        "[joints.A]\nrange = [1]",
        "[boards]\nb = {}",
    ] {
        let text = if bad.starts_with("name") {
            format!("format = 1\n{bad}\n")
        } else {
            format!("{HEAD}{bad}\n")
        };
        assert!(!schema.is_valid(&as_json(&text)), "{bad}");
        parse("x", &text).expect_err(bad);
    }
}

/// Promise 15: every single mistake in a description is reported with its file and line. A tenth of all mistakes; with
/// `PROMISES=full` all of them.
#[test]
fn every_single_mistake_in_a_shipped_robot_is_told_where_it_was_made() {
    let (mut tried, mut harmless) = (0, BTreeSet::new());
    for name in SHIPPED {
        let text = shipped(name);
        let lines: Vec<_> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            for (kind, broken) in breaks(line) {
                tried += 1;
                if tests::effort() == 1 && tried % 10 != 0 {
                    continue;
                }
                let mut lines = lines.clone();
                lines[number] = &broken;
                let Err(problems) = parse(name, &lines.join("\n")) else {
                    harmless.insert(kind);
                    assert!(
                        kind == "a name of its own",
                        "{name}:{}: {kind}: {broken}",
                        number + 1
                    );
                    continue;
                };
                let here = format!("{name}:{}:", number + 1);
                let told = told(&problems);
                assert!(
                    kind == "a name of its own" || told.iter().any(|text| text.starts_with(&here)),
                    "{here} {kind}: {broken}\n{told:#?}"
                );
            }
        }
    }
    println!("{tried} single mistakes, each told with its line; harmless: {harmless:?}");
    assert!(tried >= 2_000);
}

/// Ways to break one line, each by a single mistake.
fn breaks(line: &str) -> Vec<(&'static str, String)> {
    let mut breaks = Vec::new();
    let code = line.split('#').next().unwrap_or_default();
    if code.trim().is_empty() {
        return breaks;
    }
    let known = [
        "range", "velocity", "rest", "board", "motor", "torque", "levels", "position", "driver",
        "parent", "origin", "axis", "mass", "centre", "capsules", "radius", "noise", "channel",
        "period", "format", "about", "unit",
    ];
    for key in known {
        let written = format!("{key} = ");
        let at_start = line.starts_with(&written);
        if at_start || line.contains(&format!(" {written}")) {
            breaks.push((
                "a key that is unknown",
                line.replacen(&written, &format!("{key}x = "), 1),
            ));
            let after = line.split(&written).nth(1).unwrap_or_default();
            // A date fits nowhere.
            let value = after.split([',', '}']).next().unwrap_or_default().trim();
            if !value.starts_with(['[', '{']) && !value.is_empty() {
                let broken = line.replacen(
                    &format!("{written}{value}"),
                    &format!("{written}2026-01-01"),
                    1,
                );
                breaks.push(("a value of the wrong type", broken));
            }
        }
    }
    for (from, to, kind) in [
        (" = ", " ", "no equals sign"),
        ("\"sim\"", "\"simm\"", "a word that is unknown"),
        ("deg\"", "dgr\"", "a unit that is unknown"),
        ("{ range = [", "{ range = [1e9, ", "a list of three"),
        ("torque = ", "torque = -", "below zero"),
        ("velocity = ", "velocity = -", "below zero"),
        ("mass = ", "mass = nan#", "not a number"),
        ("noise = ", "noise = inf#", "not finite"),
        ("radius = ", "radius = -", "below zero"),
        ("board = \"", "board = \"x", "a board that is unknown"),
        ("parent = \"", "parent = \"x", "a link that is unknown"),
        ("joint = \"", "joint = \"x", "a joint that is unknown"),
        ("format = 1", "format = 2", "another format"),
    ] {
        let in_figure =
            !code.contains(from) || (kind == "a unit that is unknown" && code.contains("Deg\""));
        let in_quoted = to.starts_with("velocity = -") && code.contains("velocity = \"");
        let in_table = to.ends_with('#') && code.contains('{');
        if !(in_figure || in_quoted || in_table) {
            breaks.push((kind, line.replacen(from, to, 1)));
        }
    }
    breaks
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if tests::effort() == 1 { 100 } else { 400 }))]

    #[test]
    fn any_text_is_a_robot_or_a_list_of_problems(text in "\\PC{0,200}") {
        let _ = parse("any", &text).map_err(|problems| problems.to_string());
    }

    #[test]
    fn any_piece_of_a_robot_with_any_bytes_in_it_never_panics(
        robot in 0..SHIPPED.len(),
        from in 0.0..1.0f64,
        length in 0..200usize,
        put in "[\\[\\]{}=\"'.,0-9a-z\\n #-]{0,30}",
    ) {
        let text = shipped(SHIPPED[robot]);
        let from = text.floor_char_boundary((from * text.len() as f64) as usize);
        let to = text.floor_char_boundary((from + length).min(text.len()));
        let broken = format!("{}{put}{}", &text[..from], &text[to..]);
        if let Err(problems) = parse("any", &broken) {
            prop_assert!(!problems.list.is_empty());
            for problem in &problems.list {
                for (spot, _) in &problem.spots {
                    prop_assert!(spot.from <= spot.to && spot.to <= broken.len());
                    prop_assert!(broken.is_char_boundary(spot.from) && broken.is_char_boundary(spot.to));
                }
            }
        }
    }
}

/// What a board's driver cannot do is refused with its place, before anything is opened.
#[test]
fn wires_that_could_not_work_are_told_where_they_are_written() {
    let with = |more: &str| {
        let text = format!("{HEAD}{more}\n");
        let problems = parse("x", &text).expect_err(more);
        told(&problems).join("\n")
    };
    let servo = "[boards]\nb = { driver = \"servo\", spi = \"/dev/spidev0.0\" }\n";
    let lines = "[boards]\nb = { driver = \"lines\" }\n";
    let lola = "[boards]\nb = { driver = \"lola\" }\n";
    let mut others = Vec::new();
    for (text, said) in [
        (
            "[boards]\nb = { driver = \"servo\" }",
            "x:4:1 the board `b` has no bus",
        ),
        (
            "[boards]\nb = { driver = \"servo\", spi = \"a\", socket = \"c\" }",
            "x:4:1 the board `b` has two buses",
        ),
        (
            "[boards]\nb = { driver = \"servo\", socket = \"c\", delay = 5 }",
            "x:4:47 `delay` is for a board at SPI, and `b` is a process at a socket",
        ),
        (
            "[boards]\nb = { driver = \"lines\", speed = 1_000_000 }",
            "x:4:33 the driver `lines` has no key `speed`",
        ),
        (
            "[boards]\na = { driver = \"servo\", spi = \"s\" }\nb = { driver = \"mcp3008\", spi = \"s\" }",
            "x:5:1 two boards are on s",
        ),
        (
            &format!("{servo}[joints]\nA = {{ range = [-1, 1] }}"),
            "`A` would be sent as -1.0 to 1.0: a servo board's words are 0 to 65535",
        ),
        (
            &format!(
                "{servo}[joints]\nA = {{ range = [0, 1], gains = {{ p = 0.5, channels = [1, 2, 3] }}, \
                 calibration = {{ gain = 0.001 }} }}"
            ),
            "a gain of `A` is 0.5",
        ),
        (
            &format!(
                "{servo}[lights]\nL = {{ channel = 2, levels = 2 }}\n[joints]\nA = {{ range = [0, 1], \
                      gains = {{ p = 5, channels = [1, 2, 3] }}, calibration = {{ gain = 0.001 }} }}"
            ),
            "output 2 of the board `b` has two owners",
        ),
        (&format!("{lines}[lights]\nL = {{}}"), "`L` has no line"),
        (
            &format!("{servo}[lights]\nL = {{ levels = 2, dither = true }}"),
            "`L` cannot be dithered",
        ),
        (
            &format!("{lines}[joints]\nA = {{ range = [0, 1], port = \"X\" }}"),
            "`A` cannot be driven by a line",
        ),
        (
            &format!(
                "{lines}[sensors]\nD = {{ port = \"ECHO\", trigger = \"Pong\" }}\n\
                 [triggers]\nPing = {{ range = [0, 1], port = \"T\" }}"
            ),
            "there is no actuator `Pong`",
        ),
        (
            "[boards]\nb = { driver = \"lines\", every = 2 }\n[triggers]\nPing = { range = [0, 1], port = \"T\" }",
            "`Ping` would be missed",
        ),
        (
            "[boards]\nb = { driver = \"tlc59711\", spi = \"s\" }\n[lights]\nL = { channel = 12 }",
            "`L` is at 12, and its board has 12 outputs",
        ),
        (
            "[boards]\nb = { driver = \"tlc59711\", spi = \"s\" }\n[joints]\nA = { range = [0, 1] }",
            "`A` would stay powered for ever",
        ),
        (
            &format!("{lola}[joints]\nNeck = {{ range = [0, 1] }}"),
            "the field `Position/Neck`, which LoLA does not have",
        ),
        (
            &format!("{lola}[lights]\nL = {{ port = \"Position/HeadYaw\" }}"),
            "`L` cannot be LoLA's `Position/HeadYaw`",
        ),
        (
            "[boards]\nb = { driver = \"servo\", spi = \"s\", speed = 10_000, outputs = 99 }\n\
             [lights]\nL = { levels = 2 }",
            "a transfer of `b` takes longer than the time from one to the next",
        ),
        (
            "[boards]\na = { driver = \"servo\", spi = \"spidev0.0\" }\n\
             b = { driver = \"apa102\", spi = \"spidev0.1\", chained = 500, period = \"50ms\" }\n\
             [lights]\nL = { board = \"a\", levels = 2 }",
            "the transfers of a turn take",
        ),
    ] {
        let told = with(text);
        if !told.contains(said) {
            others.push(format!("{text}\n  is not told `{said}` but\n  {told}"));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// The order of the lights of a NAO V6 in LoLA, on which public decoders agree.
#[test]
fn lights_of_a_v6_have_the_places_that_its_packets_give_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let robot = load(&RobotSource {
        file: None,
        name: "nao-v6".to_owned(),
        over: vec![folder.path().join("none.toml")],
    });
    let robot = robot.expect("it is sound");
    let port = |name: &str| {
        let id = robot.actuator(name).unwrap_or_else(|| panic!("{name}"));
        let port = robot.actuators[usize::from(id.0)].port.as_ref();
        port.expect("a port").name.clone()
    };
    for (colour, first) in [("Red", 0), ("Green", 8), ("Blue", 16)] {
        for (number, angle) in [45, 0, 315, 270, 225, 180, 135, 90].iter().enumerate() {
            let name = format!("Face/Led/{colour}/Left/{angle}Deg");
            assert_eq!(port(&name), format!("LEye/{}", first + number));
            let name = format!("Face/Led/{colour}/Right/{}Deg", 45 * number);
            assert_eq!(port(&name), format!("REye/{}", first + number));
        }
    }
    for (number, angle) in (0..360).step_by(36).enumerate() {
        let ear = |side: &str, angle: usize| port(&format!("Ears/Led/{side}/{angle}Deg"));
        assert_eq!(ear("Left", angle), format!("LEar/{number}"));
        assert_eq!(ear("Right", 324 - angle), format!("REar/{number}"));
    }
    let skull = "FL1 FL0 ML0 RL0 RL1 RL2 RR2 RR1 RR0 MR0 FR0 FR1";
    for (number, word) in skull.split(' ').enumerate() {
        let [row, side, place] = [0, 1, 2].map(|i| &word[i..=i]);
        let row = ["Front", "Middle", "Rear"]
            .into_iter()
            .find(|text| text.starts_with(row));
        let side = if side == "L" { "Left" } else { "Right" };
        let name = format!("Head/Led/{}/{side}/{place}", row.expect("a row"));
        assert_eq!(port(&name), format!("Skull/{number}"));
    }
}
