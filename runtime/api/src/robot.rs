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
    /// What is done about signatures.
    pub signatures: SignaturePolicy,
    /// The port at which Foxglove can watch.
    pub foxglove: Option<u16>,
}

/// How the turns were met since the server began to look.
#[derive(Debug, Serialize, ToSchema)]
pub struct TurnTiming {
    /// From one turn to the next, ns.
    pub period_ns: u64,
    /// Turns that were seen.
    pub turns: u64,
    /// Turns that were overwritten before they were seen.
    pub unseen: u64,
    /// Turns that began later than half a period after their time.
    pub late: u64,
    /// Upper bounds of `work`, ns; its last count has none.
    pub bounds_ns: Vec<u64>,
    /// Turns by how long they worked.
    pub work: Vec<u64>,
    /// Turns by how much longer than a period they took, in eighths of a period; the last is a period or more.
    pub over: Vec<u64>,
}

/// What a name means.
#[derive(Debug, Deserialize, IntoParams)]
pub struct FindQuery {
    /// A short name, a path, or an alias.
    pub name: String,
}

/// Places in the rows of the streams.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundPlaces {
    /// Of actuators.
    pub actuators: Vec<u16>,
    /// Of sensors.
    pub sensors: Vec<u16>,
}

/// From where on.
#[derive(Debug, Deserialize, IntoParams)]
pub struct EventsQuery {
    /// The number of the first that is wanted; `next` of the last answer.
    #[serde(default)]
    pub since: u64,
}

/// What happened.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct EventsSince {
    /// The number to ask for next.
    pub next: u64,
    /// What happened, the oldest first.
    pub happened: Vec<Happened>,
}

/// What is wanted.
#[derive(Debug, Deserialize, IntoParams)]
pub struct StreamQuery {
    /// `all` (every actuator, sensor and board), `guests`, `events`; several with commas.
    #[serde(default = "everything")]
    pub topics: String,
    /// Frames of `all` in a second, at most 100.
    #[serde(default = "rate")]
    pub hz: f64,
}

fn everything() -> String {
    "all,guests,events".to_owned()
}

fn rate() -> f64 {
    20.0
}
