//! Who a robot is, how its turns are met, what its names mean, and what happened to it.
//! Sent by the command line and by the page, answered by the server's routes of the same name. The law: a field's
//! name is the contract's, and stays.

use serde::{Deserialize, Serialize};
use socket::Happened;
use utoipa::{IntoParams, ToSchema};

use crate::keys::SignaturePolicy;

/// Who this robot is.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Hello {
    /// The version of the API.
    pub api: u32,
    /// The program's version.
    pub version: String,
    /// The loop's name, by which it is found.
    pub name: String,
    /// The robot's name.
    pub robot: String,
    /// The fingerprint of its certificate, SHA-256.
    pub fingerprint: Option<String>,
    /// How signatures of uploads are treated.
    pub signatures: SignaturePolicy,
    /// The port for Foxglove, if it is open.
    pub foxglove: Option<u16>,
}

/// How punctual turns were since the server started.
#[derive(Debug, Serialize, ToSchema)]
pub struct TurnTiming {
    /// The period of the loop, ns.
    pub period_ns: u64,
    /// Turns that were seen.
    pub turns: u64,
    /// Turns that were overwritten before the server saw them.
    pub unseen: u64,
    /// Turns that began more than half a period late.
    pub late: u64,
    /// Upper bounds of the buckets of `work`, ns; the last bucket has none.
    pub bounds_ns: Vec<u64>,
    /// Histogram of the work of a turn.
    pub work: Vec<u64>,
    /// Histogram of the lateness of a turn, in eighths of a period; the last bucket is a period or more.
    pub over: Vec<u64>,
}

/// Asks what a name means.
#[derive(Debug, Deserialize, IntoParams)]
pub struct FindQuery {
    /// A short name, a path, or an alias.
    pub name: String,
}

/// Indices in the rows of the stream `all`.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundPlaces {
    /// Indices of actuators.
    pub actuators: Vec<u16>,
    /// Indices of sensors.
    pub sensors: Vec<u16>,
}

/// Selects events.
#[derive(Debug, Deserialize, IntoParams)]
pub struct EventsQuery {
    /// The number of the first event (default: 0): `next` of the previous answer.
    #[serde(default)]
    pub since: u64,
}

/// Events.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct EventsSince {
    /// The value of `since` for the next request.
    pub next: u64,
    /// The events, the oldest first.
    pub happened: Vec<Happened>,
}

/// Selects topics of the stream.
#[derive(Debug, Deserialize, IntoParams)]
pub struct StreamQuery {
    /// Topics, separated by commas: `all` (every actuator, sensor and board), `guests`, `events` (default: all three).
    #[serde(default = "everything")]
    pub topics: String,
    /// Frames of `all` per second, 0.1 to 100 (default: 20).
    #[serde(default = "rate")]
    pub hz: f64,
}

fn everything() -> String {
    "all,guests,events".to_owned()
}

fn rate() -> f64 {
    20.0
}
