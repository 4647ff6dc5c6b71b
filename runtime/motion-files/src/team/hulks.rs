//! Key frames of the HULKs: `initial_positions`, then `frames`, or `motion` with parts that have
//! `keyframes`; each with a duration and the positions of all joints. Called by `lib`.
//! Joints get the names of a NAO. Lines lead from key to key, or what `interpolation_mode`
//! says, within each part of `motion` by itself. Conditions, of parts or between frames, are kept in
//! the file, but not played; a remark says so. So are stiffnesses: in some years a motion has
//! `positions` with `positions` and `stiffnesses` inside; `motion2` knows the years before.

use super::hulks_joints::PARTS;
use super::{count, later, motion2, seconds};
use crate::curves::value_at;
use crate::fault::{FileMistake, WriteFailure, quoted};
use crate::motion::{BezierHandle, JointKey, JointTrack, KeySide, KeyedMotion};
use crate::text::number::shortest;
use crate::tree::{TreeNode, TreeValue};
use crate::units::{ValueUnit, key_seconds};

const FORMAT: &str = "a motion of the HULKs";

/// How strongly joints hold, beside their positions.
const STIFFNESSES: &str = "stiffnesses";

/// Whether a tree is a motion of the HULKs; one without its first pose is told so.
pub(crate) fn is_motion(root: &TreeNode) -> bool {
    let has_frames = |list: &str, entry: &str| {
        let items = root.get(list).and_then(|root| root.items(list).ok());
        let first = items.and_then(|item| item.first());
        first.is_some_and(|value| value.get(entry).is_some())
    };
    root.get("initial_positions").is_some()
        || has_frames("motion", "keyframes")
        || has_frames("frames", "positions")
        || motion2::is_motion(root)
}

/// The motion of a file.
pub(crate) fn motion(
    root: &TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<KeyedMotion, FileMistake> {
    if motion2::is_motion(root) {
        return motion2::motion(root, remarks);
    }
    let between = Between::of(root)?;
    let mut motion = KeyedMotion {
        body: "nao".to_owned(),
        ..KeyedMotion::default()
    };
    let initial = root.needed("initial_positions", "the motion")?;
    if let Some(stiffnesses) = initial.get(STIFFNESSES) {
        remarks.push(stiffnesses.wrong("`stiffnesses` are not played"));
    }
    add(initial, 0, &mut motion)?;
    let mut time = 0;
    let mut count_of_frames = 1;
    // Where a curve ends and the next one begins.
    let mut borders = Vec::new();
    for frame in frames(root, remarks)? {
        let Some(frame) = frame else {
            borders.push(time);
            continue;
        };
        count_of_frames += 1;
        let duration = frame.needed("duration", "a key frame")?;
        let ns = seconds(duration, "the duration")?;
        if ns == 0 {
            return Err(duration.wrong("the duration is 0; fix: give it some time"));
        }
        time = later(duration, time, ns)?;
        add(frame.needed("positions", "a key frame")?, time, &mut motion)?;
        count(frame, motion.key_count() * between.pieces())?;
    }
    remarks.extend(
        motion
            .tracks
            .iter()
            .filter(|track| track.keys.len() < count_of_frames)
            .map(|track| {
                root.wrong(format!(
                    "{} has no value in some key frames: it goes on to its next one",
                    quoted(&track.joint)
                ))
            }),
    );
    for track in &mut motion.tracks {
        between.bend(&mut track.keys, &borders);
    }
    Ok(motion)
}

/// The key frames, and nothing where a curve ends: between parts, and where a condition is waited for.
fn frames<'r>(
    root: &'r TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<Option<&'r TreeNode>>, FileMistake> {
    let mut all = Vec::new();
    if let Some(list) = root.get("frames") {
        for frame in list.items("frames")? {
            match condition(frame) {
                None => all.push(Some(frame)),
                Some(name) => {
                    let name = quoted(name);
                    remarks.push(frame.wrong(format!("the condition {name} is not played")));
                    all.push(None);
                }
            }
        }
    }
    if let Some(list) = root.get("motion") {
        for part in list.items("motion")? {
            for condition in ["entry_condition", "exit_condition", "interrupt_conditions"] {
                if let Some(node) = part.get(condition) {
                    remarks.push(node.wrong(format!("`{condition}` is not played")));
                }
            }
            let keys = part.needed("keyframes", "a part")?.items("keyframes")?;
            all.extend(keys.iter().map(Some));
            all.push(None);
        }
    }
    Ok(all)
}

/// The name of what stands for a condition among key frames.
fn condition(frame: &TreeNode) -> Option<&str> {
    match &frame.value {
        TreeValue::Table(entries) => match &entries[..] {
            [(name, _)] if name.ends_with("Condition") => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// What is between two key frames.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    Lines,
    /// Half a wave of a cosine.
    Cosines,
    /// A cubic whose slope at a key is that between its neighbours; flat where it begins and ends.
    CatmullRom,
}

impl Between {
    fn of(root: &TreeNode) -> Result<Between, FileMistake> {
        let Some(mode) = root.get("interpolation_mode") else {
            return Ok(Between::Lines);
        };
        let text = mode.as_text("interpolation_mode")?;
        match text.to_ascii_lowercase().replace('_', "").as_str() {
            "linear" => Ok(Between::Lines),
            "cosine" => Ok(Between::Cosines),
            "catmullrom" => Ok(Between::CatmullRom),
            _ => Err(mode.wrong(format!(
                "the interpolation {}; known are linear, cosine and catmull_rom",
                quoted(text)
            ))),
        }
    }

    /// The pieces between two key frames: eight cubics are within 0.00004 of the way of a cosine.
    fn pieces(self) -> usize {
        if self == Between::Cosines { 8 } else { 1 }
    }

    fn bend(self, keys: &mut Vec<JointKey>, borders: &[u64]) {
        match self {
            Between::Lines => {}
            Between::Cosines => *keys = waved(keys, self.pieces() as u64),
            Between::CatmullRom => {
                let at = |key: &JointKey| (key.time as f64, key.value);
                let points: Vec<_> = keys.iter().map(at).collect();
                let slope = |number: usize| {
                    let before = number.checked_sub(1).and_then(|value| points.get(value));
                    let (Some(before), Some(after)) = (before, points.get(number + 1)) else {
                        return 0.0;
                    };
                    let is_border = |key: &JointKey| borders.binary_search(&key.time).is_ok();
                    if keys.get(number).is_some_and(is_border) {
                        return 0.0;
                    }
                    (after.1 - before.1) / (after.0 - before.0)
                };
                let slopes: Vec<_> = (0..points.len()).map(slope).collect();
                handles(keys, &slopes);
            }
        }
    }
}

/// Keys on half waves of a cosine from key to key, with handles along it.
fn waved(keys: &[JointKey], pieces: u64) -> Vec<JointKey> {
    let (mut all, mut slopes) = (Vec::new(), Vec::new());
    for pair in keys.windows(2) {
        let [key, next] = pair else { continue };
        let (duration, way) = (next.time - key.time, next.value - key.value);
        for piece in 0..pieces {
            let time = key.time + duration * piece / pieces;
            if all.last().is_some_and(|key: &JointKey| key.time >= time) {
                continue;
            }
            let (sin, cos) =
                (std::f64::consts::PI * (time - key.time) as f64 / duration as f64).sin_cos();
            all.push(JointKey::linear(time, key.value + way * 0.5 * (1.0 - cos)));
            slopes.push(way * 0.5 * std::f64::consts::PI * sin / duration as f64);
        }
    }
    all.extend(keys.last().cloned());
    slopes.push(0.0);
    handles(&mut all, &slopes);
    all
}

/// Gives keys handles of a third of the way to their neighbours, with these slopes.
fn handles(keys: &mut [JointKey], slopes: &[f64]) {
    let times: Vec<_> = keys.iter().map(|key| key.time).collect();
    for (number, (key, slope)) in keys.iter_mut().zip(slopes).enumerate() {
        let side = |other: u64| {
            let time = (other.cast_signed() - key.time.cast_signed()) / 3;
            KeySide::Bezier(BezierHandle {
                time,
                value: slope * time as f64,
            })
        };
        if let Some(after) = times.get(number + 1) {
            key.leave = side(*after);
        }
        if let Some(before) = number.checked_sub(1).and_then(|value| times.get(value)) {
            key.arrive = side(*before);
        }
    }
}

fn add(positions: &TreeNode, time: u64, motion: &mut KeyedMotion) -> Result<(), FileMistake> {
    let inner = positions.get("positions");
    for (part, joints) in positions.entries("positions")? {
        let is_expected = &**part == STIFFNESSES || &**part == "positions";
        if inner.is_some() && !is_expected {
            let sentence = format!(
                "{} beside `positions`; expected only stiffnesses",
                quoted(part)
            );
            return Err(joints.wrong(sentence));
        }
    }
    let positions = inner.unwrap_or(positions);
    for (part, joints) in positions.entries("positions")? {
        if &**part == STIFFNESSES {
            continue;
        }
        let known = PARTS.iter().find(|pair| pair.0 == &**part);
        let Some((_, side, known)) = known else {
            return Err(joints.wrong(format!("unknown part {} of a NAO", quoted(part))));
        };
        for (joint, value) in joints.entries(part)? {
            let Some((_, name)) = known.iter().find(|pair| pair.0 == &**joint) else {
                let sentence = format!("unknown joint {} of `{part}`", quoted(joint));
                return Err(value.wrong(sentence));
            };
            let number = value.as_number(joint)?;
            if let Some(track) = motion.track(&format!("{side}{name}")) {
                track.keys.push(JointKey::linear(time, number));
            }
        }
    }
    Ok(())
}

/// A file of a motion of a NAO's joints.
pub(crate) fn of_motion(motion: &KeyedMotion) -> Result<TreeNode, WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what,
    };
    let names = PARTS.iter().flat_map(|(_, side, joints)| {
        let name = move |pair: &(&str, &str)| format!("{side}{}", pair.1);
        joints.iter().map(name)
    });
    let names: Vec<_> = names.collect();
    if let Some(track) = motion
        .tracks
        .iter()
        .find(|track| !names.contains(&track.joint))
    {
        let joint = quoted(&track.joint);
        return Err(no_room(format!(
            "the joint {joint}, which a NAO does not have"
        )));
    }
    let tracks: Vec<_> = motion.tracks.iter().map(JointTrack::in_si).collect();
    if let Some(track) = tracks.iter().find(|track| track.unit == ValueUnit::Metre) {
        return Err(no_room(format!("the length of {}", quoted(&track.joint))));
    }
    let mut times = motion.times();
    if times.first() != Some(&0) {
        times.insert(0, 0);
    }
    if !motion.has_room_for(times.len()) {
        return Err(WriteFailure::NoRoom {
            format: FORMAT,
            what: "so many keys; fix: divide the motion".to_owned(),
        });
    }
    let mut last = 0;
    let frames: Vec<_> = times
        .iter()
        .skip(1)
        .map(|time| {
            let duration = key_seconds(time - last);
            last = *time;
            TreeNode::table([
                ("duration", TreeNode::number(duration)),
                ("positions", positions(&tracks, *time)),
            ])
        })
        .collect();
    Ok(TreeNode::table([
        ("initial_positions", positions(&tracks, 0)),
        ("frames", TreeNode::list(frames)),
    ]))
}

fn positions(tracks: &[JointTrack], time: u64) -> TreeNode {
    let mut parts = Vec::new();
    for (part, side, joints) in PARTS {
        let mut values = Vec::new();
        for (joint, name) in joints {
            let track = tracks
                .iter()
                .find(|track| track.joint.strip_prefix(side) == Some(*name));
            if let Some(value) = track.and_then(|track| value_at(track, time)) {
                values.push((*joint, TreeNode::number(shortest(value))));
            }
        }
        if !values.is_empty() {
            parts.push((part, TreeNode::table(values)));
        }
    }
    TreeNode::table(parts)
}
