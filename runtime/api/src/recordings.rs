//! The stored recordings, and whether runs are recorded. Requests and answers.
//! Sent by the page, answered by the server's routes of the same name. The law: a field's name is the contract's,
//! and stays.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// All recordings.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct RecordingList {
    /// Whether this run is recorded.
    pub on: bool,
    /// Why this run is not recorded, if something is wrong.
    #[serde(rename = "trouble")]
    pub error: Option<String>,
    /// The stored recordings, the newest first.
    pub kept: Vec<RecordingFile>,
}

/// Starts or stops recording.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordRequest {
    /// Whether this run is recorded from now on.
    pub on: bool,
}

/// A stored recording.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct RecordingFile {
    /// The name of its file.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Whether it is being written.
    pub open: bool,
    /// When it began, s of UTC since 1970.
    pub began: u64,
}
