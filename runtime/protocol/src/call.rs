//! A line of the socket: a request, and its number.

use serde::{Deserialize, Serialize};

use crate::ask::Ask;

/// A request.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The caller's number for this request; the reply has the same number.
    #[serde(default)]
    pub id: u64,
    /// The request to the robot's server that it belongs to, for the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The request itself.
    pub ask: Ask,
}
