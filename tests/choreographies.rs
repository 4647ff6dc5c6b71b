//! The choreographies in this repository: built components beside their sources, and what they do.
//!
//! Each is played on the simulated NAO in virtual time, in both forms, and what was sent is compared with a table that
//! a person can read. With `REBUILT=FOLDER` the components in that folder are played instead of the committed ones:
//! another compiler's code must move the body in the same way. `UPDATE_EXPECT=1` rewrites the tables and the manifest;
//! `choreographies/rebuild.sh` does all of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use description::{Robot, RobotSource, load};
use drivers::sim::SimEvent;
use guests::{CodeForm, digest};
use tests::play::{NAO, Played, play};
use tests::rig::FORMS;

use crate::ROOT;

fn path(words: &str) -> PathBuf {
    Path::new(ROOT).join(words)
}

fn accepts() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// A component: the committed one, or the rebuilt.
fn component(name: &str) -> Vec<u8> {
    let path = match std::env::var_os("REBUILT") {
        Some(folder) => PathBuf::from(folder).join(format!("{name}.wasm")),
        None => committed(name),
    };
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn committed(name: &str) -> PathBuf {
    path(&format!("choreographies/{name}/{name}.wasm"))
}

/// Plays it in both forms, and compares what was sent with its table.
fn golden(name: &str, turns: u64, events: &[(f64, SimEvent)]) -> Played {
    golden_on(&NAO, name, turns, events)
}

fn golden_on(robot: &Arc<Robot>, name: &str, turns: u64, events: &[(f64, SimEvent)]) -> Played {
    let [inplace, calls] = FORMS.map(|form| {
        let played = play(robot, &component(name), form, turns, events);
        played.unwrap_or_else(|error| panic!("{name}, {}: {error}", form.name()))
    });
    assert_eq!(
        inplace.table, calls.table,
        "{name}: one form moves otherwise"
    );
    let path = path(&format!("choreographies/{name}/motion.txt"));
    if accepts() {
        std::fs::write(&path, &inplace.table).expect("a file");
    }
    let expected = std::fs::read_to_string(&path).expect("a table");
    if expected != inplace.table {
        let rows = expected.lines().zip(inplace.table.lines());
        let first = rows.clone().find(|row| row.0 != row.1);
        let (wanted, found) = first.unwrap_or(("", "it is longer or shorter"));
        let head = expected.lines().next().unwrap_or("");
        panic!(
            "{name} moves otherwise than {}:\n{head}\n{wanted}\n{found}",
            path.display()
        );
    }
    assert_eq!(
        inplace.guest.clipped, 0,
        "{name} asks for what the body cannot do"
    );
    assert_eq!(inplace.guest.late, 0, "{name} is late");
    assert_eq!(inplace.guest.refused, 0, "{name} asks for what is refused");
    assert!(!inplace.guest.fault, "{name}: {}", inplace.guest.details);
    within_its_budget(name, &inplace);
    inplace
}

/// A hook's most expensive call stays within the budget of `fuel.txt`, and that within what the guest asks for.
fn within_its_budget(name: &str, played: &Played) {
    let text = std::fs::read_to_string(path("choreographies/fuel.txt")).expect("a table");
    let row = text
        .lines()
        .find(|line| line.split_whitespace().next() == Some(name));
    let row = row.unwrap_or_else(|| panic!("{name} has no row in choreographies/fuel.txt"));
    let budget: Vec<u64> = row
        .split_whitespace()
        .skip(1)
        .filter_map(|word| word.parse().ok())
        .collect();
    let [budget] = budget[..] else {
        panic!("choreographies/fuel.txt: {row}");
    };
    assert!(
        budget <= played.guest.fuel,
        "{name} asks for less than its budget"
    );
    for (hook, used) in &played.guest.hooks {
        let most = used.most;
        // `start` is called outside the turn, and has a hundred times as much.
        let allowed = if hook == "start" {
            100 * budget
        } else {
            budget
        };
        assert!(
            most <= allowed,
            "{name}: `{hook}` used {most}, and its budget is {allowed}"
        );
    }
    if std::env::var_os("SHOW_FUEL").is_some() {
        println!("fuel {name}: {:?}", played.guest.hooks);
    }
}

fn give(name: &str, value: f64) -> SimEvent {
    let sensor = NAO.sensor(name).expect("a sensor");
    let sensor = usize::from(sensor.0);
    SimEvent::Give { sensor, value }
}

fn names() -> Vec<String> {
    let folder = std::fs::read_dir(path("choreographies")).expect("a folder");
    let entries = folder.map(|folder| folder.expect("an entry"));
    let crates = entries.filter(|entry| entry.path().join("Cargo.toml").is_file());
    let mut names: Vec<_> = crates
        .map(|path| path.file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

/// All sources of a component: its own, and those of the SDK that are not only for tests.
fn sources(name: &str) -> String {
    let mut files = vec![path("guest-sdk/rust/Cargo.toml")];
    let mut folders = vec![
        path("guest-sdk/rust/src"),
        path(&format!("choreographies/{name}")),
    ];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let ending = path.extension().unwrap_or_default();
            if path.is_dir() && !path.ends_with("rehearsal") {
                folders.push(path);
            } else if ending == "rs" || ending == "toml" {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut all = String::new();
    for file in files {
        let name = file.strip_prefix(ROOT).expect("below the root");
        let text = std::fs::read(&file).expect("a file");
        all += &format!("{} {}\n", name.display(), digest(&text));
    }
    digest(all.as_bytes())
}

#[test]
fn the_loop_and_the_server_name_a_component_by_the_same_digest() {
    for bytes in [&b""[..], b"a", &component("wave")] {
        assert_eq!(guests::digest(bytes), network::hex::digest(bytes));
    }
}

#[test]
fn no_source_has_changed_without_its_component() {
    let manifest = path("choreographies/manifest.txt");
    let lines = names().into_iter().map(|name| {
        let built = digest(&std::fs::read(committed(&name)).expect("a component"));
        format!(
            "{name}\n  source    {}\n  component {built}\n",
            sources(&name)
        )
    });
    let now: String = lines.collect();
    if accepts() {
        std::fs::write(&manifest, &now).expect("a file");
    }
    let then = std::fs::read_to_string(&manifest).expect("a manifest");
    assert!(
        now == then,
        "a choreography or the SDK has changed; fix: run choreographies/rebuild.sh, and look at what it \
         changes\n{now}"
    );
}

#[test]
fn every_choreography_is_small_and_needs_nothing_but_the_contract() {
    for name in names() {
        let bytes = component(&name);
        assert!(bytes.len() < 66_000, "{name} has {} bytes", bytes.len());
        let checked = guests::check(&bytes, guests::WasiGrant::default());
        let checked = checked.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(checked.manifest.name.as_deref(), Some(&*name));
        assert!(checked.manifest.about.is_some() && checked.manifest.version.is_some());
    }
    // Each of them has a test below.
    let all = [
        "balance",
        "blink",
        "breathe",
        "dance",
        "emergency-stop",
        "greet",
        "keyframes",
        "light-show",
        "look",
        "mirror-arm",
        "pose",
        "power",
        "power-up",
        "reach",
        "remote-control",
        "stand-up",
        "sway",
        "tail-wag",
        "teach",
        "wave",
    ];
    assert_eq!(names(), all);
}

#[test]
fn wave() {
    let played = golden("wave", 3_000, &[]);
    assert_eq!(played.guest.end, "finished");
}

#[test]
fn blink() {
    golden("blink", 2_000, &[]);
}

#[test]
fn breathe() {
    golden("breathe", 1_500, &[]);
}

#[test]
fn stand_up() {
    let played = golden("stand-up", 3_000, &[]);
    assert_eq!(played.guest.end, "finished");
}

#[test]
fn greet() {
    let touch = "Head/Touch/Front";
    let events = [(1.0, give(touch, 1.0)), (1.3, give(touch, 0.0))];
    golden("greet", 1_500, &events);
}

#[test]
fn balance() {
    let lean = "InertialSensor/AngleY";
    let events = [(1.0, give(lean, 0.08)), (3.0, give(lean, 0.0))];
    golden("balance", 600, &events);
}

/// A NAO on which these two may have priorities above all others.
fn trusting_nao() -> Arc<Robot> {
    let words =
        "format = 1\nname = \"trusting\"\nbase = \"nao\"\n[grants.default]\npriority = 110\n";
    of_text(words)
}

fn of_text(words: &str) -> Arc<Robot> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("robot.toml");
    std::fs::write(&file, words).expect("a file");
    let robot = load(&RobotSource::of(file.to_str().expect("a path")));
    Arc::new(robot.unwrap_or_else(|problems| panic!("{problems}")))
}

#[test]
fn emergency_stop() {
    let button = "ChestBoard/Button";
    let taps = [0.5, 0.8, 3.0, 3.3];
    let events: Vec<_> = taps
        .iter()
        .flat_map(|at| [(*at, give(button, 1.0)), (at + 0.1, give(button, 0.0))])
        .collect();
    golden_on(&trusting_nao(), "emergency-stop", 500, &events);
}

#[test]
fn power_up() {
    let played = golden_on(&trusting_nao(), "power-up", 500, &[]);
    assert_eq!(played.guest.end, "finished");
}

#[test]
fn power() {
    golden("power", 100, &[]);
}

#[test]
fn pose() {
    let played = golden("pose", 2_000, &[]);
    assert_eq!(played.guest.end, "finished");
}

#[test]
fn keyframes() {
    let played = golden("keyframes", 2_000, &[]);
    assert_eq!(played.guest.end, "finished");
}

#[test]
fn teach() {
    let [front, rear] = ["Head/Touch/Front", "Head/Touch/Rear"];
    let elbow = NAO.actuator("RElbowRoll").expect("a joint");
    let push = |torque| SimEvent::Push {
        actuator: usize::from(elbow.0),
        torque,
    };
    let events = [
        (0.5, give(front, 1.0)),
        (0.6, give(front, 0.0)),
        (1.0, push(0.2)),
        (2.0, push(0.0)),
        (3.0, give(front, 1.0)),
        (3.1, give(front, 0.0)),
        (4.0, give(rear, 1.0)),
        (4.1, give(rear, 0.0)),
    ];
    golden("teach", 1_000, &events);
}

#[test]
fn mirror_arm() {
    let touch = "Head/Touch/Front";
    let events = [(0.5, give(touch, 1.0)), (0.6, give(touch, 0.0))];
    golden("mirror-arm", 500, &events);
}

#[test]
fn light_show() {
    let played = golden("light-show", 3_000, &[]);
    assert_eq!(played.guest.end, "finished");
}

#[test]
fn sway() {
    golden("sway", 1_000, &[]);
}

#[test]
fn tail_wag() {
    let aibo = Arc::new(load(&RobotSource::of("aibo-ers7")).expect("it is shipped"));
    golden_on(&aibo, "tail-wag", 500, &[]);
}

#[test]
fn remote_control() {
    golden("remote-control", 200, &[]);
}

#[test]
fn look() {
    golden("look", 500, &[]);
}

#[test]
fn reach() {
    let touch = "Head/Touch/Front";
    let events = [(0.5, give(touch, 1.0)), (0.7, give(touch, 0.0))];
    golden("reach", 1_000, &events);
}

#[test]
fn dance() {
    let played = golden("dance", 7_000, &[]);
    assert_eq!(played.guest.end, "finished");
    let seconds = played.turns as f64 * NAO.settings.period.seconds();
    assert!((55.0..70.0).contains(&seconds), "{seconds}");
}

/// If two of them drive the same joint, the one with the higher priority does.
#[test]
fn the_form_of_a_score_is_always_calls() {
    let played = play(&NAO, &component("stand-up"), CodeForm::InPlace, 10, &[]);
    assert_eq!(played.expect("a score").guest.form, "calls");
}

/// The bytes made for one model move another: its aliases say which joint is meant, and what it has not is left out.
#[test]
fn a_wave_made_for_a_nao_is_played_by_an_arm_whose_aliases_name_its_joints() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("arm.toml");
    let words = "format = 1\nname = \"arm\"\nbase = \"desk\"\n[joints]\nBase = { aliases = [\"HeadYaw\"] }\n\
                 Shoulder = { aliases = [\"RShoulderPitch\"] }\nElbow = { aliases = [\"RElbowRoll\"] }\n";
    std::fs::write(&file, words).expect("a file");
    let robot = load(&RobotSource::of(file.to_str().expect("a path")));
    let robot = Arc::new(robot.unwrap_or_else(|problems| panic!("{problems}")));
    for form in FORMS {
        let played = play(&robot, &component("wave"), form, 3_000, &[]);
        let played = played.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(played.guest.end, "finished");
        assert_eq!(played.guest.clipped, 0);
        let left_out = |text: &String| text.contains("no actuator `RShoulderRoll`");
        assert!(played.said.iter().any(left_out), "{:?}", played.said);
        let mut lines = played
            .table
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>());
        let head = lines.next().expect("a head");
        let rows: Vec<_> = lines.collect();
        for (joint, value) in [
            ("Base", -0.25),
            ("Shoulder", -1.3),
            ("Elbow", 0.2),
            ("Elbow", 0.7),
        ] {
            let column = head
                .iter()
                .position(|item| *item == joint)
                .expect("it moved");
            let there = |row: &Vec<&str>| {
                let found: f64 = row[column].parse().expect("a number");
                (found - value).abs() < 0.05
            };
            assert!(
                rows.iter().any(there),
                "{joint} was never at {value}\n{}",
                played.table
            );
        }
    }
}

/// A NAO without wrists and hands waves all the same: what it has not is left out.
#[test]
fn a_nao_without_wrists_and_hands_waves() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("h21.toml");
    let words = "format = 1\nname = \"h21\"\nbase = \"nao\"\n[joints]\nLWristYaw = { absent = true }\n\
                 RWristYaw = { absent = true }\n[hands]\nLHand = { absent = true }\nRHand = { absent = true }\n";
    std::fs::write(&file, words).expect("a file");
    let robot = load(&RobotSource::of(file.to_str().expect("a path")));
    let robot = Arc::new(robot.unwrap_or_else(|problems| panic!("{problems}")));
    for form in FORMS {
        let played = play(&robot, &component("wave"), form, 3_000, &[]);
        let played = played.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(played.guest.end, "finished");
        let left_out = |text: &String| text.contains("no actuator `RWristYaw`");
        assert!(played.said.iter().any(left_out), "{:?}", played.said);
        let head = played.table.lines().next().expect("a head");
        assert!(
            head.contains("RElbowRoll") && !head.contains("RWristYaw"),
            "{head}"
        );
    }
}
