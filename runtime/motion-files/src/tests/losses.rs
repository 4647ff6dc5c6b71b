//! What the other program does not play, or a format cannot hold: it is played as there, and said.

use crate::motion::{BezierHandle, KeySide};
use crate::{
    JointKey, JointTrack, KeyedMotion, MotionDocument, MotionFormat, NoSurroundings, adapted, read,
    straightened, value_at, write,
};

const MS: u64 = 1_000_000;

/// The first motion of a text, and what was remarked.
pub(super) fn motion(name: &str, text: &str) -> (KeyedMotion, String) {
    let reading = read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let motions = reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let remarks: Vec<_> = reading.remarks.iter().map(ToString::to_string).collect();
    (motions[0].clone(), remarks.join("\n"))
}

/// Where a joint is at an instant, as it is played.
fn at(motion: &KeyedMotion, joint: &str, ms: u64) -> f64 {
    let straight = straightened(motion, 0.001).expect("lines");
    let track = straight.tracks.iter().find(|track| track.joint == joint);
    value_at(track.expect("the joint"), ms * MS).expect("a value")
}

/// What was lost, and the bytes of a motion in a format.
pub(super) fn converted(motion: &KeyedMotion, format: MotionFormat) -> (Vec<String>, Vec<u8>) {
    let (fitting, lost) = adapted(motion, format, 0.001).expect("it fits");
    let document = MotionDocument::of_motions(&[fitting], format);
    let document = document.unwrap_or_else(|error| panic!("{}: {error}", format.name()));
    let bytes = write(&document, format);
    (
        lost,
        bytes.unwrap_or_else(|error| panic!("{}: {error}", format.name())),
    )
}

#[test]
fn webots_moves_no_joint_on_the_way_to_a_star_or_from_it() {
    let text = "#WEBOTS_MOTION,V1.0,A,B,C\n00:00:000,Pose1,1,*,5\n00:01:000,Pose2,2,*,*\n\
        00:02:000,Pose3,*,7,*\n00:03:000,Pose4,4,*,*\n00:04:000,Pose5,6,*,9\n";
    let (motion, remarks) = motion("a.motion", text);
    let places = [
        (500, 1.5),
        (1_500, 2.0),
        (2_500, 2.0),
        (3_500, 5.0),
        (4_000, 6.0),
    ];
    for (ms, value) in places {
        assert!((at(&motion, "A", ms) - value).abs() < 1e-9, "A at {ms} ms");
    }
    // The first pose and the last are sent even beside `*`.
    assert!((at(&motion, "C", 3_900) - 5.0).abs() < 1e-9);
    assert!((at(&motion, "C", 4_000) - 9.0).abs() < 1e-9);
    // A value between two `*` never is.
    let track = motion.tracks.iter().find(|track| track.joint == "B");
    assert!(track.expect("B").keys.is_empty());
    assert_eq!(
        remarks,
        "line 4, column 19: `7` of `B` is left out: with * at the poses beside it Webots never sends it"
    );
}

#[test]
fn a_line_across_the_poses_of_other_joints_stays_one_in_webots() {
    let keys = |list: &[(u64, f64)]| {
        let keys = list
            .iter()
            .map(|pair| JointKey::linear(pair.0 * MS, pair.1));
        keys.collect()
    };
    let track = |joint: &str, list: &[(u64, f64)]| JointTrack {
        joint: joint.to_owned(),
        keys: keys(list),
        ..JointTrack::default()
    };
    let both = KeyedMotion {
        tracks: vec![
            track("A", &[(0, 0.0), (1_000, 4.0)]),
            track("B", &[(250, 1.0), (500, 3.0)]),
            track("C", &[(500, 7.0)]),
        ],
        ..KeyedMotion::default()
    };
    let (_, bytes) = converted(&both, MotionFormat::Webots);
    let text = String::from_utf8(bytes).expect("a text");
    let rows = "00:00:000,Pose1,0,*,*\n00:00:250,Pose2,1,1,*\n00:00:500,Pose3,2,3,7\n\
        00:01:000,Pose4,4,*,7\n";
    assert_eq!(text, format!("#WEBOTS_MOTION,V1.0,A,B,C\n{rows}"));
    let (again, remarks) = motion("a.motion", &text);
    for ms in [0, 250, 500, 750, 1_000] {
        assert_eq!(at(&again, "A", ms), at(&both, "A", ms), "A at {ms} ms");
    }
    assert_eq!((at(&again, "C", 600), &*remarks), (7.0, ""));
}

#[test]
fn an_aibo_has_keys_on_frames_from_the_start_on_and_what_moved_is_said() {
    let text = "actuator,time,value\nA,0.083,0.5\nA,0.084,1\nA,0.4,0\nB,0,0.25\n";
    let (keyed, _) = motion("a.csv", text);
    let (lost, bytes) = converted(&keyed, MotionFormat::Mtn);
    let said = [
        "keys moved to whole steps of the format's time, by 0.004 s at most",
        "the way to the first keys is lost: the format has keys at its start",
    ];
    assert_eq!(lost, said);
    let again = read("a.mtn", &bytes).expect("a motion").document;
    let again = again.motions(&NoSurroundings, &mut Vec::new());
    let keys = again.expect("a motion")[0].tracks[0].keys.clone();
    let keys: Vec<_> = keys.iter().map(|key| (key.time / MS, key.value)).collect();
    assert_eq!(keys, [(0, 5e5), (80, 5e5), (88, 1e6), (400, 0.0)]);
    // Without that, it is refused.
    let refused = MotionDocument::of_motions(&[keyed], MotionFormat::Mtn).expect_err("between");
    let sentence = "a key at 0.083 s, which is no frame of 8 ms";
    assert!(refused.to_string().contains(sentence), "{refused}");
    // Keys that would be on one frame are not lost in silence.
    let (keyed, _) = motion(
        "a.csv",
        "actuator,time,value\nA,0.8,1\nA,0.801,2\nA,0.802,3\n",
    );
    let (lost, _) = converted(&keyed, MotionFormat::Mtn);
    assert!(
        lost.iter()
            .any(|item| item
                == "2 keys are lost, for which the format's time has no step of their own"),
        "{lost:?}"
    );
}

/// A timeline of one curve with automatic tangents.
pub(super) fn timeline(frames: &str, keys: &str) -> String {
    format!(
        "<Timeline fps=\"10\" {frames}>\n<ActuatorList model=\"\">\n\
        <ActuatorCurve actuator=\"HeadYaw\" unit=\"1\">\n{keys}</ActuatorCurve>\n\
        </ActuatorList>\n</Timeline>\n"
    )
}

#[test]
fn only_the_part_of_a_timeline_between_its_frames_is_played() {
    let keys = "<Key frame=\"0\" value=\"0\"/>\n<Key frame=\"20\" value=\"1\"/>\n\
        <Key frame=\"30\" value=\"3\"/>\n<Key frame=\"60\" value=\"-1\"/>\n";
    let (whole, none) = motion(
        "a.xar",
        &timeline("start_frame=\"1\" end_frame=\"-1\"", keys),
    );
    assert_eq!(none, "");
    let (part, remarks) = motion(
        "a.xar",
        &timeline("start_frame=\"11\" end_frame=\"40\"", keys),
    );
    assert_eq!(
        remarks,
        "line 1, column 1: only the frames 11 to 40 are played: start_frame and end_frame say so"
    );
    let times: Vec<_> = part.tracks[0]
        .keys
        .iter()
        .map(|key| key.time / MS)
        .collect();
    assert_eq!(times, [100, 1_000, 2_000, 3_000]);
    for ms in (100..=3_000).step_by(50) {
        let [cut, own] = [(&part, ms), (&whole, ms + 1_000)]
            .map(|(motion, ms)| value_at(&motion.tracks[0], ms * MS).expect("a value"));
        assert!((cut - own).abs() < 1e-6, "{cut}, not {own} at {ms} ms");
    }
    let failure = read(
        "a.xar",
        timeline("start_frame=\"5\" end_frame=\"4\"", keys).as_bytes(),
    );
    let begin = "line 1, column 1: the end_frame 4 is before the start_frame 5";
    assert_eq!(failure.expect_err("backward").to_string(), begin);
}

#[test]
fn a_curve_of_choregraphe_that_goes_back_in_time_has_a_place() {
    let tangent =
        "<Tangent side=\"right\" interpType=\"bezier\" abscissaParam=\"25\" ordinateParam=\"0\"/>";
    let keys = format!(
        "<Key frame=\"0\" value=\"0\">{tangent}</Key>\n  <Key frame=\"20\" value=\"1\"/>\n"
    );
    let failure = read("a.xar", timeline("", &keys).as_bytes()).expect_err("backward");
    let begin = "line 5, column 3: the curve of `HeadYaw` before this key goes back in time";
    assert!(failure.to_string().starts_with(begin), "{failure}");
}

#[test]
fn a_second_trajectory_in_a_file_is_not_lost_in_silence() {
    let one = "joint_names: [A]\npoints:\n- positions: [1]\n  time_from_start: {sec: 1}\n";
    let (single, _) = motion("a.yaml", &format!("{one}---\n"));
    assert_eq!(single.tracks.len(), 1);
    let two = read("a.yaml", format!("{one}---\n{one}").as_bytes()).expect("two");
    let motions = two.document.motions(&NoSurroundings, &mut Vec::new());
    assert_eq!(motions.expect("two").len(), 2);
}

#[test]
fn splines_and_sides_of_two_kinds_are_the_same_curves_as_handles() {
    let mut random = fastrand::Rng::with_seed(13);
    for round in 0..30 {
        let mut time = 0;
        let count = random.usize(2..6);
        let keys = (0..count).map(|_| {
            time += random.u64(1..40) * 40_000_000;
            let mut side = |sign: i64| match random.u32(0..4) {
                0 => KeySide::Linear,
                1 | 2 => KeySide::Spline,
                _ => KeySide::Bezier(BezierHandle {
                    time: sign * random.i64(0..13_000_000),
                    value: random.f64() - 0.5,
                }),
            };
            let (arrive, leave) = (side(-1), side(1));
            JointKey {
                time,
                value: random.f64() * 2.0 - 1.0,
                weight: 1.0,
                arrive,
                leave,
            }
        });
        let track = JointTrack {
            joint: "HeadYaw".to_owned(),
            keys: keys.collect(),
            ..JointTrack::default()
        };
        let motion = KeyedMotion {
            tracks: vec![track.clone()],
            ..KeyedMotion::default()
        };
        for format in [MotionFormat::Python, MotionFormat::Csv, MotionFormat::Json] {
            let (fitted, lost) = adapted(&motion, format, 0.001).expect("curves");
            assert_eq!(lost, Vec::<String>::new(), "round {round}, {format:?}");
            for at in (0..=time).step_by(7_000_000) {
                let (one, other) = (value_at(&track, at), value_at(&fitted.tracks[0], at));
                let (Some(one), Some(other)) = (one, other) else {
                    assert_eq!(one, other);
                    continue;
                };
                assert!(
                    (one - other).abs() < 1e-6,
                    "round {round}, {format:?}: {one} and {other}"
                );
            }
        }
    }
}
