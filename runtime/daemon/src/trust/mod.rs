//! Verifies signatures of choreographies against the keys that the robot trusts.
//! Used for uploads, and by `start` for whatever begins to play. Under `require` a choreography needs a valid
//! signature by a trusted key, for its name, this robot and this time; a revoked key is invalid until trusted again.

use network::signature::{SignatureError, Statement};
use protocol::keys::{TrustedKey, short};

/// The maximum number of keys.
pub const KEYS_MAX: usize = 256;

/// What a signature is verified against.
#[derive(Clone, Copy, Debug)]
pub struct SignatureContext<'c> {
    /// The choreography's digest.
    pub digest: &'c str,
    /// The name under which it is stored.
    pub name: &'c str,
    /// This robot's name.
    pub robot: &'c str,
    /// The time, s of UTC since 1970.
    pub now: u64,
    /// When the newest version of the same name was signed.
    pub newest: Option<u64>,
}

/// The tolerated difference between clocks, s.
const SLACK: u64 = 300;

/// Verifies a signature, and returns its content.
///
/// # Errors
/// Why it is invalid.
pub fn verify(
    keys: &[TrustedKey],
    signature: Option<&[u8]>,
    case: SignatureContext<'_>,
) -> Result<Statement, SignatureError> {
    let statement = Statement::read(signature.ok_or(SignatureError::Missing)?)?;
    let key = keys.iter().find(|key| key.key == statement.key);
    let key = key.ok_or_else(|| SignatureError::Key(short(&statement.key)))?;
    if key.revoked {
        return Err(SignatureError::Revoked(key.name.clone()));
    }
    if statement.digest != case.digest {
        return Err(SignatureError::Digest);
    }
    if statement.name != case.name {
        return Err(SignatureError::Name(statement.name));
    }
    if statement.robot != "*" && statement.robot != case.robot {
        return Err(SignatureError::Robot(statement.robot));
    }
    if statement.made > case.now.saturating_add(SLACK) {
        return Err(SignatureError::Early);
    }
    if statement.ends.is_some_and(|end| end <= case.now) {
        return Err(SignatureError::Ended);
    }
    if case.newest.is_some_and(|newest| statement.made < newest) {
        return Err(SignatureError::Older);
    }
    Ok(statement)
}
