//! Files of motions of other programs: from the bytes of a file to a [`KeyedMotion`], and back. For
//! programs that play, check, convert or compile what people have: `read`, then
//! [`MotionDocument::motions`], `JointMap::apply`, [`straightened`]. It knows no robot, no wasm, no
//! loop, and opens no file.
//! Any bytes are read or refused, with line, column and what to do; `write` gives only
//! what reads as the same again; nothing in a file is executed.

#![forbid(unsafe_code)]

mod adapt;
mod aibo;
mod anything;
mod curve_room;
mod curves;
mod detect;
mod document;
mod fault;
mod joined;
mod map;
mod motion;
mod own;
mod place;
mod python;
mod recorded;
mod sampled;
mod team;
mod tekkotsu;
mod text;
mod tree;
mod units;
mod webots;
mod xar;

pub use adapt::adapted;
pub use aibo::{AIBO_MODELS, AiboFrame, AiboMotion, BlockFill};
pub use anything::read_anything;
pub use curves::{CurveFault, is_straight, straightened, value_at};
pub use detect::{MotionFormat, detect, is_refused};
pub use document::{MotionDocument, MotionReading, read, read_as, write};
pub use fault::{FileMistake, ReadFailure, WriteFailure};
pub use joined::{ALL, joined, means_all};
pub use map::{JointMap, JointMirror, JointRule, MapFault, other_side, paired};
pub use motion::{
    BezierHandle, EaseShape, JointKey, JointTrack, KEYS_MAX, KeySide, KeyedMotion, MotionLabel,
    MotionSound, TIME_MAX, TRACKS_MAX,
};
pub use own::csv::has_columns;
pub use place::joint_place;
pub use team::bottango::is_answered;
pub use team::reachy::SOUND_ENDINGS;
pub use tekkotsu::posture::{PostureFile, PostureLine, PostureOutput, PosturePart};
pub use tekkotsu::sequence::{SequenceFile, SequenceLine, SequenceStep};
pub use tekkotsu::walk::{WalkParameters, WalkVersion};
pub use tekkotsu::waypoints::{Waypoint, WaypointFile, WaypointFrame, WaypointLine};
pub use tekkotsu::{MotionSurroundings, NoSurroundings};
pub use text::FILE_MAX;
pub use tree::{TreeNode, TreeValue};
pub use units::ValueUnit;

#[cfg(test)]
mod tests;
