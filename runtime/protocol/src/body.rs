//! The emergency stop over HTTP, and packed commands.
//! Sent by the command line, answered by the server's routes of the same name. A field's name is the
//! contract's, and stays.

use crate::merge;
use cycle::Merge;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The state of the body after the emergency stop.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct BodyStatus {
    /// Its safety state.
    pub state: String,
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
