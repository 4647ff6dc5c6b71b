//! What is told of guests and of what happened: the longer answers of the socket.
//! Filled in by the loop's clerks; the server passes the same on. The law: a field that is there stays there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that happened, or that a guest said.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Happened {
    /// Its number.
    pub number: u64,
    /// When, ns of the robot's time.
    pub at_ns: u64,
    /// How much it matters: `detail`, `plain` or `warning`; a guest's own word for what it said.
    pub level: String,
    /// A word for programs; `said` for what a guest said.
    pub event: String,
    /// The guest that said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest: Option<String>,
    /// A sentence for people.
    pub text: String,
}

/// A guest as it is told of.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Guest {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// `motion` or `score`.
    pub world: String,
    /// `loaded`, `armed`, `running`, `paused`, `ending` or `gone`.
    pub life: String,
    /// Why it ended; empty while it has not.
    pub end: String,
    /// More about that.
    pub details: String,
    /// Whether its end was its own fault.
    pub fault: bool,
    /// How it reaches sensors and commands.
    pub form: String,
    /// SHA-256 of its bytes.
    pub digest: String,
    /// Its lane's priority.
    pub priority: f64,
    /// Its lane's weight.
    pub weight: f64,
    /// Fuel that a call of a hook is granted.
    pub fuel: u64,
    /// Fuel that each hook has used.
    pub hooks: BTreeMap<String, Fuel>,
    /// Commands that were taken.
    pub commands: u64,
    /// Of these, those that came after their instant.
    pub late: u64,
    /// Of these, those that were brought within their range.
    pub clipped: u64,
    /// What was refused after all.
    pub refused: u64,
    /// Turns in which something had to wait for the next.
    pub deferred: u64,
    /// Events that it was too slow to hear.
    pub missed_events: u64,
    /// The turn since which it runs.
    pub since: u64,
    /// How long it has been heard, ns of its own time, which stands while the body does not follow it.
    #[serde(default)]
    pub played_ns: u64,
    /// How long it lasts, or one round of it, ns; nothing if it does not say so.
    #[serde(default)]
    pub lasts_ns: Option<u64>,
    /// Whether it begins again when it is over.
    #[serde(default)]
    pub loops: bool,
    /// Its parameters: lowest, value, highest.
    pub params: BTreeMap<String, [f64; 3]>,
}

/// Fuel that a hook has used.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
pub struct Fuel {
    /// How often it was called.
    pub calls: u64,
    /// Of the last call.
    pub last: u64,
    /// The most that a call ever took.
    pub most: u64,
    /// All of it.
    pub total: u64,
    /// The turn of the last call.
    pub turn: u64,
}

/// How the recording of a run in the robot's folder stands.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecordingStatus {
    /// Whether the run is recorded.
    pub on: bool,
    /// The name of the file that is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
    /// How many bytes are in it.
    #[serde(default)]
    pub bytes: u64,
    /// What is wrong; nothing is written until it is switched on again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// A guest that has come in.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Loaded {
    /// Its number.
    pub id: u32,
    /// The name by which it is known here.
    pub name: String,
    /// `motion` or `score`.
    pub world: String,
    /// How it reaches sensors and commands: `in-place` or `calls`.
    pub form: String,
    /// How it was compiled: `good` or `quick`.
    pub tier: String,
    /// Whether its code was there already.
    pub cached: bool,
    /// SHA-256 of its bytes.
    pub digest: String,
    /// How long it took to make it, ns.
    pub took_ns: u64,
}
