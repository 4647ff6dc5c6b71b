//! `convert` and `check` with files that were made for other bodies, or for other programs' tastes.

use std::fs;
use std::path::Path;

use crate::common::home;

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn a_posture_of_another_body_is_mapped_by_the_names_of_its_outputs() {
    let home = home();
    let aibo =
        description::load(&description::RobotSource::of("aibo-ers7")).expect("it is shipped");
    let values = aibo.actuators.iter().map(|actuator| {
        if actuator.name == "NECK:pan" {
            "0.5"
        } else {
            "0"
        }
    });
    let values: Vec<_> = values.collect();
    let posture = format!(
        "#POS\ncondensed ERS-7\noutputs {}\n#END\n",
        values.join(" ")
    );
    let file = home.file("dog.pos", posture);
    let map = home.file("map.toml", "[joints]\n\"NECK:pan\" = \"HeadYaw\"\n");
    let out = home.path("out.csv");
    let words = ["convert", text(&file), text(&out), "--force", "--robot"];
    let mapped = ["nao", "--map", text(&map)];
    for (robot, joint) in [(&["aibo-ers7"][..], "NECK:pan"), (&mapped, "HeadYaw")] {
        home.good(&[&words[..], robot].concat());
        let csv = fs::read_to_string(&out).expect("a table");
        assert!(
            csv.contains(&format!("{joint},0,0.5\n")),
            "{robot:?}: {csv}"
        );
    }
    // Without a mapping nothing is left of it.
    let refused = home.bad(1, &[&words[..], &["nao"]].concat());
    assert!(
        refused.contains("nao has none of its joints; fix: choose the robot"),
        "{refused}"
    );
    let refused = home.bad(1, &["check", text(&file), "--robot", "nao"]);
    assert!(
        refused.contains("nao has none of its joints; fix: choose the robot"),
        "{refused}"
    );
    // Tekkotsu knows its dogs by their own names.
    let condensed = home.path("again.pos");
    home.good(&[
        "convert",
        text(&file),
        text(&condensed),
        "--robot",
        "aibo-ers7",
        "--condensed",
    ]);
    let written = fs::read_to_string(&condensed).expect("a posture");
    assert!(written.starts_with("#POS\ncondensed ERS-7\n"), "{written}");
}

#[test]
fn what_has_no_weight_is_not_moved_by_a_format_without_weights() {
    let home = home();
    home.file("still.pos", "#POS\nMOUTH -0.5 0\nNECK:pan 0.4\n#END\n");
    let file = home.file(
        "a.mot",
        "#MSq\nsetTime 500\nloadExplicit still.pos\ndelay 100\nMOUTH -0.1\n#END\n",
    );
    let (csv, copy) = (home.path("a.csv"), home.path("b.mot"));
    home.good(&["convert", text(&file), text(&csv), "--robot", "aibo-ers7"]);
    let table = fs::read_to_string(&csv).expect("a table");
    let rows: Vec<_> = table
        .lines()
        .skip_while(|line| !line.starts_with("actuator"))
        .skip(1)
        .collect();
    assert_eq!(rows, ["MOUTH,0.6,-0.1", "NECK:pan,0.5,0.4"], "{table}");
    home.good(&["check", text(&csv), "--robot", "aibo-ers7"]);
    // A format with weights has all outputs, but no aliases of them.
    home.good(&[
        "convert",
        text(&file),
        text(&copy),
        "--robot",
        "aibo-ers7",
        "--to",
        "mot",
    ]);
    let written = fs::read_to_string(&copy).expect("a sequence");
    assert!(
        written.contains("LFr:knee 0 0\n") && !written.contains("Legs"),
        "{written}"
    );
}

#[test]
fn places_and_parameters_are_of_no_robot() {
    let home = home();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../motion-files/samples");
    let (from, to) = (samples.join("square.wyp"), home.path("copy.wyp"));
    home.good(&["convert", text(&from), text(&to), "--robot", "nao"]);
    assert_eq!(
        fs::read(&from).expect("a file"),
        fs::read(&to).expect("a file")
    );
}

#[test]
fn sonys_joints_are_known_on_a_dog() {
    let home = home();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../motion-files/samples");
    let (from, to) = (samples.join("paw.mtn"), home.path("paw.csv"));
    home.good(&["convert", text(&from), text(&to), "--robot", "aibo-ers7"]);
    let csv = fs::read_to_string(&to).expect("a table");
    assert!(
        csv.contains("NECK:tilt,0.496") && csv.contains("LFr:elvtr,0.496"),
        "{csv}"
    );
}

/// A place that cannot be looked at costs more fuel than one that can.
#[test]
fn a_head_looks_as_near_as_it_can_within_its_fuel() {
    let home = home();
    let look = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../choreographies/look/look.wasm"
    );
    for (x, y, z) in [
        ("0.25", "0.05", "1.3"),
        ("0.2", "0", "2"),
        ("0.3", "1.2", "1.9"),
        ("0.2", "-3", "-1"),
    ] {
        let place = [("x", x), ("y", y), ("z", z)].map(|pair| format!("{}={}", pair.0, pair.1));
        let mut words = vec![
            "run",
            look,
            "--robot",
            "nao",
            "--sim",
            "--fast",
            "--for",
            "3s",
            "--no-check",
        ];
        words.extend(place.iter().flat_map(|item| ["--param", item]));
        let output = home.good(&words);
        assert!(
            output.contains("look  running") && !output.contains("out of fuel"),
            "{place:?}: {output}"
        );
    }
}

#[test]
fn a_project_that_is_read_more_freely_than_it_is_written_is_fitted() {
    let home = home();
    let project = "<ChoregrapheProject><Timeline fps=\"15\" start_frame=\"11\"><ActuatorList>\
                   <ActuatorCurve actuator=\"HeadYaw\" unit=\"0\"><Key frame=\"12\" value=\"9\"/>\
                   <Key frame=\"26\" value=\"18\"/></ActuatorCurve></ActuatorList></Timeline></ChoregrapheProject>";
    let file = home.file("cut.xar", project);
    let out = home.path("out.xar");
    let output = home.run(&["convert", text(&file), text(&out)]);
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("keys moved to whole steps"), "{printed}");
    let written = fs::read_to_string(&out).expect("a project");
    for key in ["frame=\"2\" value=\"9\"", "frame=\"16\" value=\"18\""] {
        assert!(written.contains(key), "{written}");
    }
}

/// A dance of several calls: the file says which there are, and `all` plays them one after another.
#[test]
fn all_motions_of_a_script_become_one() {
    let home = home();
    let file = home.file(
        "dance.py",
        "from naoqi import ALProxy\nmotion = ALProxy('ALMotion')\n\
         motion.angleInterpolation(['HeadYaw'], [[0.5]], [[1.0]], True)\n\
         motion.angleInterpolation(['LWristYaw'], [[0.2]], [[2.0]], True)\n\
         motion.angleInterpolation(['HeadYaw'], [[-0.5]], [[1.5]], True)\n",
    );
    let why = home.bad(1, &["check", text(&file), "--robot", "nao"]);
    assert!(why.contains("there are 3 motions in it"), "{why}");
    assert!(why.contains("`--motion all`"), "{why}");
    home.good(&["check", text(&file), "--robot", "nao", "--motion", "all"]);
    let out = home.path("dance.csv");
    home.good(&["convert", text(&file), text(&out), "--motion", "all"]);
    let csv = fs::read_to_string(out).expect("a table");
    let rows: Vec<&str> = csv
        .lines()
        .filter(|line| line.starts_with("Head"))
        .collect();
    let yaw: Vec<_> = rows
        .iter()
        .filter(|row| row.starts_with("HeadYaw"))
        .collect();
    assert_eq!(yaw.len(), 3, "{csv}");
    assert!(
        yaw[1].starts_with("HeadYaw,3,0.5") && yaw[2].starts_with("HeadYaw,4.5,-0.5"),
        "{csv}"
    );
}
