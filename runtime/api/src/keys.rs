//! Keys that vouch for choreographies, as a robot knows them.
//! Sent by `dcm-run keys`, answered by the server's routes of the same name. The law: a secret key is in
//! no request.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is done about signatures.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SignaturePolicy {
    /// Nobody looks.
    #[default]
    Off,
    /// What is wrong is told, and the choreography taken.
    Warn,
    /// What is wrong is refused.
    Require,
}

/// A key that the robot knows.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustedKey {
    /// The public key, in hexadecimal digits.
    pub key: String,
    /// Whose it is.
    pub name: String,
    /// When it came to be trusted, s of UTC since 1970.
    pub since: u64,
    /// Whether it is trusted no more.
    pub revoked: bool,
}

/// As much of a key as people compare.
pub fn short(key: &str) -> String {
    key.chars().take(16).collect()
}

/// A key that shall be trusted.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustRequest {
    /// The public key: 64 hexadecimal digits.
    pub key: String,
    /// Whose it is.
    pub name: String,
}
