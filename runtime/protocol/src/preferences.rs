//! Calibrations and preferences as the loop tells them.
//! Filled in by the loop's request handler; the server passes them on. A published field is never removed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The calibration of a joint: how counts of its board become values.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct CalibrationStatus {
    /// The joint.
    pub joint: String,
    /// Its unit, `rad` or `m`; empty for a hand.
    pub unit: String,
    /// Units for each count of its commands.
    pub gain: f64,
    /// The value of a command of 0 counts, now.
    pub offset: f64,
    /// Units for each count of its sensor.
    pub sensor_gain: f64,
    /// The value of its sensor at 0 counts, now.
    pub sensor_offset: f64,
    /// How far its zero was moved since the loop began.
    pub moved: f64,
    /// How much of that is kept for the next start.
    pub kept: f64,
}

/// A value of the robot's description.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct PreferenceStatus {
    /// Its key, such as `safety.return-speed`.
    pub key: String,
    /// The value in the robot's files, in TOML; empty if it has none.
    pub value: String,
    /// Where it is written.
    pub origin: String,
    /// The value that is tried, and not kept yet. An empty one removes the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<String>,
}

/// What was kept, or taken back.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct PreferenceChange {
    /// The keys whose values have changed.
    pub keys: Vec<String>,
    /// The file that was written; nothing if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}
