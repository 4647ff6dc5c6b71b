//! Requests and answers of the body: operations, values, commands, poses.
//! Sent by the command line, answered by the server's routes of the same name. The law: a field's name is the
//! contract's, and stays.

use std::collections::BTreeMap;

use cycle::Merge;
use serde::{Deserialize, Serialize};
use socket::{Guest, Measure, merge};
use utoipa::{IntoParams, ToSchema};

/// The state of the body after an operation.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct BodyStatus {
    /// Its safety state.
    pub state: String,
    /// After `arm` and `resume`: the guests that play, wait or are paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guests: Vec<Guest>,
}

/// The outcome of commands. Nothing was sent for a part that the robot lacks.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
pub struct CommandOutcome {
    /// The request's number: `GET /api/v1/body/requests` tells how far it is, and `DELETE` cancels it.
    #[serde(default)]
    pub ticket: u32,
    /// Whether its progress is known: false if 2,048 other requests were on their way.
    #[serde(default = "yes")]
    pub followed: bool,
    /// How many were accepted.
    pub commands: u32,
    /// How many of them arrived after their instant.
    pub late: u32,
    /// How many were clipped to their range.
    pub clipped: u32,
    /// How many of their actuators a guest drives as well: the two are mixed by priority.
    pub shared: u32,
    /// How many of their joints exert no force. They move, at a bounded speed, when they exert force again.
    pub limp: u32,
    /// How many go beyond the limit that a coupled joint sets at its current position.
    pub coupled: u32,
    /// How long the slowest joint needs at its maximum velocity, s, if that is longer than requested; else 0.
    /// `dcm-run set --json` tells it in ns, as `needs_ns`.
    pub needs_s: f64,
    /// The actuators whose values were clipped, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clipped_names: Vec<String>,
}

// A request to move as clients of HTTP write it: values by name, and seconds. The server makes a `socket::Ask::Move`.
/// Values for actuators or aliases, all reached at the same time.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetRequest {
    /// Values by name: rad, m, or a fraction from 0 to 1.
    pub values: BTreeMap<String, f64>,
    /// When the values are reached, s from now.
    pub in_s: f64,
    /// What happens to commands that are already scheduled.
    #[serde(default = "merge::clear_all", with = "merge")]
    #[schema(schema_with = merge::schema)]
    pub merge: Merge,
    /// What the values measure: `angle` or `length`. An actuator of another kind refuses them.
    #[serde(default)]
    pub measures: Option<Measure>,
    /// Whether a value outside the range is clipped to it (default: true) or refused. `dcm-run set` sends false, unless
    /// it has `--clip`.
    #[serde(default = "yes")]
    pub clip: bool,
    /// A lane of the client's own (default: the one that all clients share).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
}

fn yes() -> bool {
    true
}

/// Timed commands for several actuators: a row of values for each, one value for each time.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandsRequest {
    /// Names of actuators or aliases.
    pub to: Vec<String>,
    /// The times, s from now.
    pub times: Vec<f64>,
    /// A row of values for each name, one value for each time.
    pub values: Vec<Vec<f64>>,
    /// What happens to commands that are already scheduled.
    #[serde(default = "merge::clear_all", with = "merge")]
    #[schema(schema_with = merge::schema)]
    pub merge: Merge,
    /// A lane of the client's own (default: the one that all clients share).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
}

/// What packed commands are for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ScheduleQuery {
    /// Names of actuators or aliases, separated by commas. An alias stands for a list for each of its members.
    pub to: String,
    /// What happens to commands that are already scheduled.
    #[serde(default = "merge::clear_all", with = "merge")]
    #[param(schema_with = merge::schema)]
    pub merge: Merge,
    /// A lane of the client's own (default: the one that all clients share).
    #[serde(default)]
    pub lane: Option<String>,
}

/// Requests to move, and how long to wait for their end.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ProgressQuery {
    /// Their numbers, separated by commas; up to 256.
    pub tickets: String,
    /// How long to wait until all of them have ended, s, up to 60 (default: 0).
    #[serde(default)]
    pub wait_s: f64,
}

/// Actuators whose waiting commands are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PendingQuery {
    /// Names of actuators or aliases, separated by commas (default: all that have some).
    #[serde(default)]
    pub of: String,
    /// A lane of the client's own (default: the one that all clients share).
    #[serde(default)]
    pub lane: Option<String>,
}

/// Actuators whose driving lanes are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DrivingQuery {
    /// Names of actuators or aliases, separated by commas (default: all that are driven).
    #[serde(default)]
    pub of: String,
}

/// A pose of the description.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PoseRequest {
    /// Its name.
    pub name: String,
    /// The duration of the movement, s.
    pub in_s: f64,
    /// A lane of the client's own (default: the one that all clients share).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
}
