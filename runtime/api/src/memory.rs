//! Reads of values by the DCM's keys, as by `ALMemory`: requests and answers.
//! Sent by the client for Python, answered by the server's routes of the same name. The law: the values of one answer
//! are of one turn.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Asks for a value.
#[derive(Debug, Deserialize, IntoParams)]
pub struct DataQuery {
    /// A key, long or short.
    pub key: String,
}

/// A value.
#[derive(Debug, Serialize, ToSchema)]
pub struct Datum {
    /// The value; `null` if there is none yet.
    pub value: Option<f64>,
}

/// Values, in the order of the keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct DataList {
    /// The values; `null` where a key is unknown or has no value yet.
    pub values: Vec<Option<f64>>,
}

/// Selects keys.
#[derive(Debug, Deserialize, IntoParams)]
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
