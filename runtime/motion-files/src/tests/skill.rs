//! Skills against a simulation of their states, step by step.

use proptest::prelude::*;

use crate::{
    JointKey, JointMap, JointTrack, KeyedMotion, MotionDocument, MotionFormat, NoSurroundings,
    adapted, read, value_at, write,
};

const MS: u64 = 1_000_000;
const JOINTS: [&str; 4] = ["EFF_LL1", "EFF_LL2", "EFF_RL2", "EFF_H1"];

/// The motion of this name in a text.
fn motion(text: &str, name: &str) -> KeyedMotion {
    let reading = read("a.skill", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    let motions = motions.unwrap_or_else(|error| panic!("{error}"));
    motions
        .into_iter()
        .find(|motion| motion.name == name)
        .expect("the skill")
}

fn at(motion: &KeyedMotion, joint: &str, ms: u64) -> Option<f64> {
    let track = motion.tracks.iter().find(|track| track.joint == joint)?;
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
        .map(|track| (&*track.joint, track.keys[0].value))
        .collect();
    assert_eq!(
        values,
        [
            ("EFF_RL1", 1.0),
            ("EFF_RL2", -2.0),
            ("EFF_RA3", -3.0),
            ("EFF_H1", 4.0)
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

#[test]
fn the_mirror_image_of_the_motors_of_the_simulation_changes_sides() {
    let text = "STARTSKILL S\nSTARTSTATE\nsettar lle1 1 rle2 2 lae3 3 rae4 4 lle5 5 rle6 6 lae1 7 rae2 8 \
        he1 9 he2 10 end\n\
                ENDSTATE\nENDSKILL\nREFLECTSKILL S T\n";
    let values = |motion: &KeyedMotion| -> Vec<(String, f64)> {
        let value = |track: &JointTrack| (track.joint.clone(), track.keys[0].value);
        motion.tracks.iter().map(value).collect()
    };
    let image = values(&motion(text, "T"));
    // As the axes of the simulation's NAO lie; UT Austin's players leave the head as it is.
    let wanted = [
        ("rle1", 1.0),
        ("lle2", -2.0),
        ("rae3", -3.0),
        ("lae4", -4.0),
        ("rle5", 5.0),
        ("lle6", -6.0),
        ("rae1", 7.0),
        ("lae2", -8.0),
        ("he1", 9.0),
        ("he2", 10.0),
    ];
    assert_eq!(
        image,
        wanted.map(|(joint, value)| (joint.to_owned(), value))
    );
    // The mirror image of a whole motion looks to the other side.
    let mirror = JointMap {
        mirror: true,
        ..JointMap::default()
    };
    let mirrored = values(&mirror.apply(&motion(text, "S")).expect("one name each"));
    let other = |(joint, value): &(String, f64)| {
        let sign = if joint == "he1" { -1.0 } else { 1.0 };
        (joint.clone(), sign * value)
    };
    assert_eq!(mirrored, image.iter().map(other).collect::<Vec<_>>());
}

/// A sum or product as words that need blanks, and its value.
fn expression(random: &mut fastrand::Rng, depth: usize) -> (Vec<String>, f64) {
    let (mut words, mut value) = factor(random, depth);
    if random.bool() {
        let (more, factor) = factor(random, depth);
        words.push("*".to_owned());
        words.extend(more);
        value *= factor;
    }
    if random.bool() {
        let (more, term) = factor(random, depth);
        let is_plus = random.bool();
        words.push(if is_plus { "+" } else { "-" }.to_owned());
        words.extend(more);
        value += if is_plus { term } else { -term };
    }
    (words, value)
}

fn factor(random: &mut fastrand::Rng, depth: usize) -> (Vec<String>, f64) {
    if depth > 0 && random.bool() {
        let (inside, value) = expression(random, depth - 1);
        let mut words = vec!["(".to_owned()];
        words.extend(inside);
        words.push(")".to_owned());
        return (words, value);
    }
    let number = random.u32(0..50);
    (vec![number.to_string()], f64::from(number))
}

#[test]
fn sums_and_products_have_blanks_and_lines_as_they_like() {
    let mut random = fastrand::Rng::with_seed(61);
    for _ in 0..500 {
        let mut list = Vec::new();
        let mut wanted = Vec::new();
        for joint in &JOINTS[..random.usize(1..5)] {
            let (words, value) = expression(&mut random, 2);
            let mut text = String::new();
            for word in words {
                let blank = if text.is_empty() {
                    ""
                } else {
                    [" ", "", "  ", "\n"][random.usize(0..4)]
                };
                text = text + blank + &word;
            }
            list.push(format!("{joint} {text}"));
            wanted.push(((*joint).to_owned(), value));
        }
        let between = [" ", "\n  "][random.usize(0..2)];
        let text = format!(
            "STARTSKILL S\nSTARTSTATE\nsettar {}{between}end\nwait 1 / 4 end\nENDSTATE\nENDSKILL\n",
            list.join(between)
        );
        let motion = motion(&text, "S");
        let found: Vec<_> = motion
            .tracks
            .iter()
            .map(|track| (track.joint.clone(), track.keys[0].value))
            .collect();
        assert_eq!(found, wanted, "{text}");
        assert_eq!(motion.end(), 250 * MS);
    }
}

#[test]
fn a_list_that_does_not_end_before_the_next_command_is_a_mistake() {
    let text =
        "STARTSKILL S\nSTARTSTATE\nsettar EFF_LL1 1\nEFF_LL2 2\nwait 1 end\nENDSTATE\nENDSKILL\n";
    let failure = read("a.skill", text.as_bytes())
        .expect_err("no end")
        .to_string();
    assert_eq!(
        failure,
        "line 4, column 10: expected joints, and `end` behind them"
    );
    // A mistake in a line of the list has the place of its word.
    let text = text.replace("EFF_LL2 2", "EFF_LL2 $two end");
    let read = read("a.skill", text.as_bytes()).expect("a list");
    let failure = read
        .document
        .motions(&NoSurroundings, &mut Vec::new())
        .expect_err("no value");
    assert_eq!(
        failure.to_string(),
        "line 4, column 9: the skill needs values for `two`, which its player gives; fix: write numbers in their places"
    );
}

#[test]
fn a_joint_that_only_a_later_state_names_waits_for_it() {
    let text = "STARTSKILL S\nSTARTSTATE\nsettar EFF_LL1 10 end\nwait 1 end\nENDSTATE\nSTARTSTATE\n\
                settar EFF_LL1 10 EFF_RL2 40 end\nwait 1 end\nENDSTATE\nENDSKILL\n";
    let motion = motion(text, "S");
    let keys = |joint: &str| {
        let track = motion
            .tracks
            .iter()
            .find(|track| track.joint == joint)
            .expect("it is moved");
        track
            .keys
            .iter()
            .map(|key| (key.time / MS, key.value, key.weight))
            .collect::<Vec<_>>()
    };
    assert_eq!(keys("EFF_LL1"), [(1_000, 10.0, 1.0), (2_000, 10.0, 1.0)]);
    assert_eq!(keys("EFF_RL2"), [(1_000, 40.0, 0.0), (2_000, 40.0, 1.0)]);
    let (fitted, lost) = adapted(&motion, MotionFormat::Csv, 0.001).expect("lines");
    assert_eq!(
        lost,
        ["`EFF_RL2` stays where it is until 1 s: that is lost"]
    );
    assert_eq!(fitted.tracks[1].keys.len(), 1);
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
                let list: Vec<_> = targets.iter().map(|target| format!("{} {}", JOINTS[*target.0], target.1)).collect();
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
                    let to = targets.get(&joint).map_or(from, |target| f64::from(*target));
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
            keys: keys.iter().map(|key| JointKey::linear(key.0 * 10 * MS, f64::from(*key.1))).collect(),
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

#[test]
fn commands_are_words_between_white_space() {
    let usual = "STARTSKILL S\nSTARTSTATE\nsettar EFF_LL3 10 EFF_LL1 (1 + 2) end\nwait 0.5 end\nENDSTATE\nSTARTSTATE\n\
        inctar EFF_LL3 -4 end\nwait 0.25 end\nENDSTATE\nENDSKILL\nREFLECTSKILL S T\n";
    let words: Vec<_> = usual.split_whitespace().collect();
    let texts = [
        words.join(" "),
        words.join("\n"),
        words.join(" \t"),
        usual
            .replace("\nwait", " wait")
            .replace("end\nEND", "end END"),
        format!("{} # the end\n", words.join(" ")),
    ];
    for text in &texts {
        for name in ["S", "T"] {
            assert_eq!(motion(text, name), motion(usual, name), "{text}");
        }
        // What is written has a line for each command.
        let document = read("a.skill", text.as_bytes()).expect("a skill").document;
        let bytes = crate::write(&document, MotionFormat::Skill).expect("it fits");
        let comment = if text.contains('#') {
            "# the end\n"
        } else {
            ""
        };
        assert_eq!(
            String::from_utf8(bytes).expect("a text"),
            format!("{usual}{comment}")
        );
    }
    let mistakes = [
        (
            "settar EFF_LL3 x end wait 0.5 end",
            "line 3, column 16: `x`",
        ),
        (
            "wait 0.5 end settar EFF_LL3 end",
            "line 3, column 32: each joint needs a number",
        ),
        (
            "settar A 1 wait 0.5 end",
            "line 3, column 12: expected joints, and `end` behind them",
        ),
        (
            "wait 0.5 end jump up",
            "line 3, column 14: unknown command `jump`",
        ),
        (
            "wait 0.5 0.6 end",
            "line 3, column 10: expected `end` behind the time of wait",
        ),
        (
            "wait 0.5\n0.6 end",
            "line 4, column 1: expected `end` behind the time of wait",
        ),
    ];
    for (commands, begin) in mistakes {
        let text = format!("STARTSKILL S\nSTARTSTATE\n{commands}\nENDSTATE\nENDSKILL\n");
        let failure = read("a.skill", text.as_bytes())
            .expect_err(commands)
            .to_string();
        assert!(failure.starts_with(begin), "{failure}\nnot\n{begin}");
        assert_eq!(failure.lines().count(), 1, "{failure}");
    }
}
