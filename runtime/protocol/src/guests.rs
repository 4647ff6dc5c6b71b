//! Who plays: requests that start, change and end guests, and their answers.
//! Sent by the command line, answered by the server's routes of the same name. A field's name is the
//! contract's, and stays.

use crate::{GuestOptions, Loaded};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Starts a choreography.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartRequest {
    /// The name, a tag or the digest of a stored choreography.
    pub choreography: String,
    /// Options for the guest.
    #[serde(rename = "wish", default)]
    pub options: GuestOptions,
    /// When, s of UTC since 1970 (default: now).
    #[serde(default)]
    pub at: Option<f64>,
    /// Or the delay in seconds, by the robot's clock.
    #[serde(default)]
    pub in_s: Option<f64>,
    /// Or when this guest has ended, by name or number; but not if it fails. Or when an event of this topic is posted,
    /// such as `settled/wave`: a topic has a `/`.
    #[serde(default)]
    pub after: Option<String>,
}

/// The result of a start.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Started {
    /// The guest was loaded.
    Loaded(Loaded),
    /// The start was scheduled; its number.
    Planned(u32),
}

/// A scheduled start.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct PlannedStart {
    /// Its number.
    pub number: u32,
    /// What will play.
    pub choreography: String,
    /// When, s of UTC since 1970; when it was scheduled, if it waits for something.
    pub at: f64,
    /// The guest or the event after which it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Who scheduled it.
    pub by: String,
}

/// Confirms that a request was carried out.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Confirmation {
    /// Always true.
    pub done: bool,
}

/// Replaces a guest by another version.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SwapRequest {
    /// The name, a tag or the digest of a stored choreography.
    pub choreography: String,
    /// The duration of the crossfade, s (default: 0).
    #[serde(default)]
    pub in_s: f64,
    /// Options for the guest.
    #[serde(rename = "wish", default)]
    pub options: GuestOptions,
}
