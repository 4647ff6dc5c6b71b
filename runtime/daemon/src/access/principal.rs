//! Somebody who asks, once it is known who that is.
//! Made by the gate, of a token or of the user of a local socket; laid into the request for the routes.

use api::role::AccessRole;

/// Somebody who asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Principal {
    /// A name for the audit log.
    pub name: String,
    /// The number of the token, if it is one.
    pub token: Option<u32>,
    /// What it may do.
    pub role: AccessRole,
}
