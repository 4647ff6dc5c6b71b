//! Habits of files that other people's programs wrote: each is a small file of our own that has the
//! habit. Found in real files of public repositories.

use crate::{KeyedMotion, NoSurroundings, read, write};

const MS: u64 = 1_000_000;

/// The first motion of a text, and what was remarked. Written and read again it is the same.
fn motion(name: &str, text: &str) -> (KeyedMotion, String) {
    let reading = read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let bytes = write(&reading.document, reading.format);
    let bytes = bytes.unwrap_or_else(|error| panic!("{name}: {error}"));
    let again = read(name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(again.document, reading.document, "{name}");
    let mut remarks = reading.remarks;
    let motions = reading.document.motions(&NoSurroundings, &mut remarks);
    let motions = motions.unwrap_or_else(|error| panic!("{name}: {error}"));
    let remarks: Vec<_> = remarks.iter().map(ToString::to_string).collect();
    (motions[0].clone(), remarks.join("\n"))
}

/// The first motion of a text, and what was remarked of the file.
fn motion_of(name: &str, text: &str) -> (KeyedMotion, String) {
    let reading = read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    let remarks: Vec<_> = reading.remarks.iter().map(ToString::to_string).collect();
    (motions.expect("a motion")[0].clone(), remarks.join("\n"))
}

/// The keys of a joint: ms and value.
fn keys(motion: &KeyedMotion, joint: &str) -> Vec<(u64, f64)> {
    let track = motion.tracks.iter().find(|track| track.joint == joint);
    let track = track.unwrap_or_else(|| panic!("no {joint}"));
    track
        .keys
        .iter()
        .map(|key| (key.time / MS, key.value))
        .collect()
}

#[test]
fn webots_reads_short_times_and_separators_at_the_end() {
    let text = "#WEBOTS_MOTION,V1.0,A,B,\n0,Pose1,1,2,\n1:040,Pose2,3,4,,\n00:75:000,Pose3,5,*,\n";
    let (motion, _) = motion("a.motion", text);
    assert_eq!(keys(&motion, "A"), [(0, 1.0), (1_040, 3.0), (75_000, 5.0)]);
    assert_eq!(keys(&motion, "B"), [(0, 2.0), (1_040, 4.0)]);
    assert_eq!(motion.tracks.len(), 2);
}

#[test]
fn python_passes_over_texts_that_stand_alone_and_the_service_of_a_session() {
    let text = "# -*- coding: utf-8 -*-\n\"\"\"What it is.\n\nnames = do_it()\"\"\"\nimport qi\n\
        names = list()\ntimes = list()\nkeys = list()\n\nnames.append(\"A\")\ntimes.append([0.5, 1])\n\
        keys.append([0.25, -1])\n'''names.append(\"B\")\ntimes.append([1])\n'''\n\
        motion = session.service(\"ALMotion\")\nmotion.angleInterpolation(names, keys, times, True)\n";
    let (motion, _) = motion("a.py", text);
    assert_eq!(keys(&motion, "A"), [(500, 0.25), (1_000, -1.0)]);
    assert_eq!(motion.tracks.len(), 1);
    let cut = text.replacen("'''\nmotion", "\nmotion", 1);
    let failure = read("a.py", cut.as_bytes()).expect_err("cut").to_string();
    let begin = "line 13, column 1: the text that begins here has no end";
    assert!(failure.starts_with(begin), "{failure}");
}

#[test]
fn hulks_keep_stiffnesses_beside_positions() {
    let pose = |knee: &str| {
        format!(
            r#"{{"positions": {{"left_leg": {{"knee_pitch": {knee}}}, "stiffnesses": {{"head": {{"yaw": 0.9}}}}}},
                "stiffnesses": {{"left_leg": {{"knee_pitch": 0.8}}}}}}"#
        )
    };
    let (first, second) = (pose("0.5"), pose("1.5"));
    let text = format!(
        r#"{{"interpolation_mode": "linear", "initial_positions": {first},
            "motion": [{{"keyframes": [{{"duration": 0.2, "positions": {second}}}]}}]}}"#
    );
    let (read_motion, remarks) = motion("a.json", &text);
    assert_eq!(keys(&read_motion, "LKneePitch"), [(0, 0.5), (200, 1.5)]);
    assert_eq!(read_motion.tracks.len(), 1);
    assert!(
        remarks.contains("`stiffnesses` are not played"),
        "{remarks}"
    );
    let other = text.replacen("\"stiffnesses\": {\"left", "\"currents\": {\"left", 1);
    let failure = read("a.json", other.as_bytes()).expect_err("currents");
    assert!(
        failure.to_string().contains("`currents` beside"),
        "{failure}"
    );
}

#[test]
fn python_goes_on_behind_a_backslash_adds_lists_and_names_its_last_argument() {
    let text = "names = \\\n  [\"A\"]\ntimes = [[1]]\nkeys = \\\r\n[[0.5]]\nnames += [\"B\", \\\n\"C\"]\n\
        times += [[1, 2], [3]]\nkeys += [[0, 1], \\\n[2]]\n\
        motion.angleInterpolation(names, keys, times, isAbsolute = True)\n";
    let (read_motion, _) = motion("a.py", text);
    assert_eq!(keys(&read_motion, "A"), [(1_000, 0.5)]);
    assert_eq!(keys(&read_motion, "B"), [(1_000, 0.0), (2_000, 1.0)]);
    assert_eq!(keys(&read_motion, "C"), [(3_000, 2.0)]);
    for (last, begin) in [
        ("isAbsolute=False", "line 11, column 58: angles relative"),
        (
            "isRelative=True",
            "line 11, column 47: `isRelative` would have",
        ),
        (
            "isAbsolute==True",
            "line 11, column 47: `isAbsolute==True` would",
        ),
    ] {
        let text = text.replace("isAbsolute = True", last);
        let failure = read("a.py", text.as_bytes()).expect_err(last).to_string();
        assert!(failure.starts_with(begin), "{failure}");
    }
    let failure = read("a.py", b"names = ['A']\ntimes += [[1]]\nkeys = [[1]]\n");
    let begin = "line 1, column 1: there is no list `times`";
    let failure = failure.expect_err("no list").to_string();
    assert!(failure.starts_with(begin), "{failure}");
}

#[test]
fn tables_of_spreadsheets_state_their_dividers_and_quote_decimal_commas() {
    let plain = "actuator,time,value\nHeadYaw,1.5,0.5\nHeadYaw,2,0\n";
    let plain = read("a.csv", plain.as_bytes()).expect("a table").document;
    for text in [
        "actuator,time,value\nHeadYaw,\"1,5\",\"0,5\"\n\"HeadYaw\", \"2\" ,\"0,0\"\n",
        "sep=;\nactuator;time;value\nHeadYaw;1,5;0,5\nHeadYaw;2;0\n",
        "\"sep=|\"\r\nactuator|time|value\r\nHeadYaw|1.5|0,5\r\nHeadYaw|2|0\r\n",
        "sep=\t\nactuator\ttime\tvalue\nHeadYaw\t1.5\t0.5\nHeadYaw\t2\t0\n",
    ] {
        let reading =
            read("a.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            (reading.document, reading.remarks.len()),
            (plain.clone(), 0),
            "{text}"
        );
    }
    let quoted = "time,\"a, b\"\"c\"\n\"1,5\",2\n";
    let (named, _) = motion_of("a.csv", quoted);
    assert_eq!(keys(&named, "a, b\"\"c"), [(1_500, 2.0)]);
}

#[test]
fn rows_that_go_back_in_time_are_told() {
    let text = "time,A,B\n1,0.5,\n2,0.25,0\n1.5,,1\n0.5,1,1\n";
    let (_, remarks) = motion_of("a.csv", text);
    assert_eq!(
        remarks,
        "line 4, column 6: `B` goes back to 1.5 s here: its commands are sorted; fix: check that no rows are mixed up"
    );
    // Actuators one after the other do not.
    let (_, none) = motion_of("a.csv", "actuator,time,value\nA,1,0\nA,2,0\nB,1,0\nB,2,0\n");
    assert_eq!(none, "");
    let json = "[{\"actuator\": \"A\", \"time\": 2, \"value\": 0},\n\
        {\"actuator\": \"A\", \"time\": 1, \"value\": 0}]";
    let (_, remarks) = motion_of("a.json", json);
    assert!(
        remarks.starts_with("line 2, column 39: `A` goes back to 1 s"),
        "{remarks}"
    );
}

#[test]
fn sequences_have_comments_behind_their_words_and_octal_times() {
    let text = "#MSq\nradians\nsetTime 010 # octal\nA 0.5 # half\nB 0.5 0.25 # weighted\n#END\n";
    let (sequence, remarks) = motion_of("a.mot", text);
    assert_eq!(keys(&sequence, "A"), [(8, 0.5)]);
    assert_eq!(sequence.tracks[1].keys[0].weight, 0.25);
    let lines: Vec<_> = remarks.lines().collect();
    assert_eq!(
        lines,
        [
            "line 3, column 9: `010` is octal for Tekkotsu, and 8 ms; fix: remove the 0 if that is not meant",
            "line 3, column 13: `#` and what follows is left out",
            "line 4, column 7: `#` and what follows is left out",
            "line 5, column 12: `#` and what follows is left out",
        ]
    );
    for wrong in ["setTime 089", "A # 0.5", "A 0.5 half"] {
        let text = format!("#MSq\n{wrong}\n#END\n");
        let failure = read("a.mot", text.as_bytes()).expect_err(wrong).to_string();
        assert!(failure.starts_with("line 2, column "), "{failure}");
    }
}
