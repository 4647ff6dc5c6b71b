//! The larger payloads of replies: guests and events.
//! Filled in by the loop's request handler; the server passes them on. A published field is never removed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::exact_integer;

/// An entry of the log: an event of the body, a line of a guest, or what a part of dcm-run did.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct LogEntry {
    /// Its number.
    pub number: u64,
    /// When, ns of the robot's time.
    #[serde(with = "exact_integer")]
    #[schema(value_type = String)]
    pub at_ns: u64,
    /// When, UTC, ns since 1970.
    #[serde(with = "exact_integer", default)]
    #[schema(value_type = String)]
    pub utc_ns: u64,
    /// How urgent it is: `error` (something ended or stopped, and a person must act), `warn` (it goes on, but not as it
    /// should), `info` (what a person follows), `debug` (details of what happens), `trace` (every request).
    pub level: String,
    /// Who wrote it: a part of dcm-run, or a guest's name.
    #[serde(default)]
    pub target: String,
    /// The event's name, for programs; `said` for a guest's line, `log` for a part's.
    pub event: String,
    /// The guest that wrote it, or that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest: Option<String>,
    /// The turn in which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// The actuator that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actuator: Option<String>,
    /// The work during which it was written, such as `request:upload`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub span: String,
    /// A message for people.
    pub text: String,
    /// Everything else that is known, such as the `id` of the request.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Object)]
    pub fields: BTreeMap<String, serde_json::Value>,
}

impl LogEntry {
    /// The levels, from the most urgent on.
    pub const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

    /// Whether it is at least as urgent as this level.
    pub fn is_at_least(&self, level: &str) -> bool {
        let rank = |text: &str| Self::LEVELS.iter().position(|known| *known == text);
        rank(&self.level).unwrap_or(0) <= rank(level).unwrap_or(0)
    }
}

/// The status of a guest.
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
    /// Why it ended; empty while it plays.
    pub end: String,
    /// Details about its end.
    pub details: String,
    /// Whether it ended because of a fault of its own.
    pub fault: bool,
    /// How it reaches sensors and commands: `in-place` or `calls`.
    pub form: String,
    /// SHA-256 of its bytes.
    pub digest: String,
    /// Where it came from, as whoever loaded it has said: a path, or a name in the store.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from: String,
    /// Its lane's priority.
    pub priority: f64,
    /// Its lane's weight.
    pub weight: f64,
    /// The fuel for each call of a hook.
    pub fuel: u64,
    /// The fuel that each hook has used.
    pub hooks: BTreeMap<String, Fuel>,
    /// The number of accepted commands.
    pub commands: u64,
    /// How many of them came after their instant.
    pub late: u64,
    /// How many of them were clipped to their range.
    pub clipped: u64,
    /// The number of refused commands.
    pub refused: u64,
    /// The number of turns in which work was deferred to the next turn.
    pub deferred: u64,
    /// The number of events that it missed because it was too slow.
    pub missed_events: u64,
    /// The turn in which it started to run.
    pub since: u64,
    /// How long it has played, in ns of its own time. That time stops while the body does not follow it.
    #[serde(default)]
    pub played_ns: u64,
    /// Its duration, or that of one round, ns; missing if its manifest has none.
    #[serde(default)]
    pub lasts_ns: Option<u64>,
    /// Whether it repeats.
    #[serde(default)]
    pub loops: bool,
    /// Its parameters: minimum, value, maximum.
    pub params: BTreeMap<String, [f64; 3]>,
}

/// The fuel that a hook has used.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
pub struct Fuel {
    /// The number of calls.
    pub calls: u64,
    /// The fuel of the last call.
    pub last: u64,
    /// The most fuel that a call used.
    pub most: u64,
    /// The sum over all calls.
    pub total: u64,
    /// The turn of the last call.
    pub turn: u64,
}

/// How the recording of a run in the robot's folder stands.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
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
    /// What is wrong. It is tried again by itself, when the disk has room, and when it is switched on again.
    #[serde(rename = "trouble", default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A guest that was loaded.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct Loaded {
    /// Its number.
    pub id: u32,
    /// Its name in this loop.
    pub name: String,
    /// `motion` or `score`.
    pub world: String,
    /// How it reaches sensors and commands: `in-place` or `calls`.
    pub form: String,
    /// The tier of its compiled code: `good` or `quick`.
    pub tier: String,
    /// Whether its code came from the cache.
    pub cached: bool,
    /// SHA-256 of its bytes.
    pub digest: String,
    /// How long loading took, ns.
    pub took_ns: u64,
}

/// An error code of a board, as the page and the memory show it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct FaultCode {
    /// The code. A code of 32,768 and more is a board's own: 32,768 and its number.
    pub code: u16,
    /// Its name, as the log says it.
    pub name: String,
    /// What a person should do about it.
    pub remedy: String,
}
