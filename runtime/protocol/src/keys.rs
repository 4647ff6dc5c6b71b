//! Keys that sign choreographies, as a robot knows them.
//! Sent by `dcm-run keys`, answered by the server's routes of the same name. A secret key is in
//! no request.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How signatures of uploads are treated.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SignaturePolicy {
    /// Signatures are not checked.
    #[default]
    Off,
    /// A missing or wrong signature is a warning.
    Warn,
    /// A missing or wrong signature is an error.
    Require,
}

/// A public key that the robot trusts, or trusted once.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustedKey {
    /// The public key, in hexadecimal digits.
    pub key: String,
    /// The name of its owner.
    pub name: String,
    /// When it was added, s of UTC since 1970.
    pub since: u64,
    /// Whether it was revoked.
    pub revoked: bool,
}

/// The first 16 digits of a key, which people compare.
pub fn short(key: &str) -> String {
    key.chars().take(16).collect()
}

/// Adds a trusted key.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustRequest {
    /// The public key: 64 hexadecimal digits.
    pub key: String,
    /// The name of its owner.
    pub name: String,
}
