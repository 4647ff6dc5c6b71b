//! What is read by the DCM's keys, as from its `ALMemory`: requests and answers.
//! Sent by the client for Python, answered by the server's routes of the same name. The law: the values of one answer
//! are of one turn.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What is wanted.
#[derive(Debug, Deserialize, IntoParams)]
pub struct DataQuery {
    /// A key, long or short.
    pub key: String,
}

/// A value.
#[derive(Debug, Serialize, ToSchema)]
pub struct Datum {
    /// Nothing if there is none yet.
    pub value: Option<f64>,
}

/// Values, in the order of the keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct DataList {
    /// Nothing where a key is not known, or has no value yet.
    pub values: Vec<Option<f64>>,
}

/// Which keys.
#[derive(Debug, Deserialize, IntoParams)]
pub struct KeyFilter {
    /// What they contain.
    #[serde(default)]
    pub filter: String,
}

/// Keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemoryKeys {
    /// Long, by the alphabet.
    pub keys: Vec<String>,
}
