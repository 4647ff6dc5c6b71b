//! What somebody may do: four roles, each of which may all that those before it may.
//! Used wherever somebody asks for something. The law: what nobody may is not told to nobody's face alone:
//! a route without a role does not exist (`api::gate`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What somebody may do.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AccessRole {
    /// See everything, and press stop.
    Watch,
    /// Start and stop what is kept, and move joints.
    Perform,
    /// Bring choreographies, and remove them.
    Author,
    /// Arm, release the emergency stop, and say who may what.
    Operate,
}

impl AccessRole {
    /// All, from the least.
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
        AccessRole::ALL.into_iter().find(|it| it.word() == word)
    }
}
