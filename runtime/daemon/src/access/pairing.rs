//! Pairing: the robot shows a code, and a person who sees it types it in.
//! Used by `dcm-run pair` and by the dashboard. A code is valid once, for a short time. Whoever guesses a few
//! times waits before the next guess, and nobody spoils the code for others. A key exchange is a guess.

use std::net::{IpAddr, Ipv6Addr};
use std::time::{Duration, Instant};

use network::pairing::{PairingKey, answer, digits};
use protocol::AccessRole;
use ring::rand::{SecureRandom, SystemRandom};

use super::rate_limit::RateLimit;

/// How long a code is valid.
pub const CODE_LIFETIME: Duration = Duration::from_secs(300);

/// How often one network may guess at once, and how many more guesses it has each second: the owner is often behind the
/// same address as a stranger. And how often all may, after which the code is invalid: one of 100,000 codes is found by
/// so many guesses.
const ATTEMPTS_AT_ONCE: f64 = 5.0;
const ATTEMPTS_EACH_SECOND: f64 = 0.1;
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
    /// Those that each network has left.
    of_each: RateLimit,
    /// The keys of the exchanges that have begun. Each counts as a guess, which bounds them.
    exchanges: Vec<PairingKey>,
}

/// The robot's part of a key exchange.
#[derive(Debug)]
pub(crate) struct ExchangeAnswer {
    /// The number of the exchange.
    pub(crate) exchange: u32,
    /// The message to the client.
    pub(crate) message: Vec<u8>,
    /// The robot's proof.
    pub(crate) proof: Vec<u8>,
}

/// Why pairing fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingError {
    /// No code is valid.
    NoCode,
    /// The code is wrong.
    Other,
    /// There were too many from there just now.
    TooOften,
    /// This is no message of a key exchange.
    NoMessage,
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
            of_each: RateLimit::new(ATTEMPTS_AT_ONCE, ATTEMPTS_EACH_SECOND),
            exchanges: Vec::new(),
        });
        Ok(digits)
    }

    /// The valid code, and how long it is valid.
    pub(crate) fn shown(&self, now: Instant) -> Option<(String, Duration)> {
        let code = self.0.as_ref().filter(|value| now < value.ends)?;
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
        let code = self.active(now)?;
        code.guess(from, now)?;
        if digits(typed) == code.digits {
            let role = code.role;
            self.0 = None;
            return Ok(role);
        }
        self.spend();
        Err(PairingError::Other)
    }

    /// Answers a client's message, sent from this address over this certificate.
    ///
    /// # Errors
    /// [`PairingError`].
    pub(crate) fn exchange(
        &mut self,
        message: &[u8],
        certificate: Option<&str>,
        from: Option<IpAddr>,
        now: Instant,
    ) -> Result<ExchangeAnswer, PairingError> {
        let code = self.active(now)?;
        let answered = answer(&code.digits, certificate, message);
        let (key, message) = answered.ok_or(PairingError::NoMessage)?;
        // The proof tells the client whether its code was right.
        code.guess(from, now)?;
        let proof = key.robot_proof();
        code.exchanges.push(key);
        let exchange = code.exchanges.len() as u32;
        self.spend();
        Ok(ExchangeAnswer {
            exchange,
            message,
            proof,
        })
    }

    /// Ends an exchange with the client's proof for this name. Returns the role that the code gives.
    ///
    /// # Errors
    /// [`PairingError`].
    pub(crate) fn confirm(
        &mut self,
        exchange: u32,
        name: &str,
        proof: &[u8],
        now: Instant,
    ) -> Result<AccessRole, PairingError> {
        let code = self.active(now)?;
        let place = (exchange as usize).wrapping_sub(1);
        let key = code.exchanges.get(place).ok_or(PairingError::Other)?;
        if !key.proves_client(name, proof) {
            return Err(PairingError::Other);
        }
        let role = code.role;
        self.0 = None;
        Ok(role)
    }

    fn active(&mut self, now: Instant) -> Result<&mut ActiveCode, PairingError> {
        let code = self.0.as_mut().filter(|value| now < value.ends);
        code.ok_or(PairingError::NoCode)
    }

    /// Ends a code that was guessed at too often.
    fn spend(&mut self) {
        self.0.take_if(|code| code.attempts >= ATTEMPTS_OF_ALL);
    }
}

impl ActiveCode {
    /// Counts a guess. Fails if this network has guessed too often; all who come by the socket of this machine are one.
    fn guess(&mut self, from: Option<IpAddr>, now: Instant) -> Result<(), PairingError> {
        let network = from.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
        if !self.of_each.allows(network, now) {
            return Err(PairingError::TooOften);
        }
        self.attempts += 1;
        Ok(())
    }
}
