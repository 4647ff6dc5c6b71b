//! Motions that are written with the steps of another format: which keys there are, and what is said of the others.

use super::losses::{converted, motion};
use crate::{MotionFormat, NoSurroundings, adapted, value_at};

const MS: u64 = 1_000_000;

/// One joint with an ease that a project of Choregraphe cannot hold, beside joints with curves that it can.
const EASED: &str = "actuator,time,value,ease\nHeadYaw,0.4,0.1,spline\nHeadYaw,0.8,0.5,spline\n\
                     HeadYaw,1.6,-0.5,spline\n\
                     HeadYaw,2.0,0.3,\nHeadPitch,0.4,0.0,bezier(0.1 0.2 / -0.1 0.1)\nHeadPitch,1.2,0.4,\n\
                     LHand,0.4,0.1,min-jerk\nLHand,1.2,0.9,\n";

#[test]
fn only_the_joint_whose_curve_does_not_fit_becomes_lines() {
    let (before, _) = motion("a.csv", EASED);
    let (lost, bytes) = converted(&before, MotionFormat::Xar);
    let text = String::from_utf8(bytes).expect("a text");
    assert!(
        lost[0].starts_with("the curves of `LHand` became lines, no further than 0.0"),
        "{lost:?}"
    );
    let (after, _) = motion("a.xar", &text);
    for (track, other) in before.tracks.iter().zip(&after.tracks) {
        let is_eased = track.joint == "LHand";
        assert_eq!(
            is_eased,
            track.keys.len() != other.keys.len(),
            "{}",
            track.joint
        );
        // 10 t^3 - 15 t^4 + 6 t^5, at each of its frames of 40 ms.
        for key in other.keys.iter().filter(|_| is_eased) {
            let share = (key.time as f64 / 1e9 - 0.4) / 0.8;
            let eased = share.powi(3) * (10.0 - 15.0 * share + 6.0 * share * share);
            assert!((key.value - (0.1 + 0.8 * eased)).abs() < 1e-9, "{key:?}");
        }
        for ms in (400..=2_000).step_by(7) {
            let one = track.unit.to_si(value_at(track, ms * MS).expect("a value"));
            let two = other.unit.to_si(value_at(other, ms * MS).expect("a value"));
            let most = if is_eased { 0.01 } else { 1e-6 };
            assert!(
                (one - two).abs() < most,
                "{} at {ms} ms: {one} {two}",
                track.joint
            );
        }
    }
}

/// The lines of fast curves on coarse steps: what is said of their error is true, and not far from the truth.
#[test]
fn how_far_lines_are_from_curves_is_measured_on_the_steps() {
    for (end, format) in [
        (0.5, MotionFormat::Xar),
        (0.1, MotionFormat::Mtn),
        (0.11, MotionFormat::Webots),
    ] {
        let text = format!(
            "actuator,time,value,ease\nA,0,0,min-jerk\nA,{end},1.5,ease-in-out\nA,{},0,\n",
            2.0 * end
        );
        let (before, _) = motion("a.csv", &text);
        let (after, lost) = adapted(&before, format, 0.001).expect("it fits");
        let (one, other) = (&before.tracks[0], &after.tracks[0]);
        let mut most = 0.0_f64;
        for place in 0..(end * 2e4) as u64 {
            let time = place * 100_000;
            let place = value_at(one, time).expect("a value");
            let there = other.unit.to_si(value_at(other, time).expect("a value"));
            most = most.max((place - there).abs());
        }
        let said = lost[0]
            .split("than ")
            .nth(1)
            .and_then(|part| part.split(' ').next());
        let said: f64 = said.and_then(|text| text.parse().ok()).expect("a number");
        assert!(
            most <= said * 1.02 && said <= (most * 1.2).max(0.001),
            "{format:?}: {most}, said {lost:?}"
        );
    }
}

#[test]
fn a_trajectory_has_the_points_that_there_are() {
    for format in [MotionFormat::Trajectory, MotionFormat::Mcap] {
        let (before, _) = motion("a.csv", "actuator,time,value\nA,0.5,1\nA,1,2\nB,0.5,3\n");
        let (lost, bytes) = converted(&before, format);
        assert_eq!(lost, [""; 0], "{format:?}");
        let document = crate::read_as(format, &bytes)
            .expect("a trajectory")
            .document;
        let after = document
            .motions(&NoSurroundings, &mut Vec::new())
            .expect("a motion");
        let keys: Vec<_> = after[0].tracks[0]
            .keys
            .iter()
            .map(|key| (key.time / MS, key.value))
            .collect();
        assert_eq!(keys, [(500, 1.0), (1_000, 2.0)], "{format:?}");
        // A point has all joints: the one that begins later is told so.
        let (before, _) = motion("a.csv", "actuator,time,value\nA,0.5,1\nA,1,2\nB,1,3\n");
        let (lost, _) = converted(&before, format);
        let sentence = "the way to the first keys of some joints is lost: the first point of the format has all joints";
        assert_eq!(lost, [sentence], "{format:?}");
    }
}

/// Joints that begin one after the other, in another order than they stand in.
#[test]
fn a_file_that_we_wrote_comes_back_byte_for_byte_whichever_joint_begins() {
    for (times, format) in [
        ([0.5, 1.0, 0.25], MotionFormat::Mot),
        ([0.5, 1.0, 0.25], MotionFormat::Bottango),
        ([1.0, 0.5, 0.5], MotionFormat::Mot),
        ([1.0, 0.5, 0.5], MotionFormat::Bottango),
    ] {
        let [a, b, c] = times;
        let text = format!(
            "actuator,time,value,ease\nA,{a},0.1,\nB,{b},0.2,step\nC,{c},0.3,\nA,1.5,0.2,\nB,1.5,0.3,\nC,1.5,0.4,\n\
             A,2,0.2,\nB,2,0.4,\nC,2,0.4,\n"
        );
        let (before, _) = motion("a.csv", &text);
        let (_, first) = converted(&before, format);
        let read = crate::read_as(format, &first)
            .expect("what was written")
            .document;
        let again = read
            .motions(&NoSurroundings, &mut Vec::new())
            .expect("a motion");
        let (_, second) = converted(&again[0], format);
        let texts = [first, second].map(|value| String::from_utf8(value).expect("a text"));
        assert_eq!(texts[0], texts[1], "{format:?} {times:?}");
    }
}
