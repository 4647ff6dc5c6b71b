//! Stored choreographies, their names and tags, and what plays at boot.
//! Sent by the command line, answered by the server's routes of the same name; the store writes
//! [`StoredChoreography`] and [`BootEntry`] to its disk as they are here. A field's name is the contract's,
//! and stays.

use crate::{ErrorCode, RequestError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

/// The most letters of an invalid name that are quoted.
const QUOTED_MAX: usize = 40;

/// A stored choreography.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredChoreography {
    /// The name under which it was uploaded.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// When it was uploaded, s of UTC since 1970.
    pub came: u64,
    /// Who uploaded it.
    pub by: String,
    /// The public key that signed it, if it is signed.
    pub key: Option<String>,
    /// When it was signed, s of UTC since 1970.
    pub signed: Option<u64>,
}

/// A stored choreography, as it is listed.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct ListedChoreography {
    /// SHA-256 of its bytes.
    pub digest: String,
    /// What is known about it.
    #[serde(flatten)]
    pub kept: StoredChoreography,
    /// Whether this is the current version of its name.
    pub current: bool,
    /// Whether this is the version of its name that last played without a fault.
    pub good: bool,
    /// Whether it plays at boot.
    pub boot: bool,
    /// Its tags.
    pub tags: Vec<String>,
}

/// A choreography that plays at boot.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BootEntry {
    /// A name, a tag or a digest.
    pub choreography: String,
    /// Options for the guest.
    #[serde(rename = "wish", default)]
    pub options: crate::GuestOptions,
}

/// The header that carries a signature, in hexadecimal digits.
pub const SIGNATURE: &str = "x-dcm-signature";

/// How an upload is stored.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PushQuery {
    /// Its name.
    pub name: String,
    /// The name of the file, such as `wave.motion`: what is no WebAssembly is then read as a motion, and compiled for
    /// this robot.
    pub file: Option<String>,
    /// For a motion: the text of a file that maps its joints to the robot's.
    pub map: Option<String>,
    /// For a motion: exchange left and right (default: false).
    #[serde(default)]
    pub mirror: bool,
    /// For a file of several motions: the one to take; `all` plays them one after another.
    pub motion: Option<String>,
}

/// The result of an upload.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct PushResult {
    /// SHA-256 of its bytes: of a motion, those that it was compiled to.
    pub digest: String,
    /// Its name.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Whether the same bytes were stored already.
    pub known: bool,
    /// The name of the key that signed it.
    pub signed_by: Option<String>,
    /// Warnings, for example about the signature, or what was tolerated in a motion.
    pub warnings: Vec<String>,
}

/// How to remove a choreography.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RemoveQuery {
    /// Remove it even if it is in use (default: false).
    #[serde(default)]
    pub force: bool,
}

/// The result of a check.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct CheckResult {
    /// Whether the check passes.
    pub passes: bool,
    /// The report of `dcm-run check --json`.
    pub report: ReportedVerdict,
}

/// The report of a check. What is not named here is passed on as it is.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct ReportedVerdict {
    /// Which rules are broken: failures first.
    pub findings: Vec<ReportedFinding>,
    /// All other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A rule that a choreography breaks.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct ReportedFinding {
    /// The rule.
    pub rule: String,
    /// `failure`, or less.
    pub severity: String,
    /// The finding in a sentence.
    pub sentence: String,
    /// What to change.
    pub fix: String,
    /// All other fields.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The version that gets a tag.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagRequest {
    /// A name, a tag or a digest.
    pub choreography: String,
}

/// The digest of a version.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct VersionDigest {
    /// SHA-256 of the bytes.
    pub digest: String,
}

/// Whether this is a valid name: of a choreography, a tag, a key, the owner of a token. A path never is.
pub fn is_name(name: &str) -> bool {
    let sound =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    let first = name.as_bytes().first();
    first.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.len() <= 64
        && name.bytes().all(sound)
        && !name.contains("..")
}

/// Whether a text stands for a digest: all of it, or enough of its first digits to name one.
pub fn is_like_a_digest(text: &str) -> bool {
    text.len() >= DIGITS_MIN && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// How many of a digest's first digits name it, at least.
pub const DIGITS_MIN: usize = 8;

/// The error for a name that would be read as a digest.
pub fn digest_as_name(name: &str) -> RequestError {
    let sentence = format!("`{name}` cannot be a name: it reads as the digits of a digest");
    let fix = "add a letter other than a to f, or a `-`: a digest must always mean its own bytes";
    ErrorCode::InvalidName.error(sentence).fix(fix)
}

/// The error for an invalid name.
pub fn invalid_name(name: &str) -> RequestError {
    let quoted = name.chars().take(QUOTED_MAX);
    let quoted: String = quoted.flat_map(char::escape_debug).collect();
    let error = ErrorCode::InvalidName.error(format!("invalid name `{quoted}`"));
    error.fix("use 1 to 64 lowercase letters, digits, `-`, `_` and `.`, beginning with a letter or a digit")
}
