//! Access tokens. Only their digests are stored, so reading the robot's disk gives no access.
//! Checked by the gate at every request. A token is shown only once, when it is made. It is looked up by its
//! digest, so the time of a comparison tells nothing about the token.

use network::hex::{digest, hex};
use protocol::AccessRole;
use protocol::people::TokenInfo;
use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};

use super::principal::Principal;

/// The maximum number of tokens.
pub const TOKENS_MAX: usize = 256;

/// The prefix of every token: people and secret scanners recognize it.
const PREFIX: &str = "dcm_";

/// A token as it is stored.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Its number.
    pub number: u32,
    /// The name of its owner.
    pub name: String,
    /// The role that it gives.
    pub role: AccessRole,
    /// When it was made, s of UTC since 1970.
    pub made: u64,
    /// When it expires; `None` for never.
    pub ends: Option<u64>,
    /// Its SHA-256.
    pub digest: String,
}

/// All tokens.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tokens {
    next: u32,
    all: Vec<Token>,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// The request has no token.
    Missing,
    /// The token is unknown.
    Unknown,
    /// The token has expired, at this time.
    Ended(u64),
}

impl Tokens {
    /// Makes a token. The secret is returned only here.
    ///
    /// # Errors
    /// There are [`TOKENS_MAX`] already, or the machine has no random numbers.
    pub fn make(
        &mut self,
        name: &str,
        role: AccessRole,
        now: u64,
        ends: Option<u64>,
    ) -> Result<(String, TokenInfo), &'static str> {
        self.all
            .retain(|item| item.ends.is_none_or(|ends| ends > now));
        if self.all.len() >= TOKENS_MAX {
            return Err("there are too many tokens already");
        }
        let mut bytes = [0; 32];
        let filled = SystemRandom::new().fill(&mut bytes);
        filled.map_err(|_| "the machine has no random numbers")?;
        let secret = format!("{PREFIX}{}", hex(&bytes));
        self.next += 1;
        let token = Token {
            number: self.next,
            name: name
                .chars()
                .filter(|c| !printable::is_unprintable(*c))
                .take(64)
                .collect(),
            role,
            made: now,
            ends,
            digest: digest(secret.as_bytes()),
        };
        let info = token.info();
        self.all.push(token);
        Ok((secret, info))
    }

    /// The owner of a token.
    ///
    /// # Errors
    /// The token is missing, unknown or expired.
    pub fn who(&self, shown: Option<&str>, now: u64) -> Result<Principal, TokenError> {
        let digest = digest(shown.ok_or(TokenError::Missing)?.as_bytes());
        let token = self.all.iter().find(|item| item.digest == digest);
        let token = token.ok_or(TokenError::Unknown)?;
        if let Some(ends) = token.ends.filter(|ends| *ends <= now) {
            return Err(TokenError::Ended(ends));
        }
        Ok(Principal {
            name: token.name.clone(),
            token: Some(token.number),
            role: token.role,
        })
    }

    /// Whether the token of this number is still valid.
    pub fn is_valid(&self, number: u32, now: u64) -> bool {
        let mut all = self.all.iter();
        all.any(|token| token.number == number && token.ends.is_none_or(|ends| ends > now))
    }

    /// The role of the token of this number.
    pub(crate) fn role_of(&self, number: u32) -> Option<AccessRole> {
        self.all
            .iter()
            .find(|item| item.number == number)
            .map(|value| value.role)
    }

    /// All of them.
    pub fn list(&self) -> Vec<TokenInfo> {
        self.all.iter().map(Token::info).collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Revokes a token. Returns whether it was there.
    pub fn revoke(&mut self, number: u32) -> bool {
        let before = self.all.len();
        self.all.retain(|item| item.number != number);
        self.all.len() < before
    }
}

impl Token {
    fn info(&self) -> TokenInfo {
        TokenInfo {
            number: self.number,
            name: self.name.clone(),
            role: self.role,
            made: self.made,
            ends: self.ends,
        }
    }
}
