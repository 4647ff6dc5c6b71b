//! Pairing: the robot shows a code, and a person who sees it types it in.
//! Used by `dcm-run pair` and by the dashboard. The law: a code is valid once, for a short time, and becomes invalid
//! after a few wrong ones.

use std::time::{Duration, Instant};

use api::role::AccessRole;
use ring::rand::{SecureRandom, SystemRandom};

/// How long a code is valid.
pub const CODE_LIFETIME: Duration = Duration::from_secs(300);

/// The number of wrong codes after which the code becomes invalid.
const ATTEMPTS_MAX: u32 = 5;

/// The valid code, if there is one.
#[derive(Debug, Default)]
pub struct Pairing(Option<ActiveCode>);

#[derive(Debug)]
struct ActiveCode {
    digits: String,
    role: AccessRole,
    ends: Instant,
    attempts: u32,
}

/// Why pairing fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingError {
    /// No code is valid.
    NoCode,
    /// The code is wrong.
    Other,
    /// The code is wrong, and there were too many wrong ones: the valid code became invalid.
    TooOften,
}

impl Pairing {
    /// Makes a new code. The previous one becomes invalid.
    ///
    /// # Errors
    /// The machine has no random numbers.
    pub fn show(&mut self, role: AccessRole, now: Instant) -> Result<String, &'static str> {
        let mut bytes = [0; 8];
        let filled = SystemRandom::new().fill(&mut bytes);
        filled.map_err(|_| "the machine has no random numbers")?;
        let digits = format!("{:08}", u64::from_le_bytes(bytes) % 100_000_000);
        self.0 = Some(ActiveCode {
            digits: digits.clone(),
            role,
            ends: now + CODE_LIFETIME,
            attempts: 0,
        });
        Ok(digits)
    }

    /// Checks a typed code. Returns the role that it gives.
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
        code.attempts += 1;
        if code.attempts >= ATTEMPTS_MAX {
            self.0 = None;
            return Err(PairingError::TooOften);
        }
        Err(PairingError::Other)
    }
}
