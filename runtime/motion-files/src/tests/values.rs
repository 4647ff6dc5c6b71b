//! Values against sums that do not use the functions under test.

use super::{document, sample};
use crate::{
    BezierHandle, EaseShape, JointKey, JointTrack, KeySide, KeyedMotion, MotionDocument,
    MotionFormat, MotionSurroundings, NoSurroundings, ValueUnit, read, straightened, value_at,
    write,
};

fn motions(name: &str) -> Vec<KeyedMotion> {
    let motions = document(name).motions(&NoSurroundings, &mut Vec::new());
    motions.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn track<'m>(motion: &'m KeyedMotion, joint: &str) -> &'m JointTrack {
    let track = motion.tracks.iter().find(|track| track.joint == joint);
    track.unwrap_or_else(|| panic!("no {joint}"))
}

fn keys(track: &JointTrack) -> Vec<(u64, f64)> {
    track.keys.iter().map(|key| (key.time, key.value)).collect()
}

const MS: u64 = 1_000_000;

/// De Casteljau's construction, point by point.
fn casteljau(points: [(f64, f64); 4], share: f64) -> (f64, f64) {
    let mix = |a: (f64, f64), b: (f64, f64)| {
        (
            a.0 * (1.0 - share) + b.0 * share,
            a.1 * (1.0 - share) + b.1 * share,
        )
    };
    let [a, b, c, d] = points;
    let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
    mix(mix(ab, bc), mix(bc, cd))
}

#[test]
fn curves_become_lines_within_the_stated_error() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..300 {
        let duration = random.u64(1_000..5_000_000_000);
        let handle = |random: &mut fastrand::Rng| BezierHandle {
            time: random.i64(0..=duration as i64),
            value: random.f64() * 6.0 - 3.0,
        };
        let (out, back) = (handle(&mut random), handle(&mut random));
        let values = [random.f64() * 2.0 - 1.0, random.f64() * 2.0 - 1.0];
        let first = JointKey {
            leave: KeySide::Bezier(out),
            ..JointKey::linear(0, values[0])
        };
        let second = JointKey {
            arrive: KeySide::Bezier(BezierHandle {
                time: -back.time,
                value: back.value,
            }),
            ..JointKey::linear(duration, values[1])
        };
        let motion = KeyedMotion {
            tracks: vec![JointTrack {
                joint: "J".to_owned(),
                unit: ValueUnit::Radian,
                keys: vec![first, second],
            }],
            ..KeyedMotion::default()
        };
        let error = 10f64.powi(-random.i32(1..5));
        let straight = straightened(&motion, error).expect("lines");
        let points = [
            (0.0, values[0]),
            (out.time as f64, values[0] + out.value),
            ((duration as i64 - back.time) as f64, values[1] + back.value),
            (duration as f64, values[1]),
        ];
        let keys = &straight.tracks[0].keys;
        for step in 0..=500 {
            let (time, value) = casteljau(points, f64::from(step) / 500.0);
            let after = keys.partition_point(|key| (key.time as f64) <= time);
            let (a, b) = (&keys[after.max(1) - 1], &keys[after.min(keys.len() - 1)]);
            let span = (b.time - a.time).max(1) as f64;
            let line = a.value + (b.value - a.value) * ((time - a.time as f64) / span);
            // A time is a whole ns: a steep curve moves by its slope within it.
            let slack = 4.0 / duration as f64 * 20.0;
            assert!(
                (line - value).abs() <= error + slack,
                "{} at {time}: {motion:?}",
                line - value
            );
        }
    }
}

#[test]
fn easings_are_their_polynomials() {
    type Polynomial = fn(f64) -> f64;
    let shapes: [(EaseShape, Polynomial); 4] = [
        (EaseShape::In, |t| t.powi(3)),
        (EaseShape::Out, |t| 1.0 - (1.0 - t).powi(3)),
        (EaseShape::InOut, |t| 3.0 * t.powi(2) - 2.0 * t.powi(3)),
        (EaseShape::MinJerk, |t| {
            10.0 * t.powi(3) - 15.0 * t.powi(4) + 6.0 * t.powi(5)
        }),
    ];
    for (shape, polynomial) in shapes {
        let first = JointKey {
            leave: KeySide::Ease(shape),
            ..JointKey::linear(100, -1.0)
        };
        let track = JointTrack {
            joint: "J".to_owned(),
            unit: ValueUnit::Native,
            keys: vec![first, JointKey::linear(1_000_100, 3.0)],
        };
        for step in 0..=100 {
            let share = f64::from(step) / 100.0;
            let value = value_at(&track, 100 + step as u64 * 10_000).expect("a value");
            let expected = -1.0 + 4.0 * polynomial(share);
            assert!(
                (value - expected).abs() < 1e-9,
                "{shape:?} at {share}: {value}"
            );
        }
    }
}

#[test]
fn splines_have_choregraphes_tangents() {
    // The middle key of a published export: its handles are a third of their lines, with the slope
    // between its neighbours.
    let keys = [(920, -0.829_141), (1_520, 0.150_098), (2_360, 1.239_43)];
    let keys = keys.map(|(ms, value)| JointKey {
        arrive: KeySide::Spline,
        leave: KeySide::Spline,
        ..JointKey::linear(ms * MS, value)
    });
    let track = JointTrack {
        joint: "LShoulderPitch".to_owned(),
        unit: ValueUnit::Native,
        keys: keys.to_vec(),
    };
    let at = |share: f64| {
        casteljau(
            [
                (1.52, 0.150_098),
                (1.52 + 0.28, 0.150_098 + 0.402_222),
                (2.36 - 0.28, 1.239_43),
                (2.36, 1.239_43),
            ],
            share,
        )
    };
    for step in 0..=50 {
        let (time, expected) = at(f64::from(step) / 50.0);
        let value = value_at(&track, (time * 1e9).round() as u64).expect("a value");
        assert!((value - expected).abs() < 1e-5, "{value}, not {expected}");
    }
}

#[test]
fn a_sequence_of_tekkotsu_has_the_values_of_its_description() {
    let text = "#MSq\nradians\nsetTime 400\nNECK:pan  0.5\nMOUTH    -0.3\ndelay 600\nNECK:pan -0.5\n\
                MOUTH    -0.3\ndelay 500\nNECK:pan  0 0\nMOUTH    -0.1\n#END\n";
    let reading = read("a.mot", text.as_bytes()).expect("a sequence");
    let motion = &reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion")[0];
    let pan = track(motion, "NECK:pan");
    let weights: Vec<_> = pan
        .keys
        .iter()
        .map(|key| (key.time / MS, key.value, key.weight))
        .collect();
    assert_eq!(
        weights,
        [(400, 0.5, 1.0), (1_000, -0.5, 1.0), (1_500, 0.0, 0.0)]
    );
    assert_eq!(value_at(pan, 700 * MS), Some(0.0));
    let mouth = track(motion, "MOUTH");
    assert_eq!(value_at(mouth, 800 * MS), Some(-0.3));
    let later = value_at(mouth, 1_250 * MS).expect("a value");
    assert!((later + 0.2).abs() < 1e-12);
    // Degrees, and the playhead that begins at 1 ms.
    let text = b"#MSq\ndegrees\nA 90\ndelay 10\nA~~~ -180\n#END\n";
    let reading = read("a.mot", text).expect("a sequence");
    let motion = &reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion")[0];
    let half = std::f64::consts::FRAC_PI_2;
    assert_eq!(
        keys(track(motion, "A")),
        [(MS, half), (11 * MS, -2.0 * half)]
    );
}

/// A body of Tekkotsu, and a file that is loaded.
struct Dog;

impl MotionSurroundings for Dog {
    fn model(&self) -> &'static str {
        "ERS-7"
    }
    fn outputs(&self, model: &str) -> Option<Vec<String>> {
        let own = [
            "NECK:pan",
            "NECK:tilt",
            "NECK:nod",
            "MOUTH",
            "LFr:knee",
            "RFr:knee",
        ];
        let names: &[&str] = match model {
            "ERS-7" => &own,
            "Small" => &["MOUTH", "TAIL"],
            _ => return None,
        };
        Some(names.iter().map(|name| (*name).to_owned()).collect())
    }
    fn file(&self, name: &str) -> Option<Vec<u8>> {
        let text: &[u8] = match name {
            "look.pos" => sample("look.pos"),
            "more.mot" => b"#MSq\nsetTime 50\nMOUTH 0.25\ndelay 50\nMOUTH 0.5\n#END\n",
            "late.mot" => b"#MSq\nMOUTH 0.25\ndelay 50\nMOUTH 0.5 0\ndelay 300\n#END\n",
            _ => return None,
        };
        Some(text.to_vec())
    }
}

#[test]
fn a_posture_is_read_for_a_body() {
    let mut remarks = Vec::new();
    let motions = document("look.pos")
        .motions(&Dog, &mut remarks)
        .expect("a posture");
    let all: Vec<_> = motions[0]
        .tracks
        .iter()
        .map(|track| (&*track.joint, track.keys[0].value, track.keys[0].weight))
        .collect();
    // `Fr:knee` is both knees; the other model's condensed values come by their names, and it has a
    // tail.
    let expected = [
        ("NECK:pan", 0.35, 1.0),
        ("NECK:tilt", -0.2, 0.5),
        ("LFr:knee", 0.8, 1.0),
        ("RFr:knee", 0.8, 1.0),
        ("NECK:nod", 0.1, 1.0),
        ("MOUTH", 0.5, 1.0),
    ];
    assert_eq!(all, expected);
    assert_eq!(remarks.len(), 1);
    assert!(
        remarks[0]
            .to_string()
            .starts_with("line 14, column 1: `ERS-7` has no output `TAIL`")
    );
    let other = document("look.pos").motions(&NoSurroundings, &mut Vec::new());
    let failure = other.expect_err("an unknown model").to_string();
    assert!(
        failure.contains("the order of the model `Small` is not known"),
        "{failure}"
    );
}

/// All outputs of the dog with their values and weights, in its order; 0 where there is none.
fn of_dog(text: &[u8]) -> Vec<(f64, f64)> {
    let reading = read("a.pos", text).expect("a posture");
    let motions = reading.document.motions(&Dog, &mut Vec::new());
    let tracks = motions.expect("a posture").remove(0).tracks;
    let order = Dog.outputs("ERS-7").expect("its own");
    let of = |name: &String| tracks.iter().find(|track| &track.joint == name);
    let value = |track: &JointTrack| (track.keys[0].value, track.keys[0].weight);
    order
        .iter()
        .map(|order| of(order).map_or((0.0, 0.0), value))
        .collect()
}

#[test]
fn a_condensed_posture_says_the_same_in_the_order_of_the_body() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..300 {
        let order = Dog.outputs("ERS-7").expect("its own");
        let mut text = "#POS\n".to_owned();
        let mut expected = Vec::new();
        for name in order {
            let (value, weight) = (
                random.f64() * 4.0 - 2.0,
                [1.0, 1.0, 0.25][random.usize(..3)],
            );
            match random.u8(..4) {
                0 => expected.push((0.0, 0.0)),
                _ => {
                    text.insert_str(5, &format!("{name} {value} {weight}\n"));
                    expected.push((value, weight));
                }
            }
        }
        text += "#END\n";
        let MotionDocument::Posture(posture) = read("a.pos", text.as_bytes()).expect("it").document
        else {
            panic!("a posture");
        };
        let condensed = posture.condensed(&Dog, &mut Vec::new()).expect("a body");
        let bytes = write(&MotionDocument::Posture(condensed), MotionFormat::Pos).expect("a text");
        let lines = String::from_utf8(bytes.clone()).expect("text");
        let all_count = expected.iter().all(|pair| pair.1 == 1.0);
        assert_eq!(
            lines.lines().count(),
            if all_count { 4 } else { 5 },
            "{lines}"
        );
        assert!(
            lines.starts_with("#POS\ncondensed ERS-7\noutputs "),
            "{lines}"
        );
        assert_eq!(of_dog(&bytes), expected, "{text}{lines}");
    }
}

#[test]
fn parts_of_a_posture_are_for_the_models_that_they_name() {
    let read_for = |text: &str, around: &dyn MotionSurroundings| {
        let mut remarks = Vec::new();
        let reading = read("a.pos", text.as_bytes()).expect("a posture");
        let motions = reading.document.motions(around, &mut remarks);
        let tracks = motions.expect("a motion").remove(0).tracks;
        let names: Vec<_> = tracks.into_iter().map(|track| track.joint).collect();
        (
            names,
            remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
        )
    };
    let own = "#POS\nspecialize ERS-7\nMOUTH 0.1\n#END\n";
    let other = "#POS\nspecialize ERS-2.*\nMOUTH 0.1\n#END\n";
    let known = |text| read_for(text, &Dog);
    assert_eq!(known(own), (vec!["MOUTH".to_owned()], vec![]));
    let (names, remarks) = known(other);
    assert_eq!((names.len(), remarks.len()), (0, 1), "{remarks:?}");
    assert!(
        remarks[0].contains("no part of the file is for the model `ERS-7`"),
        "{remarks:?}"
    );
    // Where no body is known, as in a conversion, all parts count.
    let anywhere = read_for(other, &NoSurroundings);
    assert_eq!(anywhere, (vec!["MOUTH".to_owned()], vec![]));
}

#[test]
fn a_sequence_loads_other_files_at_its_playhead() {
    let text =
        b"#MSq\nsetTime 100\nload look.pos\ndelay 100\noverlay more.mot\nNECK:pan 0.5\n#END\n";
    let reading = read("a.mot", text).expect("a sequence");
    let motion = &reading
        .document
        .motions(&Dog, &mut Vec::new())
        .expect("a motion")[0];
    let pan = keys(track(motion, "NECK:pan"));
    assert_eq!(pan, [(100 * MS, 0.35), (300 * MS, 0.5)]);
    let mouth = keys(track(motion, "MOUTH"));
    assert_eq!(mouth, [(100 * MS, 0.5), (250 * MS, 0.25), (300 * MS, 0.5)]);
}

/// Of a loaded sequence only what has weight counts, and the playhead goes to its last key, not behind its last delay.
#[test]
fn a_loaded_sequence_ends_with_its_last_key() {
    let text = b"#MSq\nsetTime 100\noverlay late.mot\nNECK:pan 0.5 0\n#END\n";
    let reading = read("a.mot", text).expect("a sequence");
    let motions = reading.document.motions(&Dog, &mut Vec::new());
    let motion = &motions.expect("a motion")[0];
    assert_eq!(keys(track(motion, "MOUTH")), [(100 * MS, 0.25)]);
    // Its own keys without weight stay.
    assert_eq!(keys(track(motion, "NECK:pan")), [(150 * MS, 0.5)]);
}

#[test]
fn times_and_units_of_the_other_formats() {
    let webots = &motions("wave.motion")[0];
    let elbow = keys(track(webots, "RElbowRoll"));
    assert_eq!(elbow, [(0, 0.25), (480 * MS, 1.0), (1_040 * MS, 0.125)]);
    assert_eq!(track(webots, "RShoulderPitch").keys.len(), 2);

    let xar = &motions("turn.xar");
    assert_eq!(
        (xar.len(), &*xar[0].name, &*xar[0].body),
        (2, "Turn & nod", "nao")
    );
    let yaw = track(&xar[0], "HeadYaw");
    assert_eq!(yaw.keys[0].time, 13 * 40 * MS);
    let si = yaw.si(&yaw.keys[0]);
    assert!(
        (si + 33.2 * std::f64::consts::PI / 180.0).abs() < 1e-15,
        "{si}"
    );
    assert_eq!(xar[1].tracks[0].keys[1].time, 233_333_333);

    let aibo = &motions("paw.mtn")[0];
    assert_eq!(aibo.body, "ERS-7");
    let neck = track(aibo, "PRM:/r1/c1-Joint2:11");
    // Frames of 8 ms: the first at the start, 62 more, 125 more.
    let times: Vec<_> = neck.keys.iter().map(|key| key.time / MS).collect();
    assert_eq!(times, [0, 496, 1_496]);
    assert_eq!(neck.si(&neck.keys[1]), -0.512_345);

    let reachy = &motions("wink.json")[0];
    let roll = keys(track(reachy, "head.roll"));
    assert_eq!(roll[0], (0, 0.0));
    // The second matrix turns by 3-4-5 about x.
    assert!((roll[1].1 - 0.6f64.atan2(0.8)).abs() < 1e-15, "{roll:?}");
    assert_eq!(keys(track(reachy, "head.z"))[0].1, 0.02);
    let antenna = keys(track(reachy, "antennas.1"));
    assert_eq!(antenna, [(0, -0.5), (10 * MS, -0.25), (500 * MS, 0.0)]);
    // The second entry has no yaw of the body: the player takes 0.
    let yaw = keys(track(reachy, "body_yaw"));
    assert_eq!(yaw, [(0, 0.1), (10 * MS, 0.0), (500 * MS, -0.1)]);

    let hulks = &motions("sit.json")[0];
    assert_eq!(
        keys(track(hulks, "LKneePitch")),
        [(0, 0.5), (500 * MS, 1.5)]
    );

    let doors = &motions("doors.json")[0];
    assert_eq!((&*doors.name, &*doors.body), ("open", "Desk"));
    assert_eq!(
        keys(track(doors, "9")),
        [(0, 0.5), (1_000 * MS, 1.0), (1_500 * MS, 0.0)]
    );
    let ten = keys(track(doors, "10"));
    assert_eq!(
        ten,
        [
            (0, 0.0),
            (500 * MS, 0.25),
            (1_000 * MS, 0.125),
            (1_250 * MS, 0.0)
        ]
    );
    assert_eq!(value_at(track(doors, "10"), 750 * MS), Some(0.25));
}

#[test]
fn a_trajectory_takes_its_velocities() {
    let motion = &motions("reach.yaml")[0];
    let shoulder = track(motion, "shoulder_joint");
    assert_eq!(keys(shoulder), [(500 * MS, 0.0), (2_000 * MS, 0.25)]);
    // A cubic of Hermite: from 0 at rest to 0.25 with 1 rad/s, within 1.5 s.
    for step in 0..=30 {
        let t = f64::from(step) / 30.0;
        let (t2, t3) = (t * t, t * t * t);
        let expected = (-2.0 * t3 + 3.0 * t2) * 0.25 + (t3 - t2) * 1.5 * 1.0;
        let time = 500 * MS + (t * 1_500e6).round() as u64;
        let value = value_at(shoulder, time).expect("a value");
        assert!((value - expected).abs() < 1e-8, "{value}, not {expected}");
    }
}

#[test]
fn a_move_of_reachy_mini_has_the_angles_that_were_written() {
    let text = "actuator,time,value\nhead.roll,1,0.25\nhead.pitch,1,-0.5\nhead.yaw,1,1.25\n\
                head.z,1,0.0125\nantennas.0,1,0.5\nbody_yaw,0.5,0.25\nbody_yaw,1,0.5\n";
    let reading = read("a.csv", text.as_bytes()).expect("a motion");
    let before = reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion");
    let document = crate::MotionDocument::of_motions(&before, crate::MotionFormat::Reachy);
    let bytes = crate::write(&document.expect("a move"), crate::MotionFormat::Reachy);
    let reading = read("wink.json", &bytes.expect("bytes")).expect("a move");
    let after = &reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion")[0];
    for track_before in &before[0].tracks {
        let track_after = track(after, &track_before.joint);
        for key in &track_before.keys {
            let value = value_at(track_after, key.time).expect("a value");
            assert!(
                (value - key.value).abs() < 1e-15,
                "{} {value}",
                track_before.joint
            );
        }
    }
    let other = read("a.csv", b"actuator,time,value\nHeadYaw,1,0\n")
        .expect("a motion")
        .document;
    let motions = other
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion");
    let failure = crate::MotionDocument::of_motions(&motions, crate::MotionFormat::Reachy);
    let failure = failure.expect_err("another body").to_string();
    assert!(
        failure.contains("the joint `HeadYaw`; fix: map it to head.x"),
        "{failure}"
    );
}

#[test]
fn what_is_lost_is_said() {
    let nod = &motions("nod.csv")[0];
    let (_, lost) = crate::adapted(nod, crate::MotionFormat::Webots, 0.01).expect("lines");
    let expected = [
        "curves became lines, no further than 0.01 away",
        "the name is lost",
        "the name of the body is lost",
        "that it loops is lost",
        "the lead is lost",
        "the sounds are lost",
        "the names of instants are lost",
        "keys moved to whole steps of the format's time, by 0.001 s at most",
    ];
    assert_eq!(lost, expected);
    let document = document("nod.csv");
    let failure = crate::write(&document, crate::MotionFormat::Webots).expect_err("curves");
    assert_eq!(
        failure.to_string(),
        "a motion of Webots cannot hold this: `HeadPitch` has values in another unit than the joint's"
    );
    let failure = crate::write(&document, crate::MotionFormat::Wyp).expect_err("no waypoints");
    assert_eq!(
        failure.to_string(),
        "a motion of joints cannot be written as waypoints of Tekkotsu"
    );
}
