//! Values by the DCM's keys and by keys of clients, and events, as in `ALMemory`: requests and answers.
//! Sent by the client for Python, answered by the server's routes of the same name. The body's values of one
//! answer are of one turn.

use crate::exact_integer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// Asks for a value.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DataQuery {
    /// A key, long or short.
    pub key: String,
}

/// A value.
#[derive(Debug, Serialize, ToSchema)]
pub struct Datum {
    /// The value: a number of the body, or what a client has written; `null` if there is none yet.
    pub value: Value,
    /// How old it is, s: since a client has written it, or since the sensor's board has answered; missing if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age_s: Option<f64>,
}

/// Values, in the order of the keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct DataList {
    /// The values; `null` where a key is unknown or has no value yet.
    pub values: Vec<Value>,
}

/// An event of the memory.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct MemoryEvent {
    /// Its number.
    pub number: u64,
    /// Its key.
    pub key: String,
    /// The value.
    pub value: Value,
    /// When it was raised, ns of the robot's time.
    #[serde(with = "exact_integer")]
    #[schema(value_type = String)]
    pub at_ns: u64,
}

/// Asks for events.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MemoryEventsQuery {
    /// Their keys, separated by commas.
    pub keys: String,
    /// The number of the first one (default: none of those that were raised already).
    #[serde(default)]
    pub since: Option<u64>,
    /// How long to wait for one, s, up to 60 (default: 0).
    #[serde(default)]
    pub wait_s: f64,
}

/// Events, the oldest first.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct MemoryEvents {
    /// The number to ask for next time.
    pub next: u64,
    /// How many events, of all keys, were raised since the number and are no longer kept: the last 1,024 are.
    pub missed: u64,
    /// The events.
    pub events: Vec<MemoryEvent>,
}

/// Selects keys.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct KeyFilter {
    /// A text that the keys contain (default: all keys).
    #[serde(default)]
    pub filter: String,
}

/// Keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemoryKeys {
    /// Long keys, sorted.
    pub keys: Vec<String>,
}
