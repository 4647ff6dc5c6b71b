//! The robot: identity, state, timing, names, events, the stream. Requests and answers.
//! Sent by the command line and by the page, answered by the server's routes of the same name. A field's
//! name is the contract's, and stays.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Guest, LogEntry, RequestProgress, exact_integer};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::keys::SignaturePolicy;

/// A robot's clock.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct ClockReport {
    /// What the machine's clock shows, s of UTC since 1970.
    pub clock: u64,
    /// The time by which tokens, signatures and keys expire, s of UTC since 1970. It never goes back.
    pub time: u64,
}

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

/// The state of the body in its newest turn.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct RobotState {
    /// The number of the turn.
    pub turn: u64,
    /// How long ago this turn was first seen, s: 0 to a period, unless the loop stands still.
    pub age_s: f64,
    /// The robot's time, ns.
    #[serde(with = "exact_integer")]
    #[schema(value_type = String)]
    pub now_ns: u64,
    /// The name of the safety state.
    pub state: String,
    /// The share of its power that the body has.
    pub power: f64,
    /// How long the turn worked, ns.
    pub work_ns: u64,
    /// From the turn before, ns.
    pub elapsed_ns: u64,
    /// Events so far.
    pub events: u64,
    /// The actuators, by name.
    pub actuators: BTreeMap<String, ActuatorState>,
    /// The sensors' values, by name; none where nothing was measured.
    pub sensors: BTreeMap<String, Option<f64>>,
    /// The boards.
    pub boards: Vec<BoardState>,
}

/// The state of an actuator.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct ActuatorState {
    /// What was commanded.
    pub commanded: Option<f64>,
    /// What the limits left of it.
    pub limited: Option<f64>,
    /// What was sent.
    pub sent: Option<f64>,
    /// What its board has acknowledged.
    pub acknowledged: Option<f64>,
    /// How much of it is commanded, 0 to 1.
    pub coverage: Option<f64>,
    /// How often a value was clipped.
    pub clips: Option<u64>,
}

/// The state of a board.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct BoardState {
    /// Its name.
    pub name: String,
    /// Turns in which it answered.
    pub acks: u64,
    /// Turns in which it did not.
    pub nacks: u64,
    /// Turns since it has answered.
    pub age: u64,
    /// The number of its error.
    pub error: u64,
}

/// The messages of the stream but for those of `all`, which the server writes by hand, since it sends so many.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "topic", rename_all = "kebab-case")]
pub enum StreamMessage {
    /// The first message.
    Labels(StreamLabels),
    /// All guests.
    Guests {
        /// The guests.
        guests: Vec<Guest>,
    },
    /// An event.
    Event(LogEntry),
    /// A request to move that was sent to this server has ended.
    Request(RequestProgress),
    /// This subscriber was too slow for some events.
    Lost {
        /// How many events it missed.
        events: u64,
    },
}

impl StreamMessage {
    /// The message as JSON.
    pub fn text(&self) -> Arc<str> {
        // These types have no map with keys that are no strings, so that this never fails.
        Arc::from(serde_json::to_string(self).unwrap_or_default())
    }
}

/// The names of the rows of `all`.
#[derive(Debug, Deserialize, Serialize)]
pub struct StreamLabels {
    /// From one turn to the next, ns.
    pub period_ns: u64,
    /// UTC when the robot's time was 0, ns since 1970.
    #[serde(with = "exact_integer")]
    pub utc_at_zero_ns: u64,
    /// The number of the loop's run.
    pub run: String,
    /// The actuators.
    pub actuators: Vec<RowLabel>,
    /// The sensors.
    pub sensors: Vec<RowLabel>,
    /// The names of the boards.
    pub boards: Vec<String>,
}

/// What a row of the stream is called.
#[derive(Debug, Deserialize, Serialize)]
pub struct RowLabel {
    /// Its short name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// The lowest value; none if it has no limit.
    pub lowest: Option<f64>,
    /// The highest value.
    pub highest: Option<f64>,
    /// The number of its board.
    pub board: u8,
}

/// How punctual turns were since the server started.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct TurnTiming {
    /// The period of the loop, ns.
    pub period_ns: u64,
    /// Turns that were seen.
    pub turns: u64,
    /// Turns that were overwritten before the server saw them.
    pub unseen: u64,
    /// Turns that began more than half a period late.
    pub late: u64,
    /// Whether the loop keeps its period, as of its last turns: `comfortable`, `tight`, `no`, or `unknown`.
    pub realtime: String,
    /// Upper bounds of the buckets of `work`, ns; the last bucket has none.
    pub bounds_ns: Vec<u64>,
    /// Histogram of the work of a turn.
    pub work: Vec<u64>,
    /// Histogram of the lateness of a turn, in eighths of a period; the last bucket is a period or more.
    pub over: Vec<u64>,
}

/// Selects topics of the stream.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct StreamQuery {
    /// Topics, separated by commas: `all` (every actuator, sensor and board), `guests`, `events`
    /// (default: these three), `requests` (the end of each request to move that is sent to this server while
    /// somebody subscribes to them).
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
