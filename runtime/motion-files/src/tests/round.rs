//! Round trips of random motions through every format that holds motions, and between formats.

use crate::{
    BezierHandle, EaseShape, JointKey, JointMap, JointRule, JointTrack, KeySide, KeyedMotion,
    MotionDocument, MotionFormat, MotionLabel, MotionSound, NoSurroundings, ValueUnit, adapted,
    paired, read, read_as, straightened, value_at, write,
};
use proptest::prelude::*;

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        -3.5..3.5f64,
        (-1_000i32..1_000).prop_map(|value| f64::from(value) / 8.0),
        Just(0.0),
        Just(1e-300),
        Just(-30.678_9),
    ]
}

fn side(duration: i64) -> impl Strategy<Value = (KeySide, KeySide)> {
    let handle = move || (0..=duration, -2.0..2.0f64);
    let handles = (handle(), handle()).prop_map(|(out, back)| {
        let of = |(time, value): (i64, f64), sign: i64| {
            KeySide::Bezier(BezierHandle {
                time: time * sign,
                value,
            })
        };
        (of(out, 1), of(back, -1))
    });
    prop_oneof![
        Just((KeySide::Linear, KeySide::Linear)),
        Just((KeySide::Step, KeySide::Linear)),
        Just((KeySide::Spline, KeySide::Spline)),
        Just((KeySide::Ease(EaseShape::MinJerk), KeySide::Linear)),
        handles,
    ]
}

fn joint_track(joint: &'static str) -> impl Strategy<Value = JointTrack> {
    const STEP: u64 = 40_000_000;
    let units = prop_oneof![
        Just(ValueUnit::Native),
        Just(ValueUnit::Radian),
        Just(ValueUnit::Degree)
    ];
    let keys = prop::collection::vec((1..50u64, value(), side(STEP as i64)), 1..8);
    (units, keys).prop_map(move |(unit, list)| {
        let mut keys = Vec::new();
        let (mut time, mut arrive) = (0, KeySide::Linear);
        for (gap, value, (leave, next)) in list {
            time += gap * STEP;
            keys.push(JointKey {
                arrive,
                leave,
                ..JointKey::linear(time, value)
            });
            arrive = next;
        }
        if let Some(last) = keys.last_mut() {
            last.leave = KeySide::Linear;
        }
        JointTrack {
            joint: joint.to_owned(),
            unit,
            keys,
        }
    })
}

fn motion() -> impl Strategy<Value = KeyedMotion> {
    let tracks = (
        joint_track("HeadYaw"),
        joint_track("LKneePitch"),
        joint_track("LHand"),
    );
    let names = prop_oneof![Just("nod"), Just("über \"x\" & <y>"), Just("")];
    let lead = prop::option::of(0..5_000_000_000u64);
    (names, lead, any::<bool>(), tracks).prop_map(|(name, lead, loops, (a, b, c))| KeyedMotion {
        name: name.to_owned(),
        body: "nao".to_owned(),
        loops,
        lead,
        rate: None,
        sounds: vec![MotionSound {
            file: "song.ogg".to_owned(),
            at: 40_000_000,
        }],
        labels: vec![MotionLabel {
            name: "begin".to_owned(),
            at: 0,
        }],
        tracks: vec![a, b, c],
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn our_own_files_hold_every_motion(motion in motion()) {
        for format in [MotionFormat::Csv, MotionFormat::Json] {
            let document = MotionDocument::Motions(vec![motion.clone()]);
            let bytes = write(&document, format).expect("bytes");
            prop_assert_eq!(&read_as(format, &bytes).expect("a motion").document, &document);
            // Written again, it is the same file.
            let again = write(&read("a", &bytes).expect("a motion").document, format);
            prop_assert_eq!(again.expect("bytes"), bytes);
        }
    }

    #[test]
    fn every_format_holds_what_was_adapted_to_it(motion in motion()) {
        for format in MotionFormat::all() {
            if matches!(format, MotionFormat::Wyp | MotionFormat::Prm | MotionFormat::Reachy) {
                continue;
            }
            let (fitting, lost) = adapted(&motion, format, 0.01).expect("it fits");
            let document = MotionDocument::of_motions(&[fitting], format);
            let document = document.unwrap_or_else(|error| panic!("{}: {error}", format.name()));
            let bytes = write(&document, format);
            let bytes = bytes.unwrap_or_else(|error| panic!("{}: {error}", format.name()));
            let reading = read_as(format, &bytes).expect("a motion");
            prop_assert_eq!(&reading.document, &document);
            let own = matches!(format, MotionFormat::Csv | MotionFormat::Json);
            prop_assert_eq!(lost.is_empty(), own, "{}: {:?}", format.name(), lost);
        }
    }

    #[test]
    fn converted_motions_stay_near(motion in motion()) {
        // The positions at the keys are the same in every format, but for units and its steps of
        // time.
        for format in [MotionFormat::Webots, MotionFormat::Python, MotionFormat::Xar, MotionFormat::Trajectory] {
            let (fitting, _) = adapted(&motion, format, 0.01).expect("it fits");
            let document = MotionDocument::of_motions(&[fitting], format).expect("a document");
            let bytes = write(&document, format).expect("bytes");
            let reading = read_as(format, &bytes).expect("a motion");
            let after = reading.document.motions(&NoSurroundings, &mut Vec::new()).expect("motions");
            for (a, b) in motion.tracks.iter().zip(&after[0].tracks) {
                prop_assert_eq!(&a.joint, &b.joint);
                for key in &a.keys {
                    let found = value_at(b, key.time).expect("a value");
                    let difference = b.unit.to_si(found) - a.si(key);
                    prop_assert!(difference.abs() < 1e-9 * a.si(key).abs().max(1.0), "{} {difference}", format.name());
                }
            }
        }
    }

    #[test]
    fn lines_stay_within_the_error_of_every_kind_of_curve(motion in motion()) {
        let straight = straightened(&motion, 0.005).expect("lines");
        for (a, b) in motion.tracks.iter().zip(&straight.tracks) {
            let end = a.keys.last().map_or(0, |key| key.time);
            for step in 0..400 {
                let time = end * step / 400;
                let (Some(x), Some(y)) = (value_at(a, time), value_at(b, time)) else { continue };
                let off = (a.unit.to_si(x) - b.unit.to_si(y)).abs();
                prop_assert!(off <= 0.005 + 1e-6, "{off} at {time} of {}", a.joint);
            }
        }
    }

    #[test]
    fn a_mapping_forth_and_back_is_none(motion in motion(), scale in 0.25..4.0f64, minus in any::<bool>()) {
        let rule = |from: &str, to: &str| JointRule {
            from: from.to_owned(),
            to: Some(to.to_owned()),
            scale: if minus { -1.0 } else { 1.0 },
            offset: 0.0,
            place: None,
        };
        let map = JointMap {
            joints: vec![rule("HeadYaw", "neck pan"), rule("LHand", "grip")],
            ..JointMap::default()
        };
        let there = map.apply(&motion).expect("mapped");
        prop_assert_eq!(&there.tracks[0].joint, "neck pan");
        prop_assert_eq!(&map.inverse().apply(&there).expect("mapped"), &motion);
        let mut scaled = map.clone();
        scaled.joints[0].scale = scale;
        scaled.joints[0].offset = 0.5;
        let there = scaled.apply(&motion).expect("mapped");
        for (a, b) in motion.tracks[0].keys.iter().zip(&there.tracks[0].keys) {
            let expected = motion.tracks[0].si(a) * scale + 0.5;
            prop_assert!((there.tracks[0].si(b) - expected).abs() < 1e-9);
        }
        let text = scaled.write();
        prop_assert_eq!(&JointMap::read(text.as_bytes()).expect("a mapping"), &scaled);
    }
}

#[test]
fn lengths_keep_their_units() {
    let text = b"actuator,time,value\nA,1,2.5cm\nB,1,15mm\nC,1,1cm\nC,2,1m\n";
    let reading = read("a.csv", text).expect("a motion");
    let motion = &reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion")[0];
    let si = |at: usize| motion.tracks[at].si(&motion.tracks[at].keys[0]);
    assert_eq!((si(0), si(1), si(2)), (0.025, 0.015, 0.01));
    let bytes = write(&reading.document, MotionFormat::Csv).expect("bytes");
    assert!(bytes.starts_with(b"actuator,time,value\nA,1,2.5cm\nB,1,15mm\nC,1,0.01m\n"));
}

#[test]
fn left_and_right_come_from_one_name() {
    let text = b"actuator,time,value\nKnee,1,0.5\nLHip,1,0.1\nHip,1,0.2\nTail,1,0\n";
    let reading = read("a.csv", text).expect("a motion");
    let motion = &reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion")[0];
    let body = ["LKnee", "RKnee", "LHip", "RHip"];
    let out = paired(motion, &|value| body.contains(&value));
    let all: Vec<_> = out
        .tracks
        .iter()
        .map(|track| (&*track.joint, track.keys[0].value))
        .collect();
    let expected = [
        ("LKnee", 0.5),
        ("RKnee", 0.5),
        ("LHip", 0.1),
        ("RHip", 0.2),
        ("Tail", 0.0),
    ];
    assert_eq!(all, expected);
}

#[test]
fn a_motion_is_mirrored() {
    let map = b"mirror = true\nflip = [\"*Roll\", \"Head*\"]\n[joints]\n\"Tail\" = false\n";
    let map = JointMap::read(map).expect("a mapping");
    let text = b"time,LShoulderRoll,RKneePitch,HeadYaw,Tail\n0,0.5,1,0.25,3\n";
    let reading = read("a.csv", text).expect("a motion");
    let motion = &reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion")[0];
    let out = map.apply(motion).expect("mapped");
    let all: Vec<_> = out
        .tracks
        .iter()
        .map(|track| (&*track.joint, track.keys[0].value))
        .collect();
    assert_eq!(
        all,
        [
            ("RShoulderRoll", -0.5),
            ("LKneePitch", 1.0),
            ("HeadYaw", -0.25)
        ]
    );
    let both = JointMap::read(b"[joints]\nHeadYaw = \"LShoulderRoll\"\n").expect("a mapping");
    let fault = both.apply(motion).expect_err("two joints").to_string();
    assert!(
        fault.starts_with("two joints of the motion come to `LShoulderRoll`"),
        "{fault}"
    );
    assert!(
        fault.contains("`HeadYaw` (line 2, column 1 of the mapping file)"),
        "{fault}"
    );
    let map = JointMap::read(b"# x\n[joints]\na = \"c\"\n b = \"c\"\n").expect("a mapping");
    let text = b"time,a,b\n0,1,1\n";
    let motions = read("a.csv", text)
        .expect("a table")
        .document
        .motions(&NoSurroundings, &mut Vec::new());
    let fault = map
        .apply(&motions.expect("one")[0])
        .expect_err("two joints");
    assert_eq!(
        fault.mistake(text).to_string(),
        "line 1, column 8: two joints of the motion come to `c`: `a` (line 3, column 1 of the mapping file) and `b` \
         (line 4, column 2 of the mapping file); fix: leave one out: \"name\" = false"
    );
}

#[test]
fn shares_of_a_range_become_what_a_mapping_file_says() {
    let map = "[joints]\n\"9\" = { to = \"LHand\", range = [0.25, -0.5] }\n";
    let map = JointMap::read(map.as_bytes()).expect("a mapping");
    assert_eq!(map, JointMap::read(map.write().as_bytes()).expect("again"));
    let doors = read("doors.json", super::sample("doors.json")).expect("an export");
    let sentence = "values are shares of each effector's range, from 0 to 1; a mapping file says what that range is \
                 for a joint: \"10\" = { to = \"HeadYaw\", range = [-1.5, 1.5] }";
    assert!(
        doors
            .remarks
            .iter()
            .any(|remark| remark.sentence == sentence),
        "{:?}",
        doors.remarks
    );
    let motions = doors.document.motions(&NoSurroundings, &mut Vec::new());
    let motion = map.apply(&motions.expect("motions")[0]).expect("mapped");
    let hand = motion.tracks.iter().find(|track| track.joint == "LHand");
    let values: Vec<_> = hand
        .expect("a hand")
        .keys
        .iter()
        .map(|key| key.value)
        .collect();
    // 4096, 8192 and 0 of 8192.
    assert_eq!(values, [-0.125, -0.5, 0.25]);
    // Back, it is what it was; what is no share is told.
    let back = map.inverse().apply(&motion).expect("mapped");
    assert!(
        adapted(&back, MotionFormat::Bottango, 0.01)
            .expect("it fits")
            .1
            .is_empty()
    );
    let (_, lost) = adapted(&motion, MotionFormat::Bottango, 0.01).expect("it fits");
    assert_eq!(
        lost,
        [
            "values of `LHand` are beyond 0 to 1, the shares of an effector's range; fix: map them with --map"
        ]
    );
}
