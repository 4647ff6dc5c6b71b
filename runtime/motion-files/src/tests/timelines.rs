//! Timelines of Choregraphe, and its Python export, in other formats: sampled, they are the same.

use super::losses::{converted, motion, timeline};
use crate::{JointTrack, KeyedMotion, MotionFormat, NoSurroundings, read, value_at};

/// The greatest difference of a motion and what was written of it, at 100 instants, in SI.
fn farthest(one: &KeyedMotion, bytes: &[u8], format: MotionFormat) -> f64 {
    let document = crate::read_as(format, bytes)
        .expect("what was written")
        .document;
    let other = document.motions(&NoSurroundings, &mut Vec::new());
    let other = other.expect("a motion").remove(0);
    assert_eq!(one.tracks.len(), other.tracks.len());
    let mut most = 0.0_f64;
    for (a, b) in one.tracks.iter().zip(&other.tracks) {
        assert_eq!(a.joint, b.joint);
        for number in 0..=100 {
            let time = one.end() * number / 100;
            let value =
                |track: &JointTrack| track.unit.to_si(value_at(track, time).expect("a value"));
            most = most.max((value(a) - value(b)).abs());
        }
    }
    most
}

/// A curve of a timeline with these tangents on both sides of each key.
fn curve_of(kind: &str, joint: &str, keys: &[(u32, f64)]) -> String {
    let side = |side: &str, frames: f64, value: f64| match kind {
        "automatic" => String::new(),
        _ => format!(
            "<Tangent side=\"{side}\" interpType=\"{kind}\" abscissaParam=\"{frames}\" ordinateParam=\"{value}\"/>"
        ),
    };
    let key = |pair: &(u32, f64)| {
        let (left, right) = (side("left", -3.0, 4.0), side("right", 2.5, -2.0));
        format!(
            "<Key frame=\"{}\" value=\"{}\">{left}{right}</Key>\n",
            pair.0, pair.1
        )
    };
    let keys: String = keys.iter().map(key).collect();
    format!("<ActuatorCurve actuator=\"{joint}\" unit=\"0\">\n{keys}</ActuatorCurve>\n")
}

#[test]
fn every_curve_of_a_timeline_becomes_python() {
    let three = [(10, -30.0), (25, 20.0), (60, 35.0)];
    for kind in ["linear", "bezier", "bezier_auto", "automatic", "constant"] {
        // A single key has two sides that lead nowhere, as have the ends of a curve.
        let curves = [
            curve_of(kind, "HeadYaw", &three),
            curve_of(kind, "HeadPitch", &three[1..2]),
        ];
        let text = format!(
            "<Timeline fps=\"25\"><ActuatorList model=\"\">\n{}</ActuatorList></Timeline>\n",
            curves.concat()
        );
        let (timeline, _) = motion("a.xar", &text);
        let (lost, bytes) = converted(&timeline, MotionFormat::Python);
        assert_eq!(lost, Vec::<String>::new(), "{kind}");
        let far = farthest(&timeline, &bytes, MotionFormat::Python);
        assert!(far < 1e-6, "{kind}: {far}");
        let (_, table) = converted(&timeline, MotionFormat::Csv);
        assert!(
            farthest(&timeline, &table, MotionFormat::Csv) < 1e-6,
            "{kind}"
        );
    }
}

#[test]
fn a_constant_key_before_an_automatic_one_stays_a_step() {
    let right = "<Tangent side=\"right\" interpType=\"constant\"/>";
    let keys =
        format!("<Key frame=\"5\" value=\"10\">{right}</Key>\n<Key frame=\"20\" value=\"30\"/>\n");
    let (timeline, _) = motion("a.xar", &timeline("", &keys));
    for format in [MotionFormat::Python, MotionFormat::Csv, MotionFormat::Json] {
        let (lost, bytes) = converted(&timeline, format);
        assert_eq!(lost, Vec::<String>::new());
        assert_eq!(farthest(&timeline, &bytes, format), 0.0);
    }
}

#[test]
fn python_with_a_single_key_becomes_an_export_of_bottango() {
    let text = "names = []\ntimes = []\nkeys = []\nnames.append(\"1\")\ntimes.append([0.5])\n\
        keys.append([[0.25, [3, -0.1, 0.1], [3, 0.1, 0.2]]])\nnames.append(\"2\")\ntimes.append([0.5, 1, 1.5])\n\
        keys.append([[0.25, [3, -0.1, 0.1], [3, 0.1, 0.2]], [0.5, [1, 0, 0], [3, 0.1, 0.1]], \
        [0.75, [2, -0.2, 0.1], [3, 1, 1]]])\n";
    let (played, _) = motion("a.py", text);
    let (lost, bytes) = converted(&played, MotionFormat::Bottango);
    assert_eq!(
        lost,
        ["`1` has a second key 1 ms behind its only one: the format has curves alone"]
    );
    // Shares are whole 8,192ths, handles whole ms.
    let far = farthest(&played, &bytes, MotionFormat::Bottango);
    assert!(far < 2e-3, "{far}");
}

#[test]
fn a_timeline_that_is_not_enabled_is_left_out() {
    let text = timeline("", "<Key frame=\"0\" value=\"0\"/>\n");
    let one = text
        .replace("<Timeline ", "<Box name=\"Off\"><Timeline enable=\"0\" ")
        .replace("</Timeline>", "</Timeline></Box>");
    let other = text
        .replace("<Timeline ", "<Box name=\"On\"><Timeline enable=\"1\" ")
        .replace("</Timeline>", "</Timeline></Box>");
    let project = |boxes: &[&str]| {
        format!(
            "<ChoregrapheProject>\n{}</ChoregrapheProject>\n",
            boxes.concat()
        )
    };
    let reading = read("a.xar", project(&[&one, &other]).as_bytes()).expect("a project");
    let motions = reading
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect("a motion");
    let names: Vec<_> = motions.iter().map(|motion| &*motion.name).collect();
    assert_eq!(names, ["On"]);
    let remarks: Vec<_> = reading.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        remarks,
        ["line 2, column 17: the timeline of `Off` is not enabled, and left out"]
    );
    let failure = read("a.xar", project(&[&one]).as_bytes()).expect_err("nothing is played");
    assert_eq!(
        failure.to_string(),
        "line 1, column 1: the timelines with curves are not enabled: Choregraphe does not play them; fix: write \
         enable=\"1\""
    );
}

#[test]
fn a_unit_that_is_none_and_an_animation_that_repeats() {
    let text = "<Animation typeVersion=\"2.0\" repeatCycles=\"3\">\
                <ActuatorCurve fps=\"25\" actuator=\"HeadYaw\" unit=\"-1\">\
                <Key value=\"90\" frame=\"25\"/></ActuatorCurve>\
                <ActuatorCurve fps=\"25\" actuator=\"LHand\" unit=\"-1\">\
                <Key value=\"0.5\" frame=\"25\"/></ActuatorCurve></Animation>\n";
    let (turn, remarks) = motion("a.qianim", text);
    let values: Vec<f64> = turn
        .tracks
        .iter()
        .map(|track| track.si(&track.keys[0]))
        .collect();
    assert_eq!(values, [90_f64.to_radians(), 0.5]);
    assert_eq!(
        remarks,
        "line 1, column 1: repeatCycles is `3`: the motion is played once; fix: play it as often"
    );
    for cycles in ["", "1", " 1 "] {
        let (_, remarks) = motion("a.qianim", &text.replace("\"3\"", &format!("\"{cycles}\"")));
        assert_eq!(remarks, "");
    }
}
