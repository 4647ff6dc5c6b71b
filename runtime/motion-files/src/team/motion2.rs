//! Motions of the HULKs before 2023, `.motion2`: a header with the numbers of joints and the whole
//! time, and lists of positions and stiffnesses. Called by `hulks`.
//! The times of the positions are shares of the header's time, in whole ms, as the HULKs'
//! player takes them; before the first one a joint comes from where it is. Stiffnesses are kept in
//! the file, but not played; a remark says so.

use super::hulks_joints::numbered_joints;
use super::{count, later};
use crate::fault::{FileMistake, quoted};
use crate::motion::{JointKey, JointTrack, KeyedMotion};
use crate::tree::TreeNode;

const MS: u64 = 1_000_000;

/// Whether a tree is such a motion.
pub(super) fn is_motion(root: &TreeNode) -> bool {
    root.get("header").is_some() && root.get("position").is_some()
}

/// The motion of a file.
pub(super) fn motion(
    root: &TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<KeyedMotion, FileMistake> {
    let header = root.needed("header", "the motion")?;
    let name = header
        .get("title")
        .map_or(Ok(""), |header| header.as_text("title"))?;
    let mut motion = KeyedMotion {
        name: name.to_owned(),
        body: "nao".to_owned(),
        tracks: tracks(header.needed("joints", "the header")?)?,
        ..KeyedMotion::default()
    };
    let whole = ms(header.needed("time", "the header")?, "the time")?;
    let list = root.needed("position", "the motion")?;
    let positions = list.items("position")?;
    count(list, positions.len().saturating_mul(motion.tracks.len()))?;
    let mut shares = Vec::with_capacity(positions.len());
    for position in positions {
        shares.push(ms(position.needed("time", "a position")?, "the time")?);
    }
    let sum: u64 = shares.iter().fold(0, |sum, item| sum.saturating_add(*item));
    let mut time = 0;
    for (position, share) in positions.iter().zip(shares) {
        let duration = share.saturating_mul(whole) / sum.max(1) * MS;
        if duration == 0 {
            return Err(position.wrong("the position has no time; fix: give it some ms"));
        }
        time = later(position, time, duration)?;
        let parameters = position.needed("parameters", "a position")?;
        let values = parameters.items("parameters")?;
        if values.len() != motion.tracks.len() {
            let (count, joints) = (values.len(), motion.tracks.len());
            let sentence = format!("{count} parameters, but the header has {joints} joints");
            return Err(parameters.wrong(sentence));
        }
        for (track, value) in motion.tracks.iter_mut().zip(values) {
            let value = value.as_number("a parameter")?;
            track.keys.push(JointKey::linear(time, value));
        }
    }
    if let Some(stiffness) = root.get("stiffness") {
        remarks.push(stiffness.wrong("`stiffness` is not played"));
    }
    Ok(motion)
}

/// The joints of a header, which are numbers.
fn tracks(joints: &TreeNode) -> Result<Vec<JointTrack>, FileMistake> {
    let known = numbered_joints();
    let mut tracks: Vec<JointTrack> = Vec::new();
    for joint in joints.items("joints")? {
        let number = usize::try_from(joint.as_scaled("a joint", 0)?).ok();
        let name = number.and_then(|number| known.get(number)).ok_or_else(|| {
            let last = known.len() - 1;
            joint.wrong(format!("a joint of a NAO has a number from 0 to {last}"))
        })?;
        if tracks.iter().any(|track| track.joint == *name) {
            return Err(joint.wrong(format!("{} comes twice", quoted(name))));
        }
        tracks.push(JointTrack {
            joint: name.clone(),
            ..JointTrack::default()
        });
    }
    if tracks.is_empty() {
        return Err(joints.wrong("the header has no joints"));
    }
    Ok(tracks)
}

/// A time in ms.
fn ms(node: &TreeNode, what: &str) -> Result<u64, FileMistake> {
    let ms = u64::try_from(node.as_scaled(what, 0)?).ok();
    let ms = ms.filter(|value| *value <= crate::motion::TIME_MAX / MS);
    ms.ok_or_else(|| node.wrong(format!("{what} is not from 0 to 250,000,000 ms")))
}
