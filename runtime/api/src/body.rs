//! Requests and answers of the body: operations, values, commands, poses.
//! Sent by the command line, answered by the server's routes of the same name. The law: a field's name is the
//! contract's, and stays.

use cycle::Merge;
use serde::{Deserialize, Serialize};
use socket::{Guest, merge};
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
    /// The request's number: the request `progress` returns how far it is, and `cancel` cancels it.
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

fn yes() -> bool {
    true
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
