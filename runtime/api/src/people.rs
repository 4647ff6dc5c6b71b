//! Who may what: pairing, tokens, control of the robot, and the audit log.
//! Sent by the command line, answered by the server's routes of the same name. The law: a token is in one answer
//! only, the one that makes it.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::role::AccessRole;

/// What somebody typed who sees the robot.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairRequest {
    /// The code that the robot shows.
    pub code: String,
    /// Who it is.
    pub name: String,
}

/// A token, told this once.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct NewToken {
    /// What to show from now on: `Authorization: Bearer ...`.
    pub token: String,
    /// What is known of it.
    pub about: TokenInfo,
}

/// What a code shall allow.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairingRequest {
    /// The role of whoever pairs by it.
    pub role: AccessRole,
}

/// A code.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct PairingCode {
    /// Eight digits.
    pub code: String,
    /// How long it counts, s.
    pub for_s: u64,
    /// What it allows.
    pub role: AccessRole,
}

/// Who asks.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// What it may do.
    pub role: AccessRole,
}

/// A token that shall be made.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// For whom.
    pub name: String,
    /// What it allows.
    pub role: AccessRole,
    /// After how many days it ends; 0 for never.
    #[serde(default)]
    pub days: Option<u64>,
}

/// How many.
#[derive(Debug, Deserialize, IntoParams)]
pub struct AuditQuery {
    /// At most so many; 100 if it is not said.
    pub most: Option<usize>,
}

/// A token as it is told of.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct TokenInfo {
    /// Its number.
    pub number: u32,
    /// For whom it was made.
    pub name: String,
    /// What it allows.
    pub role: AccessRole,
    /// When it was made, s of UTC since 1970.
    pub made: u64,
    /// When it ends.
    pub ends: Option<u64>,
}

/// Who holds control.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct ControlHolder {
    /// Its name; nobody's if there is none.
    pub by: Option<String>,
    /// For how long still, s, unless it acts again.
    pub for_s: f64,
}

/// An act.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct AuditEntry {
    /// When, s of UTC since 1970.
    pub at: u64,
    /// Who.
    pub who: String,
    /// From where: an address, or `local`.
    pub from: String,
    /// What: a method and a path, or a sentence.
    pub act: String,
    /// What came of it: a status, or a code.
    pub outcome: String,
}

/// What was done.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct AuditEntries {
    /// The last acts, the newest last.
    pub acts: Vec<AuditEntry>,
    /// How many could not be written down since the server came up.
    pub lost: u64,
    /// What strangers tried so often that the log has no room for it.
    pub passed_over: u64,
}
