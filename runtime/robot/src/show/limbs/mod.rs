//! Kicks of B-Human on a body with a NAO's legs: from places of limbs to values of joints. Called by `show` and by
//! whoever converts a kick, for a robot that is known.
//! The joints are those that B-Human's engine would send without its balance, within the stated error between
//! two keys; what cannot be reached, and what needs the robot's own sensors, is told.
//!
//! The places are seen from the middle between the hips. A foot is flat, seen from the torso, before its own turns are
//! added: z at the hip, x and y at the ankle. An arm's place is a direction for its elbow.

mod body;
#[cfg(test)]
mod tests;

use body::{BodyRows, KickBody, Posture};
use description::Robot;
use kinematics::Tree;
use motion_files::{JointKey, JointTrack, KeyedMotion, ValueUnit};

/// The most instants at which limbs are placed.
const INSTANTS_MAX: usize = 30_000;

/// Lines are not halved below this, ns.
const HALF_MIN: u64 = 1_000_000;

/// Each phase is divided by this before its lines are looked at: a curve may cross its line in the middle.
const PIECES: u64 = 8;

const PARTS: [&str; 10] = [
    "headTra",
    "leftFootTra",
    "leftFootRot",
    "rightFootTra",
    "rightFootRot",
    "leftArmTra",
    "leftHandRot",
    "rightArmTra",
    "rightHandRot",
    "comTra",
];

/// The motion of the joints for one of limbs, and what is to be said of it; nothing if it has no limbs, or the robot
/// has not a NAO's.
///
/// # Errors
/// A sentence, if the motion has more instants than anybody plays.
pub fn joints_of_limbs(
    motion: &KeyedMotion,
    robot: &Robot,
    error: f64,
) -> Result<Option<(KeyedMotion, Vec<String>)>, String> {
    if !is_of_limbs(motion) {
        return Ok(None);
    }
    let rows = BodyRows::of(robot);
    let tree = Tree {
        links: &rows.links,
        joints: &rows.joints,
    };
    let Some(mut body) = KickBody::of(robot, &tree, motion) else {
        return Ok(None);
    };
    let instants = instants(motion);
    let mut postures = Vec::with_capacity(instants.len());
    for pair in instants.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let first = body.posture(motion, from);
        refine(&mut body, motion, (from, first), to, error, &mut postures)?;
    }
    let last = instants.last().copied().unwrap_or(0);
    postures.push((last, body.posture(motion, last)));
    let track = |(number, joint): (usize, &String)| JointTrack {
        joint: joint.clone(),
        unit: ValueUnit::Radian,
        keys: postures
            .iter()
            .map(|(time, values)| JointKey::linear(*time, values[number]))
            .collect(),
    };
    let tracks = body.names.iter().enumerate().map(track).collect();
    let remarks = body.remarks(motion);
    Ok(Some((
        KeyedMotion {
            tracks,
            ..motion.clone()
        },
        remarks,
    )))
}

/// Whether a motion is one of limbs, which needs a body.
pub fn is_of_limbs(motion: &KeyedMotion) -> bool {
    let part = |track: &JointTrack| {
        track
            .joint
            .split('.')
            .next()
            .map(|part| PARTS.contains(&part))
    };
    !motion.tracks.is_empty() && motion.tracks.iter().all(|track| part(track) == Some(true))
}

/// The instants of all keys, and some between them.
fn instants(motion: &KeyedMotion) -> Vec<u64> {
    let keys = motion.tracks.iter().flat_map(|track| &track.keys);
    let mut keys: Vec<u64> = keys.map(|key| key.time).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut all = Vec::with_capacity(keys.len() * PIECES as usize);
    for pair in keys.windows(2) {
        let piece = |value: u64| pair[0] + (pair[1] - pair[0]) / PIECES * value;
        all.extend((0..PIECES).map(piece));
    }
    all.extend(keys.last());
    all.dedup();
    all
}

/// The postures from an instant up to another, without that: as many as lines need to be within the error.
fn refine(
    body: &mut KickBody<'_>,
    motion: &KeyedMotion,
    (from, first): (u64, Posture),
    to: u64,
    error: f64,
    all: &mut Vec<(u64, Posture)>,
) -> Result<(), String> {
    let middle = from + (to - from) / 2;
    let last = body.posture(motion, to);
    let between = body.posture(motion, middle);
    let ends = first.iter().zip(&last);
    let is_off = ends
        .zip(&between)
        .any(|((a, b), value)| (0.5 * (a + b) - value).abs() > error);
    if is_off && to - from >= 2 * HALF_MIN {
        refine(body, motion, (from, first), middle, error, all)?;
        return refine(body, motion, (middle, between), to, error, all);
    }
    all.push((from, first));
    if all.len() > INSTANTS_MAX {
        return Err(format!(
            "the limbs have to be placed at more than {INSTANTS_MAX} instants"
        ));
    }
    Ok(())
}
