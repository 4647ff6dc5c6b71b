//! A signature of a choreography: a few lines of text, and an ed25519 signature of them by a key.
//! Made by `dcm-run push --sign`, verified by the robot. Every line is signed, none may be missing or
//! repeated, and each mistake is an error of its own.

use std::fmt;

use protocol::ErrorCode;
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use crate::hex::{hex, unhex};

/// The first line.
const TITLE: &str = "dcm-run signature 2";

/// The maximum length of a signature, bytes.
pub const LONGEST: usize = 4096;

/// The signed data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// SHA-256 of the choreography.
    pub digest: String,
    /// The name under which it is stored.
    pub name: String,
    /// The robot for which it is valid, or `*`.
    pub robot: String,
    /// When it was made, s of UTC since 1970.
    pub made: u64,
    /// When it expires, s of UTC since 1970.
    pub ends: Option<u64>,
    /// The public key of the signer.
    pub key: String,
}

/// Why a signature is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// It is longer than the limit.
    Long,
    /// It is not text, or has wrong lines.
    Form(&'static str),
    /// The ed25519 signature does not match text and key.
    Seal,
    /// The key is not trusted by this robot.
    Key(String),
    /// The key was revoked.
    Revoked(String),
    /// It is of other bytes.
    Digest,
    /// It is for another name.
    Name(String),
    /// It is for another robot.
    Robot(String),
    /// It was made in the future.
    Early,
    /// It has expired.
    Ended,
    /// A version of the same name was signed later.
    Older,
    /// There is none.
    Missing,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureError::Long => write!(f, "the signature is longer than {LONGEST} bytes"),
            SignatureError::Form(what) => write!(f, "the signature is malformed: {what}"),
            SignatureError::Seal => write!(f, "the signature does not match its text and key"),
            SignatureError::Key(key) => write!(f, "the key {key} is not trusted by this robot"),
            SignatureError::Revoked(key) => write!(f, "the key {key} is not trusted any more"),
            SignatureError::Digest => write!(f, "the signature is of another choreography"),
            SignatureError::Name(name) => write!(f, "the signature is for the name `{name}`"),
            SignatureError::Robot(robot) => write!(f, "the signature is for the robot `{robot}`"),
            SignatureError::Early => write!(f, "the signature was made in the future"),
            SignatureError::Ended => write!(f, "the signature has expired"),
            SignatureError::Older => write!(f, "a version that was signed later is stored already"),
            SignatureError::Missing => write!(f, "there is no signature"),
        }
    }
}

impl SignatureError {
    /// The code for programs.
    pub fn code(&self) -> ErrorCode {
        match self {
            SignatureError::Long => ErrorCode::SignatureTooLong,
            SignatureError::Form(_) => ErrorCode::SignatureForm,
            SignatureError::Seal => ErrorCode::SignatureWrong,
            SignatureError::Key(_) => ErrorCode::SignatureKey,
            SignatureError::Revoked(_) => ErrorCode::SignatureRevoked,
            SignatureError::Digest => ErrorCode::SignatureOtherDigest,
            SignatureError::Name(_) => ErrorCode::SignatureOtherName,
            SignatureError::Robot(_) => ErrorCode::SignatureOtherRobot,
            SignatureError::Early => ErrorCode::SignatureTooEarly,
            SignatureError::Ended => ErrorCode::SignatureEnded,
            SignatureError::Older => ErrorCode::SignatureOlder,
            SignatureError::Missing => ErrorCode::SignatureMissing,
        }
    }

    /// What to do about it.
    pub fn fix(&self) -> &'static str {
        match self {
            SignatureError::Long => "send the signature alone: `dcm-run push --sign KEY` does",
            SignatureError::Form(_) => {
                "make it with `dcm-run push --sign KEY`, and send it unchanged"
            }
            SignatureError::Seal => {
                "sign it again: any change of the text makes a signature invalid"
            }
            SignatureError::Key(_) => "if you know its owner, trust it: `dcm-run keys trust KEY`",
            SignatureError::Revoked(_) => {
                "sign it with a key that is still trusted: `dcm-run keys ls` lists them"
            }
            SignatureError::Digest => "sign these very bytes: `dcm-run push --sign KEY`",
            SignatureError::Name(_) => {
                "push it under that name, or sign it for this one: `dcm-run push --sign KEY --as NAME`"
            }
            SignatureError::Robot(_) => {
                "sign it for this robot: `dcm-run push --sign KEY --robot NAME`"
            }
            SignatureError::Early => "compare the clocks: `date` here and on the robot",
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
    /// Makes a new key.
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
    /// They are not a key.
    pub fn of(bytes: &[u8]) -> Result<SigningKey, &'static str> {
        let pair = Ed25519KeyPair::from_pkcs8(bytes);
        pair.map(SigningKey).map_err(|_| "not a secret key")
    }

    /// The public key.
    pub fn public(&self) -> String {
        hex(self.0.public_key().as_ref())
    }

    /// Signs a choreography, as what is stored under this name.
    pub fn sign(
        &self,
        digest: &str,
        name: &str,
        robot: &str,
        made: u64,
        ends: Option<u64>,
    ) -> String {
        let statement = Statement {
            digest: digest.to_owned(),
            name: name.to_owned(),
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
    /// The text that is signed.
    fn text(&self) -> String {
        let ends = self
            .ends
            .map_or_else(|| "never".to_owned(), |end| end.to_string());
        format!(
            "{TITLE}\ndigest sha256:{}\nname {}\nrobot {}\nmade {}\nends {ends}\nkey ed25519:{}\n",
            self.digest, self.name, self.robot, self.made, self.key
        )
    }

    /// Parses a signature, and verifies it against its own key.
    ///
    /// # Errors
    /// It has another form, or does not match text and key.
    pub fn read(bytes: &[u8]) -> Result<Statement, SignatureError> {
        if bytes.len() > LONGEST {
            return Err(SignatureError::Long);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| SignatureError::Form("it is no text"))?;
        let mut lines = text.split('\n');
        let mut next = |what, head: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix(head));
            line.ok_or(SignatureError::Form(what))
        };
        if !next("its first line", TITLE)?.is_empty() {
            return Err(SignatureError::Form("its first line"));
        }
        let digest = next("its line `digest`", "digest sha256:")?;
        let name = next("its line `name`", "name ")?;
        let robot = next("its line `robot`", "robot ")?;
        let made = next("its line `made`", "made ")?;
        let ends = next("its line `ends`", "ends ")?;
        let key = next("its line `key`", "key ed25519:")?;
        let seal = next("its line `seal`", "seal ")?;
        if lines.next() != Some("") || lines.next().is_some() {
            return Err(SignatureError::Form("something stands behind its end"));
        }
        let number = |text: &str, what| text.parse().map_err(|_| SignatureError::Form(what));
        let statement = Statement {
            digest: digest.to_owned(),
            name: name.to_owned(),
            robot: robot.to_owned(),
            made: number(made, "its line `made`")?,
            ends: match ends {
                "never" => None,
                end => Some(number(end, "its line `ends`")?),
            },
            key: key.to_owned(),
        };
        let public = unhex(key).filter(|value| value.len() == 32);
        let public = public.ok_or(SignatureError::Form("its line `key`"))?;
        let seal = unhex(seal).filter(|value| value.len() == 64);
        let seal = seal.ok_or(SignatureError::Form("its line `seal`"))?;
        if unhex(digest).is_none_or(|value| value.len() != 32) {
            return Err(SignatureError::Form("its line `digest`"));
        }
        // The verified text is written from the parsed values, so each signature has only one form.
        let written = statement.text();
        if text.split_at_checked(written.len()).map(|split| split.0) != Some(written.as_str()) {
            return Err(SignatureError::Form("it is not written as it must be"));
        }
        let key = UnparsedPublicKey::new(&ED25519, public);
        let sealed = key.verify(written.as_bytes(), &seal);
        sealed.map(|()| statement).map_err(|_| SignatureError::Seal)
    }
}
