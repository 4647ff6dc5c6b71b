//! The four roles. Each includes the rights of those before it.
//! Used by the gate, tokens and pairing. Every route has a role; one without a role does not exist
//! (`routes::gate` of the server).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a person or program may do; each role includes those before it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AccessRole {
    /// Read everything, and press stop.
    Watch,
    /// Start and stop stored choreographies, and move joints.
    Perform,
    /// Upload and remove choreographies.
    Author,
    /// Arm, release the emergency stop, and manage keys and tokens.
    Operate,
}

impl AccessRole {
    /// All roles, the lowest first.
    pub const ALL: [AccessRole; 4] = [
        AccessRole::Watch,
        AccessRole::Perform,
        AccessRole::Author,
        AccessRole::Operate,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            AccessRole::Watch => "watch",
            AccessRole::Perform => "perform",
            AccessRole::Author => "author",
            AccessRole::Operate => "operate",
        }
    }

    /// The role of this word.
    pub fn of(word: &str) -> Option<AccessRole> {
        AccessRole::ALL.into_iter().find(|role| role.word() == word)
    }
}
