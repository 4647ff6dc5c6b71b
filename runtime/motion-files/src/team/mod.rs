//! Formats that are trees of names and values: Reachy Mini's moves, the HULKs' key frames, Bottango's
//! exports, ROS's trajectories. Each module knows what its trees mean.
//! The whole tree is kept, so that entries that mean nothing here are written again; what
//! a motion needs is checked when it is read.

pub(crate) mod bottango;
pub(crate) mod hulks;
mod hulks_joints;
mod motion2;
pub(crate) mod reachy;
pub(crate) mod trajectory;

use crate::fault::FileMistake;
use crate::motion::{KEYS_MAX, TIME_MAX};
use crate::tree::TreeNode;

/// A time that is a number of seconds in a tree, ns.
fn seconds(node: &TreeNode, what: &str) -> Result<u64, FileMistake> {
    let ns = node.as_scaled(what, 9)?;
    let time = u64::try_from(ns).ok().filter(|value| *value <= TIME_MAX);
    time.ok_or_else(|| node.wrong(format!("{what} is not from 0 to 250,000 s")))
}

/// The sum of a time and a duration.
fn later(node: &TreeNode, time: u64, duration: u64) -> Result<u64, FileMistake> {
    let sum = time
        .checked_add(duration)
        .filter(|value| *value <= TIME_MAX);
    sum.ok_or_else(|| node.wrong("the motion is longer than 250,000 s"))
}

/// Checks the number of keys.
fn count(node: &TreeNode, keys: usize) -> Result<(), FileMistake> {
    if keys <= KEYS_MAX {
        return Ok(());
    }
    Err(node.wrong(format!("more than {KEYS_MAX} keys; fix: divide the file")))
}
