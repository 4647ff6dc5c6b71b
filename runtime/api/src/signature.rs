//! A signature: a few lines of text that say what is vouched for, and the seal of a key under them.
//! Made by `dcm-run push --sign`, read by the robot. The law: every line is under the seal, nothing may be
//! left out or come twice, and what does not parse is refused with a reason of its own.

use std::fmt;

use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use crate::hex::{hex, unhex};

/// The first line.
const TITLE: &str = "dcm-run signature 1";

/// The longest signature, bytes.
pub const LONGEST: usize = 4096;

/// What is vouched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// SHA-256 of the choreography.
    pub digest: String,
    /// The robot for which it is, or `*`.
    pub robot: String,
    /// When it was made, s of UTC since 1970.
    pub made: u64,
    /// When it ends, s of UTC since 1970.
    pub ends: Option<u64>,
    /// The public key that vouches for it.
    pub key: String,
}

/// Why a signature is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// It is longer than the limit.
    Long,
    /// It is not text, or has other lines than it must.
    Form(&'static str),
    /// The seal is not of this text and key.
    Seal,
    /// The key is not trusted by this robot.
    Key(String),
    /// The key was trusted once.
    Revoked(String),
    /// It vouches for something else.
    Digest,
    /// It is for another robot.
    Robot(String),
    /// It is of the future.
    Early,
    /// It has ended.
    Ended,
    /// A newer version of the same name is there already.
    Older,
    /// There is none.
    Missing,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureError::Long => write!(f, "the signature is longer than {LONGEST} bytes"),
            SignatureError::Form(what) => write!(f, "the signature is broken: {what}"),
            SignatureError::Seal => write!(f, "the signature is not of this text and key"),
            SignatureError::Key(key) => write!(f, "the key {key} is not trusted by this robot"),
            SignatureError::Revoked(key) => write!(f, "the key {key} is not trusted any more"),
            SignatureError::Digest => write!(f, "the signature is of another choreography"),
            SignatureError::Robot(robot) => write!(f, "the signature is for the robot `{robot}`"),
            SignatureError::Early => write!(f, "the signature was made in the future"),
            SignatureError::Ended => write!(f, "the signature has expired"),
            SignatureError::Older => write!(f, "a version that was signed later is there already"),
            SignatureError::Missing => write!(f, "there is no signature"),
        }
    }
}

impl SignatureError {
    /// A word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            SignatureError::Long => "signature-long",
            SignatureError::Form(_) => "signature-form",
            SignatureError::Seal => "signature-seal",
            SignatureError::Key(_) => "signature-key",
            SignatureError::Revoked(_) => "signature-revoked",
            SignatureError::Digest => "signature-digest",
            SignatureError::Robot(_) => "signature-robot",
            SignatureError::Early => "signature-early",
            SignatureError::Ended => "signature-ended",
            SignatureError::Older => "signature-older",
            SignatureError::Missing => "signature-missing",
        }
    }

    /// What to do about it.
    pub fn fix(&self) -> &'static str {
        match self {
            SignatureError::Long => "send the signature alone: `dcm-run push --sign KEY` does",
            SignatureError::Form(_) => {
                "let `dcm-run push --sign KEY` write it, and send it as it is"
            }
            SignatureError::Seal => {
                "sign it again: a changed letter breaks the seal of a signature"
            }
            SignatureError::Key(_) => "trust it, if you know whose it is: `dcm-run keys trust KEY`",
            SignatureError::Revoked(_) => {
                "sign it with a key that is still trusted: `dcm-run keys ls` lists them"
            }
            SignatureError::Digest => "sign these very bytes: `dcm-run push --sign KEY`",
            SignatureError::Robot(_) => {
                "sign it for this robot: `dcm-run push --sign KEY --robot NAME`"
            }
            SignatureError::Early => "look at both clocks: `date` here and on the robot",
            SignatureError::Ended => {
                "sign it again, for longer: `dcm-run push --sign KEY --days DAYS`"
            }
            SignatureError::Older => {
                "sign it again if it should replace that one: `dcm-run push --sign KEY`"
            }
            SignatureError::Missing => {
                "sign it with a key that this robot trusts: `dcm-run push --sign KEY`"
            }
        }
    }
}

/// A secret key, which signs. Its bytes are PKCS #8.
pub struct SigningKey(Ed25519KeyPair);

impl SigningKey {
    /// Bytes of a new one.
    ///
    /// # Errors
    /// The machine has no randomness.
    pub fn generate() -> Result<Vec<u8>, &'static str> {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new());
        let made = made.map_err(|_| "the machine gives no random numbers")?;
        Ok(made.as_ref().to_vec())
    }

    /// The key in these bytes.
    ///
    /// # Errors
    /// They are none.
    pub fn of(bytes: &[u8]) -> Result<SigningKey, &'static str> {
        let pair = Ed25519KeyPair::from_pkcs8(bytes);
        pair.map(SigningKey).map_err(|_| "not a secret key")
    }

    /// The public half, by which others know it.
    pub fn public(&self) -> String {
        hex(self.0.public_key().as_ref())
    }

    /// Vouches for a choreography.
    pub fn sign(&self, digest: &str, robot: &str, made: u64, ends: Option<u64>) -> String {
        let statement = Statement {
            digest: digest.to_owned(),
            robot: robot.to_owned(),
            made,
            ends,
            key: self.public(),
        };
        let text = statement.text();
        let seal = self.0.sign(text.as_bytes());
        format!("{text}seal {}\n", hex(seal.as_ref()))
    }
}

impl Statement {
    /// The text that is under the seal.
    fn text(&self) -> String {
        let ends = self
            .ends
            .map_or_else(|| "never".to_owned(), |it| it.to_string());
        format!(
            "{TITLE}\ndigest sha256:{}\nrobot {}\nmade {}\nends {ends}\nkey ed25519:{}\n",
            self.digest, self.robot, self.made, self.key
        )
    }

    /// What a signature says, once its seal was looked at.
    ///
    /// # Errors
    /// It has another form, or its seal is not of this text and key.
    pub fn read(bytes: &[u8]) -> Result<Statement, SignatureError> {
        if bytes.len() > LONGEST {
            return Err(SignatureError::Long);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| SignatureError::Form("it is no text"))?;
        let mut lines = text.split('\n');
        let mut next = |what, head: &str| {
            let line = lines.next().and_then(|it| it.strip_prefix(head));
            line.ok_or(SignatureError::Form(what))
        };
        if !next("its first line", TITLE)?.is_empty() {
            return Err(SignatureError::Form("its first line"));
        }
        let digest = next("its line `digest`", "digest sha256:")?;
        let robot = next("its line `robot`", "robot ")?;
        let made = next("its line `made`", "made ")?;
        let ends = next("its line `ends`", "ends ")?;
        let key = next("its line `key`", "key ed25519:")?;
        let seal = next("its line `seal`", "seal ")?;
        if lines.next() != Some("") || lines.next().is_some() {
            return Err(SignatureError::Form("something stands behind its end"));
        }
        let number = |it: &str, what| it.parse().map_err(|_| SignatureError::Form(what));
        let statement = Statement {
            digest: digest.to_owned(),
            robot: robot.to_owned(),
            made: number(made, "its line `made`")?,
            ends: match ends {
                "never" => None,
                it => Some(number(it, "its line `ends`")?),
            },
            key: key.to_owned(),
        };
        let public = unhex(key).filter(|it| it.len() == 32);
        let public = public.ok_or(SignatureError::Form("its line `key`"))?;
        let seal = unhex(seal).filter(|it| it.len() == 64);
        let seal = seal.ok_or(SignatureError::Form("its line `seal`"))?;
        if unhex(digest).is_none_or(|it| it.len() != 32) {
            return Err(SignatureError::Form("its line `digest`"));
        }
        // The text is written anew: so it can be written in one way only.
        let written = statement.text();
        if text.split_at_checked(written.len()).map(|it| it.0) != Some(written.as_str()) {
            return Err(SignatureError::Form("it is not written as it must be"));
        }
        let key = UnparsedPublicKey::new(&ED25519, public);
        let sealed = key.verify(written.as_bytes(), &seal);
        sealed.map(|()| statement).map_err(|_| SignatureError::Seal)
    }
}
