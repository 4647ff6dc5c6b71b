//! The stored recordings, and whether runs are recorded. Requests and answers.
//! Sent by the page, answered by the server's routes of the same name. A field's name is the contract's,
//! and stays.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// All recordings.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct RecordingList {
    /// Whether this run is recorded.
    pub on: bool,
    /// Why this run is not recorded, if something is wrong.
    #[serde(rename = "trouble")]
    pub error: Option<String>,
    /// The stored recordings, the newest first.
    pub kept: Vec<RecordingFile>,
}

/// A stored recording.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct RecordingFile {
    /// The name of its file.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Whether it is being written.
    pub open: bool,
    /// When it began, s of UTC since 1970.
    pub began: u64,
}

/// The most frames of one answer.
pub const FRAMES_MAX: u32 = 2_000;

/// Selects frames of a recording.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FramesQuery {
    /// The earliest instant, s since the recording's first turn (default: 0).
    #[serde(default)]
    pub from: f64,
    /// The latest instant, s since the recording's first turn (default: its end).
    #[serde(default)]
    pub to: Option<f64>,
    /// How many frames at most, evenly spread over that time, 1 to 2000 (default: 600).
    #[serde(default = "points")]
    pub points: u32,
}

fn points() -> u32 {
    600
}

/// Frames of a recording: what its joints were told, and where they were.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct RecordingFrames {
    /// How long the recording is, s.
    pub lasts_s: f64,
    /// How many of its turns can be read.
    pub turns: u64,
    /// The names of its joints, in the order of the values in `frames`.
    pub joints: Vec<String>,
    /// The frames, the earliest first.
    pub frames: Vec<RecordingFrame>,
}

/// A turn of a recording.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct RecordingFrame {
    /// Its instant, s since the recording's first turn.
    pub at_s: f64,
    /// The name of the safety state.
    pub state: String,
    /// What was sent to each joint.
    pub sent: Vec<Option<f32>>,
    /// Where each joint was; none without a sensor.
    pub measured: Vec<Option<f32>>,
    /// Where the simulation had the body: x, y, z, m; roll, pitch, yaw, rad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<[f32; 6]>,
}
