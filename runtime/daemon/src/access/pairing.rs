//! Pairing: a code that the robot shows, and that somebody types who can see the robot.
//! Asked by `dcm-run pair` and by the dashboard. The law: a code counts once, for a short time, and
//! not after a few wrong ones.

use std::time::{Duration, Instant};

use api::role::AccessRole;
use ring::rand::{SecureRandom, SystemRandom};

/// How long a code counts.
pub const CODE_LIFETIME: Duration = Duration::from_secs(300);

/// Wrong codes after which none counts.
const TRIES: u32 = 5;

/// The code that counts now.
#[derive(Debug, Default)]
pub struct Pairing(Option<ActiveCode>);

#[derive(Debug)]
struct ActiveCode {
    digits: String,
    role: AccessRole,
    ends: Instant,
    tries: u32,
}

/// Why a code does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingError {
    /// No code is shown, or it has ended.
    NoCode,
    /// It is another.
    Other,
    /// It was another too often: now none counts.
    TooOften,
}

impl Pairing {
    /// A new code, in place of the one before.
    ///
    /// # Errors
    /// The machine gives no random numbers.
    pub fn show(&mut self, role: AccessRole, now: Instant) -> Result<String, &'static str> {
        let mut bytes = [0; 8];
        let filled = SystemRandom::new().fill(&mut bytes);
        filled.map_err(|_| "the machine gives no random numbers")?;
        let digits = format!("{:08}", u64::from_le_bytes(bytes) % 100_000_000);
        self.0 = Some(ActiveCode {
            digits: digits.clone(),
            role,
            ends: now + CODE_LIFETIME,
            tries: 0,
        });
        Ok(digits)
    }

    /// Somebody has typed this: what it allows.
    ///
    /// # Errors
    /// [`PairingError`].
    pub fn take(&mut self, typed: &str, now: Instant) -> Result<AccessRole, PairingError> {
        let code = self.0.as_mut().filter(|it| now < it.ends);
        let code = code.ok_or(PairingError::NoCode)?;
        let typed: String = typed.chars().filter(char::is_ascii_digit).take(9).collect();
        if typed == code.digits {
            let role = code.role;
            self.0 = None;
            return Ok(role);
        }
        code.tries += 1;
        if code.tries >= TRIES {
            self.0 = None;
            return Err(PairingError::TooOften);
        }
        Err(PairingError::Other)
    }
}
