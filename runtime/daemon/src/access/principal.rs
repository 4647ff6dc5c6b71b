//! The principal: who sends a request.
//! Made by the gate from a token or from the user of the local socket; added to the request for the routes.

use api::role::AccessRole;

/// Who sends a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Principal {
    /// A name for the audit log.
    pub name: String,
    /// The number of the token; `None` for a user of the local socket.
    pub token: Option<u32>,
    /// The role.
    pub role: AccessRole,
}
