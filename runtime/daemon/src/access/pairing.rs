//! Pairing: the robot shows a code, and a person who sees it types it in.
//! Used by `dcm-run pair` and by the dashboard. The law: a code is valid once, for a short time. Whoever guesses wrong
//! a few times may not guess that code any more, and nobody spoils it for others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use api::role::AccessRole;
use ring::rand::{SecureRandom, SystemRandom};

use super::rate_limit::network_of;

/// How long a code is valid.
pub const CODE_LIFETIME: Duration = Duration::from_secs(300);

/// How often one network may be wrong about a code; and all of them, after which it is invalid: one of 100,000 codes
/// is found by so many guesses.
const ATTEMPTS_MAX: u32 = 5;
const ATTEMPTS_OF_ALL: u32 = 1000;

/// The valid code, if there is one.
#[derive(Debug, Default)]
pub struct Pairing(Option<ActiveCode>);

#[derive(Debug)]
struct ActiveCode {
    digits: String,
    role: AccessRole,
    ends: Instant,
    attempts: u32,
    /// The wrong ones of each network; `None` stands for this machine.
    of_each: HashMap<Option<IpAddr>, u32>,
}

/// Why pairing fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingError {
    /// No code is valid.
    NoCode,
    /// The code is wrong.
    Other,
    /// There were too many wrong ones from there: the code can be used from elsewhere only, or not at all.
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
            of_each: HashMap::new(),
        });
        Ok(digits)
    }

    /// The valid code, and how long it is valid.
    pub(crate) fn shown(&self, now: Instant) -> Option<(String, Duration)> {
        let code = self.0.as_ref().filter(|it| now < it.ends)?;
        Some((code.digits.clone(), code.ends - now))
    }

    /// Checks a code that was typed at this address. Returns the role that it gives.
    ///
    /// # Errors
    /// [`PairingError`].
    pub fn take(
        &mut self,
        typed: &str,
        from: Option<IpAddr>,
        now: Instant,
    ) -> Result<AccessRole, PairingError> {
        let code = self.0.as_mut().filter(|it| now < it.ends);
        let code = code.ok_or(PairingError::NoCode)?;
        let attempts = code.of_each.entry(from.map(network_of)).or_default();
        if *attempts >= ATTEMPTS_MAX {
            return Err(PairingError::TooOften);
        }
        let typed: String = typed.chars().filter(char::is_ascii_digit).take(9).collect();
        if typed == code.digits {
            let role = code.role;
            self.0 = None;
            return Ok(role);
        }
        *attempts += 1;
        code.attempts += 1;
        let is_last = *attempts >= ATTEMPTS_MAX;
        if code.attempts >= ATTEMPTS_OF_ALL {
            self.0 = None;
        }
        Err(if is_last {
            PairingError::TooOften
        } else {
            PairingError::Other
        })
    }
}
