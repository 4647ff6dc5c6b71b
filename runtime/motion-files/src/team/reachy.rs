//! Recorded moves of Reachy Mini: `description`, `time`, and for each time what was set: `head` as
//! a 4×4 matrix, `antennas`, `body_yaw`. Called by `lib`.
//! The matrix becomes `head.x`, `.y`, `.z` in m and `head.roll`, `.pitch`, `.yaw` in rad
//! (turned about x, then y, then z); the antennas keep their order. An angle of the head goes on from
//! the one before it by less than half a turn, beyond ±π as well. A matrix that does not turn is a
//! mistake. Of two entries at one time the later counts from there on. A move's sound is a file of the
//! same name beside it.

use std::f64::consts::TAU;

use super::{count, seconds};
use crate::curves::value_at;
use crate::fault::{FileMistake, WriteFailure, quoted};
use crate::motion::{JointKey, JointTrack, KeyedMotion, MotionSound, TIME_MAX};
use crate::text::number::shortest;
use crate::tree::{TreeNode, TreeValue};
use crate::units::{ValueUnit, key_seconds};

/// The endings of sounds beside a move, the likeliest first.
pub const SOUND_ENDINGS: [&str; 8] = ["wav", "mp3", "ogg", "oga", "opus", "flac", "m4a", "aac"];

const NAMES: [&str; 9] = [
    "head.x",
    "head.y",
    "head.z",
    "head.roll",
    "head.pitch",
    "head.yaw",
    "antennas.0",
    "antennas.1",
    "body_yaw",
];

/// The angles of the head that come back to where they were after a turn, by their places in `NAMES`.
const ROUND: [usize; 2] = [3, 5];

/// How far the products of a matrix's columns may be from those of a rotation.
const ROTATION_ERROR: f64 = 0.01;

const FORMAT: &str = "a move of Reachy Mini";

/// Whether a tree is a move.
pub(crate) fn is_move(root: &TreeNode) -> bool {
    root.get("set_target_data").is_some()
}

/// The motion of a move.
pub(crate) fn motion(
    root: &TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<KeyedMotion, FileMistake> {
    let times = root.needed("time", "the move")?.items("time")?;
    let frames = root.needed("set_target_data", "the move")?;
    let all = frames.items("set_target_data")?;
    if times.len() != all.len() || all.is_empty() {
        let sentence = format!("{} times, but {} targets", times.len(), all.len());
        return Err(frames.wrong(sentence));
    }
    count(frames, all.len() * NAMES.len())?;
    let mut tracks: Vec<_> = NAMES.iter().map(|name| track(name)).collect();
    let first = start(times, remarks)?;
    let mut last = None;
    let mut jumps = false;
    // As the player of Pollen Robotics has it: once a body turns, an entry without a yaw has 0.
    let turns = all.iter().any(|item| body_yaw(item).is_some());
    for (time, frame) in times.iter().zip(all) {
        let at = u64::try_from(time.as_scaled("a time", 9)?.saturating_sub(first)).ok();
        let at = at.filter(|value| *value <= TIME_MAX);
        let at = at.ok_or_else(|| time.wrong("a time is from 0 to 250,000 s"))?;
        if last.is_some_and(|value| value > at) {
            return Err(time.wrong("the times do not rise here; fix: sort them"));
        }
        if last == Some(at) && !std::mem::replace(&mut jumps, true) {
            let sentence =
                "two entries have this time: the later counts from here on, and the joints jump";
            remarks.push(time.wrong(sentence));
        }
        last = Some(at);
        let mut values = values(frame, turns)?;
        for place in ROUND {
            let before = tracks[place].keys.last().map(|key| key.value);
            if let (Some(before), Some(angle)) = (before, &mut values[place]) {
                *angle -= TAU * ((*angle - before) / TAU).round();
            }
        }
        for (track, value) in tracks.iter_mut().zip(values) {
            if let Some(value) = value {
                jump(track, at);
                track.keys.push(JointKey::linear(at, value));
            }
        }
    }
    tracks.retain(|track| !track.keys.is_empty());
    let sound = root
        .get("sound")
        .map(|root| root.as_text("sound"))
        .transpose()?;
    let sounds = sound.map(|text| MotionSound {
        file: text.to_owned(),
        at: 0,
    });
    Ok(KeyedMotion {
        body: "reachy_mini".to_owned(),
        sounds: sounds.into_iter().collect(),
        tracks,
        ..KeyedMotion::default()
    })
}

/// Makes room for a key at an instant: one that has it already moves 1 ns back, from where the joint jumps, as at the
/// end of a step; where there is no room for it, it goes.
fn jump(track: &mut JointTrack, at: u64) {
    if let Some(mut last) = track.keys.pop_if(|key| key.time == at) {
        let before = track.keys.last().map(|key| key.time);
        if let Some(earlier) = at
            .checked_sub(1)
            .filter(|value| before.is_none_or(|before| before < *value))
        {
            last.time = earlier;
            track.keys.push(last);
        }
    }
}

/// The yaw of the body in an entry.
fn body_yaw(frame: &TreeNode) -> Option<&TreeNode> {
    frame
        .get("body_yaw")
        .filter(|frame| frame.value != TreeValue::Null)
}

/// The instant that is 0: the first one, if the times are dates.
fn start(times: &[TreeNode], remarks: &mut Vec<FileMistake>) -> Result<i64, FileMistake> {
    let Some(first) = times.first() else {
        return Ok(0);
    };
    let ns = first.as_scaled("a time", 9)?;
    if ns <= TIME_MAX.cast_signed() {
        seconds(first, "a time")?;
        return Ok(0);
    }
    remarks.push(first.wrong("the times are dates, and count from the first one"));
    Ok(ns)
}

fn track(name: &str) -> JointTrack {
    let unit = match name {
        "head.x" | "head.y" | "head.z" => ValueUnit::Metre,
        _ => ValueUnit::Radian,
    };
    JointTrack {
        joint: name.to_owned(),
        unit,
        keys: Vec::new(),
    }
}

/// The values of one frame, of a body that may turn.
fn values(frame: &TreeNode, turns: bool) -> Result<[Option<f64>; 9], FileMistake> {
    let mut values = [None; 9];
    if let Some(head) = frame
        .get("head")
        .filter(|frame| frame.value != TreeValue::Null)
    {
        let matrix = matrix(head)?;
        let [r00, r10, r20, r21, r22] = [matrix[0], matrix[4], matrix[8], matrix[9], matrix[10]];
        let angles = [
            r21.atan2(r22),
            (-r20).clamp(-1.0, 1.0).asin(),
            r10.atan2(r00),
        ];
        let moved = [matrix[3], matrix[7], matrix[11]];
        for (place, value) in values.iter_mut().zip(moved.into_iter().chain(angles)) {
            *place = Some(value);
        }
    }
    if let Some(antennas) = frame
        .get("antennas")
        .filter(|frame| frame.value != TreeValue::Null)
    {
        let [first, second] = antennas.items("antennas")? else {
            return Err(antennas.wrong("expected the angles of two antennas"));
        };
        values[6] = Some(first.as_number("antennas")?);
        values[7] = Some(second.as_number("antennas")?);
    }
    let yaw = body_yaw(frame).map(|body_yaw| body_yaw.as_number("body_yaw"));
    values[8] = yaw.transpose()?.or(turns.then_some(0.0));
    Ok(values)
}

/// Sixteen numbers, by rows.
fn matrix(head: &TreeNode) -> Result<[f64; 16], FileMistake> {
    let shape = || head.wrong("expected `head` as a matrix of 4 rows with 4 numbers");
    let mut all = Vec::with_capacity(16);
    for row in head.items("head")? {
        match &row.value {
            TreeValue::List(numbers) => {
                for number in numbers {
                    all.push(number.as_number("head")?);
                }
            }
            _ => all.push(row.as_number("head")?),
        }
    }
    let all = all.try_into().map_err(|_| shape())?;
    if !is_place(&all) {
        let sentence = "`head` is no place: its first three columns are not those of a rotation, or its last row \
                        is not 0, 0, 0, 1; fix: check the matrix";
        return Err(head.wrong(sentence));
    }
    Ok(all)
}

/// Whether a matrix turns and moves, and does nothing else.
fn is_place(matrix: &[f64; 16]) -> bool {
    let column = |at: usize| [matrix[at], matrix[at + 4], matrix[at + 8]];
    let [x, y, z] = [column(0), column(1), column(2)];
    let product = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ];
    let wanted = [
        (product(x, x), 1.0),
        (product(y, y), 1.0),
        (product(x, y), 0.0),
        // The third column is at right angles to both, and on the right side.
        (product(cross, z), 1.0),
        (product(z, z), 1.0),
        (matrix[12], 0.0),
        (matrix[13], 0.0),
        (matrix[14], 0.0),
        (matrix[15], 1.0),
    ];
    let mut pairs = wanted.into_iter();
    pairs.all(|(found, wanted)| (found - wanted).abs() <= ROTATION_ERROR)
}

/// A move of a motion that has nothing but a Reachy's names.
pub(crate) fn of_motion(motion: &KeyedMotion) -> Result<TreeNode, WriteFailure> {
    let unknown = motion
        .tracks
        .iter()
        .find(|track| !NAMES.contains(&&*track.joint));
    if let Some(track) = unknown {
        return Err(WriteFailure::NoRoom {
            format: FORMAT,
            what: format!(
                "the joint {}; fix: map it to {}",
                quoted(&track.joint),
                NAMES.join(", ")
            ),
        });
    }
    let times = motion.times();
    if !motion.has_room_for(times.len()) {
        return Err(WriteFailure::NoRoom {
            format: FORMAT,
            what: "so many keys; fix: divide the motion".to_owned(),
        });
    }
    let tracks: Vec<_> = motion.tracks.iter().map(JointTrack::in_si).collect();
    let at = |name: &str, time: u64| {
        let track = tracks.iter().find(|track| track.joint == name);
        track.and_then(|track| value_at(track, time)).unwrap_or(0.0)
    };
    let frames = times
        .iter()
        .map(|time| frame(&NAMES.map(|name| at(name, *time))));
    let number = |n: &u64| TreeNode::number(key_seconds(*n));
    Ok(TreeNode::table([
        ("description", TreeNode::text(&motion.name)),
        ("time", TreeNode::list(times.iter().map(number))),
        ("set_target_data", TreeNode::list(frames)),
    ]))
}

fn frame(values: &[f64; 9]) -> TreeNode {
    let [x, y, z, roll, pitch, yaw, first, second, body] = *values;
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    let rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, x],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, y],
        [-sp, cp * sr, cp * cr, z],
        [0.0, 0.0, 0.0, 1.0],
    ];
    let number = |value: f64| TreeNode::number(shortest(value));
    let rows = rows.map(|row| TreeNode::list(row.map(number)));
    TreeNode::table([
        ("head", TreeNode::list(rows)),
        ("antennas", TreeNode::list([number(first), number(second)])),
        ("body_yaw", number(body)),
    ])
}
