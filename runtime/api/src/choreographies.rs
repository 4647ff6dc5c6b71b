//! What a robot keeps: choreographies, their names and tags, and what plays at boot.
//! Sent by the command line, answered by the server's routes of the same name; the store writes
//! [`StoredChoreography`] and [`BootEntry`] to its disk as they are here. The law: a field's name is the contract's,
//! and stays.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A choreography that is kept.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredChoreography {
    /// The name under which it came.
    pub name: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// When it came, s of UTC since 1970.
    pub came: u64,
    /// Who brought it.
    pub by: String,
    /// The key that vouches for it, if one does.
    pub key: Option<String>,
    /// When it was signed, s of UTC since 1970.
    pub signed: Option<u64>,
}

/// A choreography as it is told of.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct ListedChoreography {
    /// SHA-256 of its bytes.
    pub digest: String,
    /// What is known of it.
    #[serde(flatten)]
    pub kept: StoredChoreography,
    /// Whether its name means this version.
    pub current: bool,
    /// Whether it is the version of its name that has last played well.
    pub good: bool,
    /// Whether it plays when the robot has come up.
    pub boot: bool,
    /// Its tags.
    pub tags: Vec<String>,
}

/// What plays when the robot has come up.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BootEntry {
    /// A name, a tag or a digest.
    pub choreography: String,
    /// What is wished for it.
    #[serde(default)]
    pub wish: socket::Wish,
}

/// The header that carries a signature, in hexadecimal digits.
pub const SIGNATURE: &str = "x-dcm-signature";

/// How it is kept.
#[derive(Debug, Deserialize, IntoParams)]
pub struct PushQuery {
    /// Its name.
    pub name: String,
}

/// What was kept.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct PushResult {
    /// SHA-256 of its bytes.
    pub digest: String,
    /// Its name.
    pub name: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// Whether it was there already.
    pub known: bool,
    /// Whose key vouches for it.
    pub signed_by: Option<String>,
    /// What should not be.
    pub warnings: Vec<String>,
}

/// Whether it goes although something names it.
#[derive(Debug, Deserialize, IntoParams)]
pub struct RemoveQuery {
    /// Remove it all the same.
    #[serde(default)]
    pub force: bool,
}

/// What a check found.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct CheckResult {
    /// Whether it may be played without worry.
    pub passes: bool,
    /// What `dcm-run check --json` says of it.
    pub report: serde_json::Value,
}

/// What a tag means.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagRequest {
    /// A name, a tag or a digest.
    pub choreography: String,
}

/// A digest.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct VersionDigest {
    /// SHA-256 of the bytes.
    pub digest: String,
}

/// Whether this may be the name of a choreography or a tag: never a path.
pub fn is_name(name: &str) -> bool {
    let sound = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || b"-_.".contains(&it);
    let first = name.as_bytes().first();
    first.is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
        && name.len() <= 64
        && name.bytes().all(sound)
        && !name.contains("..")
}
