//! What moves, stops and lets go of the body: requests and answers.
//! Sent by the command line, answered by the server's routes of the same name. The law: a field's name is the
//! contract's, and stays.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use socket::{Measure, MergeWord};
use utoipa::ToSchema;

/// What the body is now.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct BodyStatus {
    /// Its safety state.
    pub state: String,
}

/// What came of commands.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct CommandOutcome {
    /// How many were taken.
    pub commands: u32,
    /// How many of them came after their instant.
    pub late: u32,
    /// How many were brought within their range.
    pub clipped: u32,
    /// How many of their actuators somebody else drives as well: the two are mixed, by their priorities.
    pub shared: u32,
    /// How many of their joints exert no force: they go there when they do again, at a bounded speed.
    pub limp: u32,
    /// How many cannot go so far while the joints that they are coupled to stand where they do.
    pub coupled: u32,
    /// How long the longest way takes at its joint's velocity, s, if that is longer than was asked; else 0.
    pub needs_s: f64,
}

/// Values for actuators or aliases, reached together.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetRequest {
    /// Values by names: rad, m, or parts of 1.
    pub values: BTreeMap<String, f64>,
    /// When they are reached, s from now.
    pub in_s: f64,
    /// What happens to commands that wait already.
    #[serde(default)]
    pub merge: MergeWord,
    /// What a single value measures: `angle` or `length`; another kind of actuator refuses it.
    #[serde(default)]
    pub measures: Option<Measure>,
    /// Whether a single value beyond the range goes to its end, as it does if this is not said; else it is refused.
    #[serde(default = "yes")]
    pub clip: bool,
}

fn yes() -> bool {
    true
}

/// Timed commands for several actuators: a row of values for each, one value for each time.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandsRequest {
    /// Actuators or aliases.
    pub to: Vec<String>,
    /// When, s from now.
    pub times: Vec<f64>,
    /// A row of values for each.
    pub values: Vec<Vec<f64>>,
    /// What happens to commands that wait already.
    #[serde(default)]
    pub merge: MergeWord,
}

/// A pose of the description.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PoseRequest {
    /// Its name.
    pub name: String,
    /// How long the way takes, s.
    pub in_s: f64,
}
