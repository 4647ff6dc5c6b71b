//! Skills against a simulation of their states, step by step.

use proptest::prelude::*;

use crate::{
    JointKey, JointTrack, KeyedMotion, MotionDocument, MotionFormat, NoSurroundings, adapted, read,
    value_at, write,
};

const MS: u64 = 1_000_000;
const JOINTS: [&str; 4] = ["EFF_LL1", "EFF_LL2", "EFF_RL2", "EFF_H1"];

/// The motion of this name in a text.
fn motion(text: &str, name: &str) -> KeyedMotion {
    let reading = read("a.skill", text.as_bytes()).unwrap_or_else(|it| panic!("{it}"));
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    let motions = motions.unwrap_or_else(|it| panic!("{it}"));
    motions
        .into_iter()
        .find(|it| it.name == name)
        .expect("the skill")
}

fn at(motion: &KeyedMotion, joint: &str, ms: u64) -> Option<f64> {
    let track = motion.tracks.iter().find(|it| it.joint == joint)?;
    value_at(track, ms * MS)
}

#[test]
fn a_mirror_image_of_a_skill_is_one_as_well() {
    let text = "STARTSKILL S\nSTARTSTATE\nsettar EFF_LL1 1 EFF_LL2 (4/2) EFF_LA3 3 EFF_H1 2*2 end\n\
        wait (1+1)/4 end\nENDSTATE\nENDSKILL\nREFLECTSKILL S T\n";
    let image = motion(text, "T");
    let values: Vec<_> = image
        .tracks
        .iter()
        .map(|it| (&*it.joint, it.keys[0].value))
        .collect();
    assert_eq!(
        values,
        [
            ("EFF_RL1", 1.0),
            ("EFF_RL2", -2.0),
            ("EFF_RA3", -3.0),
            ("EFF_H1", -4.0)
        ]
    );
    assert_eq!(image.end(), 500 * MS);
    let failure = read("a.skill", text.replace("SKILL S T", "SKILL X T").as_bytes());
    let failure = failure
        .expect("lines")
        .document
        .motions(&NoSurroundings, &mut Vec::new());
    let failure = failure.expect_err("no such skill").to_string();
    assert!(
        failure.starts_with("line 7") && failure.contains("no skill `X`"),
        "{failure}"
    );
}

proptest! {
    /// Each state moves what it names from where it is, and nothing else.
    #[test]
    fn a_joint_moves_only_in_states_that_name_it(
        states in prop::collection::vec((1u64..50, prop::collection::btree_map(0usize..4, -90i32..90, 0..4)), 1..8),
    ) {
        let mut text = "STARTSKILL S\n".to_owned();
        for (wait, targets) in &states {
            text.push_str("STARTSTATE\n");
            if !targets.is_empty() {
                let list: Vec<_> = targets.iter().map(|it| format!("{} {}", JOINTS[*it.0], it.1)).collect();
                text.push_str(&format!("settar {} end\n", list.join(" ")));
            }
            text.push_str(&format!("wait {} end\nENDSTATE\n", *wait as f64 / 100.0));
        }
        text.push_str("ENDSKILL\n");
        let motion = motion(&text, "S");
        let mut values = [None::<f64>; 4];
        let mut begin = 0;
        for (wait, targets) in &states {
            for part in 0..=*wait {
                for (joint, name) in JOINTS.iter().enumerate() {
                    // From where it is that was never sent, nobody knows.
                    let Some(from) = values[joint] else { continue };
                    let to = targets.get(&joint).map_or(from, |it| f64::from(*it));
                    let expected = from + (to - from) * part as f64 / *wait as f64;
                    let is = at(&motion, name, begin + part * 10).expect("a value");
                    let ms = begin + part * 10;
                    prop_assert!((is - expected).abs() < 1e-9, "{} at {}: {}, not {}", name, ms, is, expected);
                }
            }
            begin += wait * 10;
            for (joint, value) in targets {
                values[*joint] = Some(f64::from(*value));
            }
        }
    }

    /// A motion that is written as a skill has the same values at all of its keys.
    #[test]
    fn a_motion_as_a_skill_is_the_same_between_its_first_and_last_keys(
        tracks in prop::collection::vec(prop::collection::btree_map(1u64..100, -90i32..90, 1..6), 1..4),
    ) {
        let tracks = tracks.iter().zip(JOINTS).map(|(keys, joint)| JointTrack {
            joint: joint.to_owned(),
            unit: crate::ValueUnit::Degree,
            keys: keys.iter().map(|it| JointKey::linear(it.0 * 10 * MS, f64::from(*it.1))).collect(),
        });
        let before = KeyedMotion { name: "S".to_owned(), tracks: tracks.collect(), ..KeyedMotion::default() };
        let (fitted, _) = adapted(&before, MotionFormat::Skill, 0.001).expect("lines");
        let named = KeyedMotion { name: "S".to_owned(), ..fitted };
        let document = MotionDocument::of_motions(&[named], MotionFormat::Skill);
        let bytes = write(&document.expect("room"), MotionFormat::Skill).expect("a file");
        let after = motion(std::str::from_utf8(&bytes).expect("a text"), "S");
        for track in &before.tracks {
            let (first, last) = (track.keys[0].time / MS, track.keys.last().expect("one").time / MS);
            for ms in (first..=last).step_by(5) {
                let (was, is) = (at(&before, &track.joint, ms), at(&after, &track.joint, ms));
                prop_assert!((was.expect("a value") - is.expect("a value")).abs() < 1e-9, "{} at {}", track.joint, ms);
            }
            for key in &track.keys {
                prop_assert_eq!(at(&after, &track.joint, key.time / MS), Some(key.value));
            }
        }
    }
}
