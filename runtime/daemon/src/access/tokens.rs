//! Tokens: what somebody shows to be let in. Only digests of them are kept, so that whoever reads the
//! robot's disk cannot come in.
//! Asked at every request. The law: a token is shown once, to whom it was made for; it is found by its
//! digest, so no comparison takes longer for one that is nearly right.

use api::hex::{digest, hex};
use api::people::TokenInfo;
use api::role::AccessRole;
use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};

use super::principal::Principal;

/// Tokens at most.
pub const TOKENS_MAX: usize = 256;

/// How a token begins, so that people and scanners know one.
const HEAD: &str = "dcm_";

/// A token as it is kept.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Its number.
    pub number: u32,
    /// For whom it was made.
    pub name: String,
    /// What it allows.
    pub role: AccessRole,
    /// When it was made, s of UTC since 1970.
    pub made: u64,
    /// When it ends.
    pub ends: Option<u64>,
    /// SHA-256 of it.
    pub digest: String,
}

/// All tokens.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tokens {
    next: u32,
    all: Vec<Token>,
}

/// Why somebody is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// Nothing was shown.
    Nothing,
    /// What was shown is no token of this robot.
    Unknown,
    /// The token has ended.
    Ended,
}

impl Tokens {
    /// Makes one; what it is is told this once.
    ///
    /// # Errors
    /// There are too many, or the machine gives no random numbers.
    pub fn make(
        &mut self,
        name: &str,
        role: AccessRole,
        now: u64,
        ends: Option<u64>,
    ) -> Result<(String, TokenInfo), &'static str> {
        self.all.retain(|it| it.ends.is_none_or(|ends| ends > now));
        if self.all.len() >= TOKENS_MAX {
            return Err("there are too many tokens already");
        }
        let mut bytes = [0; 32];
        let filled = SystemRandom::new().fill(&mut bytes);
        filled.map_err(|_| "the machine gives no random numbers")?;
        let secret = format!("{HEAD}{}", hex(&bytes));
        self.next += 1;
        let token = Token {
            number: self.next,
            name: name
                .chars()
                .filter(|it| !it.is_control())
                .take(64)
                .collect(),
            role,
            made: now,
            ends,
            digest: digest(secret.as_bytes()),
        };
        let told = token.told();
        self.all.push(token);
        Ok((secret, told))
    }

    /// Who shows this.
    ///
    /// # Errors
    /// Nobody who is known.
    pub fn who(&self, shown: Option<&str>, now: u64) -> Result<Principal, TokenError> {
        let digest = digest(shown.ok_or(TokenError::Nothing)?.as_bytes());
        let token = self.all.iter().find(|it| it.digest == digest);
        let token = token.ok_or(TokenError::Unknown)?;
        if token.ends.is_some_and(|it| it <= now) {
            return Err(TokenError::Ended);
        }
        Ok(Principal {
            name: token.name.clone(),
            token: Some(token.number),
            role: token.role,
        })
    }

    /// Whether the token of this number still lets somebody in.
    pub fn holds(&self, number: u32, now: u64) -> bool {
        let mut all = self.all.iter();
        all.any(|it| it.number == number && it.ends.is_none_or(|ends| ends > now))
    }

    /// All of them.
    pub fn list(&self) -> Vec<TokenInfo> {
        self.all.iter().map(Token::told).collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Takes one back; whether there was one.
    pub fn revoke(&mut self, number: u32) -> bool {
        let before = self.all.len();
        self.all.retain(|it| it.number != number);
        self.all.len() < before
    }
}

impl Token {
    fn told(&self) -> TokenInfo {
        TokenInfo {
            number: self.number,
            name: self.name.clone(),
            role: self.role,
            made: self.made,
            ends: self.ends,
        }
    }
}
