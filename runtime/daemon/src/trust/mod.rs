//! Whose choreographies a robot takes: the keys it trusts, and what it makes of a signature.
//! Asked by the API when something comes in. The law: under `require` nothing comes in that a trusted key
//! does not vouch for, for this robot and now; a key that was revoked counts no more, unless it is trusted anew.

mod statement;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use statement::{Flaw, LONGEST, Secret, Statement, unhex};

/// What is done about signatures.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
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
pub struct Key {
    /// The public key, in hexadecimal digits.
    pub key: String,
    /// Whose it is.
    pub name: String,
    /// When it came to be trusted, s of UTC since 1970.
    pub since: u64,
    /// Whether it is trusted no more.
    pub revoked: bool,
}

/// Keys at most.
pub const KEYS_MAX: usize = 256;

/// What a signature is looked at for.
#[derive(Clone, Copy, Debug)]
pub struct Case<'c> {
    /// The choreography's digest.
    pub digest: &'c str,
    /// This robot's name.
    pub robot: &'c str,
    /// The second that it is.
    pub now: u64,
    /// When the newest version of the same name was signed.
    pub newest: Option<u64>,
}

/// Clocks may differ by so much, s.
const SLACK: u64 = 300;

/// What a signature says, if it counts.
///
/// # Errors
/// Why it does not.
pub fn judge(keys: &[Key], signature: Option<&[u8]>, case: Case<'_>) -> Result<Statement, Flaw> {
    let statement = Statement::read(signature.ok_or(Flaw::Missing)?)?;
    let key = keys.iter().find(|it| it.key == statement.key);
    let key = key.ok_or_else(|| Flaw::Key(short(&statement.key)))?;
    if key.revoked {
        return Err(Flaw::Revoked(key.name.clone()));
    }
    if statement.digest != case.digest {
        return Err(Flaw::Digest);
    }
    if statement.robot != "*" && statement.robot != case.robot {
        return Err(Flaw::Robot(statement.robot));
    }
    if statement.made > case.now.saturating_add(SLACK) {
        return Err(Flaw::Early);
    }
    if statement.ends.is_some_and(|it| it <= case.now) {
        return Err(Flaw::Ended);
    }
    if case.newest.is_some_and(|it| statement.made < it) {
        return Err(Flaw::Older);
    }
    Ok(statement)
}

/// Whether what came under this key may still play where signatures are required.
///
/// # Errors
/// Why it may not.
pub fn still_counts(keys: &[Key], key: Option<&str>) -> Result<(), Flaw> {
    let key = key.ok_or(Flaw::Missing)?;
    match keys.iter().find(|it| it.key == key) {
        None => Err(Flaw::Key(short(key))),
        Some(it) if it.revoked => Err(Flaw::Revoked(it.name.clone())),
        Some(_) => Ok(()),
    }
}

/// As much of a key as people compare.
pub fn short(key: &str) -> String {
    key.chars().take(16).collect()
}
