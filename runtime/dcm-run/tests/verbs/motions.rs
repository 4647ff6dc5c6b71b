//! Files of motions: played, checked, compiled and converted as they are. What a body was sent is compared with what a
//! plain reader of the same file says.

use std::fs;
use std::path::{Path, PathBuf};

use recording::Recording;
use serde_json::Value;
use tests::process::Home;

use crate::common::home;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../motion-files/samples")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path")
}

/// The instant of a pose, and the value of each joint, if it has one.
type Pose = (u64, Vec<Option<f64>>);

/// A motion of Webots for joints of a NAO, from a seed: instants in ms, and a value of each joint or none.
fn webots(seed: u64, joints: &[&str]) -> (String, Vec<Pose>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut file = format!("#WEBOTS_MOTION,V1.0,{}\r\n", joints.join(","));
    let (mut at, mut rows) = (0, Vec::new());
    for place in 0..12 {
        let values: Vec<Option<f64>> = joints
            .iter()
            .map(|_| {
                let is_there = place == 0 || random.u8(..4) > 0;
                is_there.then(|| (random.f64() - 0.5) * 0.2)
            })
            .collect();
        let (minutes, seconds, ms) = (at / 60_000, at / 1000 % 60, at % 1000);
        file += &format!("{minutes:02}:{seconds:02}:{ms:03},Pose{place}");
        for value in &values {
            file += &value.map_or(",*".to_owned(), |value| format!(",{value}"));
        }
        file += "\r\n";
        rows.push((at, values));
        at += 20 * random.u64(5..30);
    }
    (file, rows)
}

/// Where Webots has a joint at an instant, ms: on lines between two poses that both have a value; elsewhere it stays.
fn value(rows: &[(u64, Vec<Option<f64>>)], joint: usize, at: f64) -> f64 {
    let mut value = rows[0].1[joint].expect("a first value");
    for pair in rows.windows(2) {
        let [(t0, from), (t1, to)] = pair else {
            break;
        };
        let (t0, t1) = (*t0 as f64, *t1 as f64);
        if let (Some(v0), Some(v1)) = (from[joint], to[joint])
            && at >= t0
        {
            value = v0 + (v1 - v0) * ((at - t0) / (t1 - t0)).min(1.0);
        }
    }
    let last = rows.last().filter(|row| at >= row.0 as f64);
    last.and_then(|pair| pair.1[joint]).unwrap_or(value)
}

/// What the joints were commanded, by the robot's time in ms, from a recording.
fn commanded(path: &Path, joints: &[&str]) -> Vec<(f64, Vec<f64>)> {
    let recording = Recording::open(path).expect("a recording");
    let rows: Vec<usize> = joints
        .iter()
        .map(|joint| {
            let all = recording.robot.actuators.iter();
            all.map(|value| value.name.as_str())
                .position(|name| name == *joint)
                .expect("a joint")
        })
        .collect();
    let turns = recording.each_turn().map(|value| {
        let values = rows.iter().map(|row| value.turn.commanded[*row]).collect();
        (value.turn.now as f64 / 1e6, values)
    });
    turns.collect()
}

#[test]
fn every_sample_comes_back_as_it_was() {
    let home = home();
    for entry in fs::read_dir(samples()).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let out = home.path(name.to_str().expect("a name"));
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        let format = match (is_json, path.file_stem().and_then(|stem| stem.to_str())) {
            (true, Some("wink")) => Some("reachy"),
            (true, Some("sit")) => Some("hulks"),
            (true, Some("doors")) => Some("bottango"),
            _ => None,
        };
        let mut words = vec!["convert", text(&path), text(&out)];
        words.extend(format.iter().flat_map(|item| ["--to", item]));
        home.good(&words);
        assert!(
            fs::read(&path).expect("a file") == fs::read(&out).expect("a file"),
            "{name:?}"
        );
        // What is there is not replaced unasked.
        let output = home.bad(1, &words);
        assert!(
            output.contains("is there already; fix: --force"),
            "{output}"
        );
        words.push("--force");
        home.good(&words);
    }
}

#[test]
fn a_posture_is_written_condensed_in_the_order_of_the_robot() {
    let home = home();
    let verbose = home.file(
        "a.pos",
        "#POS\nHeadPitch 0.25 0.5\nHeadYaw -0.5\nTail 1\n#END\n",
    );
    let (out, back) = (home.path("b.pos"), home.path("c.pos"));
    let words = ["convert", text(&verbose), text(&out), "--condensed"];
    let printed = home.bad(2, &words);
    assert!(printed.contains("--robot"), "{printed}");
    home.good(&[&words[..], &["--robot", "nao"]].concat());
    let written = fs::read_to_string(&out).expect("a posture");
    let lines: Vec<_> = written.lines().collect();
    assert_eq!(lines[..2], ["#POS", "condensed nao"], "{written}");
    let row = |line: &str| {
        line.split(' ')
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let order = &*tests::play::NAO.actuators;
    for (name, value, weight) in [("HeadYaw", "-0.5", "1"), ("HeadPitch", "0.25", "0.5")] {
        let place = order.iter().position(|item| item.name == name);
        let place = place.expect("its own");
        assert_eq!(
            (&*row(lines[2])[place], &*row(lines[3])[place]),
            (value, weight)
        );
    }
    assert_eq!(row(lines[2]).len(), order.len());
    home.good(&["convert", text(&out), text(&back), "--robot", "nao"]);
    let back = fs::read_to_string(&back).expect("a posture");
    assert!(
        back.contains("HeadYaw -0.5\n") && back.contains("HeadPitch 0.25 0.5\n"),
        "{back}"
    );
    let csv = home.path("b.csv");
    let words = [
        "convert",
        text(&verbose),
        text(&csv),
        "--condensed",
        "--robot",
        "nao",
    ];
    let output = home.bad(1, &words);
    assert!(output.contains("--condensed is for a .pos"), "{output}");
}

#[test]
fn a_motion_is_compiled_alike_from_whatever_it_was_converted_to() {
    let home = home();
    let joints = ["HeadYaw", "HeadPitch", "LElbowYaw"];
    let (file, _) = webots(7, &joints);
    let motion = home.file("wave.motion", file);
    let mut commands = Vec::new();
    for ending in ["motion", "csv", "json", "py", "xar", "mot", "yaml"] {
        let (out, show) = (home.path(&format!("out.{ending}")), home.path("out.wasm"));
        home.good(&["convert", text(&motion), text(&out)]);
        let words = [
            "--json",
            "compile",
            text(&out),
            "-o",
            text(&show),
            "--robot",
            "nao",
        ];
        let output: Value = serde_json::from_str(&home.good(&words)).expect("JSON");
        assert_eq!(
            output["actuators"].as_array().map(Vec::len),
            Some(3),
            "{ending}: {output}"
        );
        commands.push((
            ending,
            output["commands"].as_u64(),
            output["lasts_s"].as_f64(),
        ));
    }
    for command in &commands {
        assert_eq!(
            command.2.map(|value| (value * 25.0).round()),
            commands[0].2.map(|value| (value * 25.0).round()),
            "{command:?}"
        );
    }
}

#[test]
fn a_motion_moves_the_body_as_its_file_says() {
    let joints = ["HeadYaw", "HeadPitch", "RShoulderPitch"];
    for seed in 0..3 {
        let home = home();
        let (file, rows) = webots(seed, &joints);
        let motion = home.file("wave.motion", file);
        let recording = home.path("run.mcap");
        let words = [
            "play",
            text(&motion),
            "--robot",
            "nao",
            "--sim",
            "--fast",
            "--no-check",
            "--seed",
            "1",
            "--record",
            text(&recording),
        ];
        home.good(&words);
        let sent = commanded(&recording, &joints);
        // The first turn in which every joint has reached the end tells when it began.
        let end = rows[rows.len() - 1].0 as f64;
        let begins = sent.windows(2).find_map(|pair| {
            let reached =
                (0..3).all(|joint| (pair[1].1[joint] - value(&rows, joint, 0.0)).abs() < 1e-6);
            reached.then_some(pair[1].0)
        });
        let begins = begins.expect("it begins");
        let mut compared = 0;
        for (at, values) in &sent {
            let at = *at - begins;
            if !(0.0..=end).contains(&at) {
                continue;
            }
            for (joint, found) in values.iter().enumerate() {
                let wanted = value(&rows, joint, at);
                assert!(
                    (found - wanted).abs() < 1e-5,
                    "{} at {at} ms: {found}, not {wanted}",
                    joints[joint]
                );
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
    }
}

/// What is told of a file that cannot be played, and that nothing was written.
fn refused(home: &Home, name: &str, bytes: impl AsRef<[u8]>, words: &str) {
    let (file, out) = (home.file(name, bytes), home.path("never.wasm"));
    let output = home.bad(
        1,
        &["compile", text(&file), "-o", text(&out), "--robot", "nao"],
    );
    assert!(output.contains(words), "{name}: {output}");
    assert!(!out.exists(), "{name}");
}

#[test]
fn what_cannot_be_played_is_told_with_its_place() {
    let home = home();
    let head = "#WEBOTS_MOTION,V1.0,HeadYaw\n";
    refused(
        &home,
        "a.motion",
        format!("{head}00:00:000,P,0.1\n00:00:nn,P,0.2\n"),
        "line 3, column ",
    );
    refused(
        &home,
        "b.motion",
        format!("{head}00:01:000,P,0.1\n00:00:500,P,0.2\n"),
        "line 3, column ",
    );
    refused(
        &home,
        "c.motion",
        "#WEBOTS_MOTION,V1.0,HeadYow\n00:00:000,P,0.1\n",
        "did you mean `HeadYaw`?",
    );
    refused(&home, "d.motion", "", "the file is empty");
    refused(
        &home,
        "e.motion",
        &b"#WEBOTS_MOTION,V1.0,HeadYaw\n00:00:000,P,\xff\n"[..],
        "fix: ",
    );
    refused(
        &home,
        "walk.wyp",
        fs::read(samples().join("square.wyp")).expect("a file"),
        "not a motion of joints",
    );
    refused(&home, "run.py", "import os\nos.system('true')\n", "line ");
    let other = home.file(
        "other.motion",
        "#WEBOTS_MOTION,V1.0,neck\n00:00:000,P,0.1\n00:01:000,P,0.2\n",
    );
    let map = home.file(
        "map.toml",
        "[joints]\nneck = { to = \"HeadYaw\", scale = -1.0 }\n",
    );
    let show = home.path("other.wasm");
    home.bad(
        1,
        &["compile", text(&other), "-o", text(&show), "--robot", "nao"],
    );
    home.good(&[
        "compile",
        text(&other),
        "-o",
        text(&show),
        "--robot",
        "nao",
        "--map",
        text(&map),
    ]);
    let map = home.file(
        "map.toml",
        "[joints]\nneck = { to = \"HeadYaw\", scale = -1.0 \n",
    );
    let output = home.bad(
        1,
        &[
            "compile",
            text(&other),
            "-o",
            text(&show),
            "--map",
            text(&map),
        ],
    );
    assert!(
        output.contains("map.toml") && output.contains("line 2"),
        "{output}"
    );
}
