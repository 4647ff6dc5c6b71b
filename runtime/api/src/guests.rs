//! Who plays: requests that start, change and end guests, and their answers.
//! Sent by the command line, answered by the server's routes of the same name. The law: a field's name is the
//! contract's, and stays.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use socket::{Loaded, Wish};
use utoipa::{IntoParams, ToSchema};

/// What shall play.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartRequest {
    /// A name, a tag or a digest of what is kept.
    pub choreography: String,
    /// What is wished for it.
    #[serde(default)]
    pub wish: Wish,
    /// When, s of UTC since 1970; at once if neither this nor `in_s` is said.
    #[serde(default)]
    pub at: Option<f64>,
    /// In so many seconds, by the robot's own clock.
    #[serde(default)]
    pub in_s: Option<f64>,
}

/// What was done, or will be.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Started {
    /// It has come in.
    Loaded(Loaded),
    /// It will, at its time: the plan's number.
    Planned(u32),
}

/// A start that is to come.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct PlannedStart {
    /// Its number.
    pub number: u32,
    /// What shall play.
    pub choreography: String,
    /// When, s of UTC since 1970.
    pub at: f64,
    /// Who wants it.
    pub by: String,
}

/// What shall be changed of a guest.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TuneRequest {
    /// Parameters and their values.
    pub params: BTreeMap<String, f64>,
    /// Its lane's priority.
    pub priority: Option<f64>,
    /// Its lane's weight.
    pub weight: Option<f64>,
}

/// Nothing more to say.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Confirmation {
    /// Always true.
    pub done: bool,
}

/// How it ends.
#[derive(Debug, Deserialize, IntoParams)]
pub struct EndQuery {
    /// The body slows down before, within its limits.
    #[serde(default)]
    pub soft: bool,
}

/// What shall take over.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SwapRequest {
    /// A name, a tag or a digest of what is kept.
    pub choreography: String,
    /// How long one fades into the other, s.
    #[serde(default)]
    pub in_s: f64,
    /// What is wished for it.
    #[serde(default)]
    pub wish: Wish,
}
