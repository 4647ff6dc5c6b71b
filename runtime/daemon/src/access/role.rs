//! Who may what: four roles, each of which may all that those before it may.
//! Used wherever somebody asks for something. The law: what nobody may is not told to nobody's face alone:
//! a route without a role does not exist (`api::gate`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What somebody may do.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// See everything, and press stop.
    Watch,
    /// Start and stop what is kept, and move joints.
    Perform,
    /// Bring choreographies, and remove them.
    Author,
    /// Arm, release the emergency stop, and say who may what.
    Operate,
}

impl Role {
    /// All, from the least.
    pub const ALL: [Role; 4] = [Role::Watch, Role::Perform, Role::Author, Role::Operate];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Role::Watch => "watch",
            Role::Perform => "perform",
            Role::Author => "author",
            Role::Operate => "operate",
        }
    }

    /// The role of this word.
    pub fn of(word: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|it| it.word() == word)
    }
}

/// Somebody who asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Who {
    /// A name for the audit log.
    pub name: String,
    /// The number of the token, if it is one.
    pub token: Option<u32>,
    /// What it may do.
    pub role: Role,
}
