//! Access: pairing, tokens, the control lease, the audit log. Requests and answers.
//! Sent by the command line, answered by the server's routes of the same name. A token is in one answer
//! only, the one that makes it.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::AccessRole;

/// Begins to pair by a key exchange, as `network::pairing` does: the code is proved, and never sent.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairExchange {
    /// The client's message of SPAKE2, 66 hexadecimal digits.
    pub message: String,
}

/// The robot's part of a key exchange.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct PairAnswer {
    /// The number of the exchange.
    pub exchange: u32,
    /// The robot's message of SPAKE2, 66 hexadecimal digits.
    pub message: String,
    /// The robot's proof of the key, 64 hexadecimal digits.
    pub proof: String,
}

/// Ends a key exchange.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairProof {
    /// The number of the exchange.
    pub exchange: u32,
    /// The client's proof of the key, 64 hexadecimal digits.
    pub proof: String,
    /// The name of the person or program.
    pub name: String,
}

/// Pairs with the robot by the code itself, as a browser does, which cannot see a certificate.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairRequest {
    /// The code that the robot shows.
    pub code: String,
    /// The name of the person or program.
    pub name: String,
}

/// A new token. It is shown only once.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct NewToken {
    /// The token, for the header `Authorization: Bearer ...`.
    pub token: String,
    /// What is known about it.
    pub about: TokenInfo,
}

/// Asks for a new pairing code.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PairingRequest {
    /// The role of whoever pairs with the code.
    pub role: AccessRole,
}

/// A pairing code.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct PairingCode {
    /// Eight digits.
    pub code: String,
    /// How long it is valid, s.
    pub for_s: u64,
    /// Its role.
    pub role: AccessRole,
    /// SHA-256 of the robot's certificate, to compare with what a client sees; `null` without TLS.
    pub certificate: Option<String>,
}

/// Who sent the request.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: AccessRole,
}

/// Creates a token.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// The name of the person or program.
    pub name: String,
    /// Its role.
    pub role: AccessRole,
    /// After how many days it expires; 0 for never (default: `access.token-days` of the settings).
    #[serde(default)]
    pub days: Option<u64>,
}

/// Selects entries of the audit log.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct AuditQuery {
    /// The maximum number of entries (default: 100).
    pub most: Option<usize>,
}

/// A token, without its secret.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct TokenInfo {
    /// Its number.
    pub number: u32,
    /// The name of the person or program.
    pub name: String,
    /// Its role.
    pub role: AccessRole,
    /// When it was created, s of UTC since 1970.
    pub made: u64,
    /// When it expires, s of UTC since 1970; `null` for never.
    pub ends: Option<u64>,
}

/// Who holds control.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct ControlHolder {
    /// The name of the holder; `null` if nobody holds it.
    pub by: Option<String>,
    /// For how much longer, s, unless the holder moves the body again.
    pub for_s: f64,
}

/// An entry of the audit log.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToSchema)]
pub struct AuditEntry {
    /// When, s of UTC since 1970.
    pub at: u64,
    /// Who.
    pub who: String,
    /// The number of the token; `null` for a user of the local socket, and for the robot itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<u32>,
    /// The role; `null` for whoever has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<AccessRole>,
    /// From where: an address, or `local`.
    pub from: String,
    /// What: a method and a path, or a sentence.
    pub act: String,
    /// The outcome: a status or an error code.
    pub outcome: String,
}

/// The end of the audit log.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct AuditEntries {
    /// The last entries, the newest last.
    pub acts: Vec<AuditEntry>,
    /// How many entries could not be written since the server started.
    pub lost: u64,
    /// How many requests of unknown senders were not written, because there were too many.
    pub passed_over: u64,
}
