//! The principal: who sends a request.
//! Made by the gate from a token or from the user of the local socket; added to the request for the routes.

use protocol::AccessRole;

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

impl Principal {
    /// What tells callers apart: names may be the same, numbers of tokens are not.
    pub(super) fn key(who: Option<&Principal>) -> String {
        who.map_or_else(String::new, |who| match who.token {
            Some(number) => format!("token {number}"),
            None => who.name.clone(),
        })
    }
}

/// A caller with this token, for tests. All have the same name.
#[cfg(test)]
pub(super) fn caller(number: u32) -> Principal {
    Principal {
        name: "anna".to_owned(),
        token: Some(number),
        role: AccessRole::Author,
    }
}
