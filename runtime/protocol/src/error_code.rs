//! The codes of errors: one table for the loop, its server and their clients.
//! Every error has a code of this table, a sentence, and a fix where there is one.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::reply::RequestError;

/// An error, as it is answered over HTTP.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: RequestError,
}

macro_rules! codes {
    ($($name:ident $word:literal $status:literal $meaning:literal,)*) => {
        /// Why the server or the loop refuses something: all codes that an answer over HTTP can have.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum ErrorCode {
            $(#[doc = $meaning] $name,)*
        }

        impl ErrorCode {
            /// All codes, in the order of their words.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$name,)*];

            /// The word that programs compare.
            pub fn word(self) -> &'static str {
                match self {
                    $(ErrorCode::$name => $word,)*
                }
            }

            /// The HTTP status of an answer with this code.
            pub fn status(self) -> u16 {
                match self {
                    $(ErrorCode::$name => $status,)*
                }
            }

            /// What it means, in a sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(ErrorCode::$name => $meaning,)*
                }
            }
        }
    };
}

codes! {
    BadMotion "bad-motion" 422 "The file of a motion cannot be read, or does not fit the robot.",
    Breach "breach" 422 "A component breaks the contract of choreographies.",
    Busy "busy" 503 "The server is busy; try again.",
    Check "check" 422 "A choreography does not pass its check, or cannot be checked.",
    ControlHeld "control-held" 409 "Somebody else holds control of the robot.",
    CutOff "cut-off" 422 "The upload ended early.",
    Damaged "damaged" 500 "A stored file is damaged or unreadable.",
    DigestMismatch "digest-mismatch" 422 "The digest does not match the bytes.",
    DiskFailed "disk-failed" 507 "The robot's disk is full, read-only or failing.",
    Ending "ending" 422 "A guest is ending, and accepts no more commands.",
    Failed "failed" 422 "A guest has failed when it was started.",
    Figure "figure" 422 "A number is out of range for a guest or its lane.",
    Forbidden "forbidden" 403 "The description does not allow a guest this priority.",
    Full "full" 409 "The limit of tokens, guests, plans, waiting commands or obstacles is reached.",
    Gone "gone" 422 "The loop has ended.",
    InUse "in-use" 409 "It is in use, and cannot be removed.",
    InternalError "internal-error" 500 "An error in the server itself.",
    InvalidDigest "invalid-digest" 422 "A text is not a SHA-256 in hexadecimal digits.",
    InvalidKey "invalid-key" 422 "A text is not a public key.",
    InvalidName "invalid-name" 422 "A text cannot be a name or a tag.",
    InvalidRate "invalid-rate" 422 "A stream cannot have this many frames in a second.",
    InvalidRequest "invalid-request" 422 "The request cannot be read; the status says why.",
    InvalidTime "invalid-time" 422 "A time is out of range.",
    NoAnswer "no-answer" 422 "The loop did not answer in time, and may still do what was asked.",
    NoLane "no-lane" 422 "A guest has ended, so its lane takes no commands.",
    NoLoop "no-loop" 503 "The loop does not answer.",
    NoPage "no-page" 422 "The state of the body cannot be read.",
    NoParameter "no-param" 422 "A choreography has no parameter of this name.",
    NoPreviousVersion "no-previous-version" 409 "A name has no version before the current one.",
    NoRandomness "no-randomness" 422 "The machine has no source of random numbers.",
    NoRoute "no-route" 404 "The API has no such path or method.",
    NoSwap "no-swap" 422 "A score cannot be swapped.",
    NotAComponent "not-a-component" 415 "An upload is not a WebAssembly component, nor named as the file of a motion.",
    NotAllowed "not-allowed" 403 "The user of this process may not move the robot.",
    NotCompiled "not-compiled" 422 "A component cannot be compiled.",
    NotFinite "not-finite" 422 "A value is no finite number.",
    NotFound "not-found" 404 "Nothing has this name or number.",
    NotGuarded "not-guarded" 422 "The body is not armed without its guardian.",
    NotHere "not-here" 404 "This call is not supported; the fix names another way.",
    NotNow "not-now" 409 "It is not possible in the present state of the body.",
    NotReady "not-ready" 422 "A board has no readings yet, or has a fault.",
    OtherSite "other-site" 403 "The request comes from a page of another site.",
    OutOfReach "out-of-reach" 422 "A command is more than 24.8 days away.",
    QuotaExceeded "quota-exceeded" 507 "The quota for stored choreographies is full.",
    OutOfRange "range" 422 "A value is outside the range of an actuator, or of what is simulated.",
    RealBoard "real" 422 "It works only in simulation, and the board is real.",
    RefusedValue "refused-value" 422 "The robot would not load with this value of its description.",
    RoleTooLow "role-too-low" 403 "The role of the token does not allow this.",
    SignatureOtherDigest "signature-digest" 403 "A signature is for other bytes.",
    SignatureTooEarly "signature-early" 403 "A signature is dated in the future.",
    SignatureEnded "signature-ended" 403 "A signature has expired.",
    SignatureForm "signature-form" 403 "A signature cannot be read.",
    SignatureKey "signature-key" 403 "The robot does not trust the key of a signature.",
    SignatureTooLong "signature-long" 403 "A signature is too long.",
    SignatureMissing "signature-missing" 403 "The robot stores only what is signed.",
    SignatureOtherName "signature-name" 403 "A signature is for another name.",
    SignatureOlder "signature-older" 403 "A newer version of this name was signed already.",
    SignatureRevoked "signature-revoked" 403 "The key of a signature was revoked.",
    SignatureOtherRobot "signature-robot" 403 "A signature is for another robot.",
    SignatureWrong "signature-seal" 403 "A signature does not match its text.",
    Stale "stale" 503 "The loop has made no turn for a second, so its values are old.",
    Taken "taken" 422 "Something else has the name, or another guest the exclusive group.",
    TokenEnded "token-ended" 401 "The token has expired.",
    TokenMissing "token-missing" 401 "The request has no token.",
    TokenUnknown "token-unknown" 401 "The robot does not know this token.",
    TooLarge "too-large" 413 "A body or a choreography is too large.",
    TooOften "too-often" 429 "Too many requests from one address.",
    Twice "twice" 422 "An actuator is named twice.",
    WrongUnit "unit" 422 "A unit does not fit the actuator.",
    UnknownHost "unknown-host" 421 "The robot has another host name.",
    UnknownName "unknown-name" 422 "The description has no actuator, sensor or alias of this name.",
    UnknownTopic "unknown-topic" 422 "A stream has no such topic.",
    WrongWeight "weight" 422 "A weight is not from 0 to 1,000.",
    WrongCode "wrong-code" 403 "The code for pairing is wrong, or none is shown.",
    WrongCount "wrong-count" 422 "The lists have different lengths.",
    WrongKind "wrong-kind" 422 "An actuator of this kind cannot do it.",
}

impl ErrorCode {
    /// The code of this word.
    pub fn of(word: &str) -> Option<ErrorCode> {
        ErrorCode::ALL
            .iter()
            .copied()
            .find(|role| role.word() == word)
    }

    /// An error with this code.
    pub fn error(self, sentence: impl Into<String>) -> RequestError {
        RequestError {
            code: self.word().to_owned(),
            sentence: sentence.into(),
            fix: None,
        }
    }
}

/// The HTTP status of an answer with this code; the loop may be newer than this program, and have others.
pub fn status_of(word: &str) -> u16 {
    ErrorCode::of(word).map_or(422, ErrorCode::status)
}

#[cfg(test)]
mod tests {
    use super::{ErrorCode, status_of};

    #[test]
    fn every_code_has_one_word_and_one_status() {
        for (place, code) in ErrorCode::ALL.iter().enumerate() {
            assert_eq!(ErrorCode::of(code.word()), Some(*code));
            assert_eq!(status_of(code.word()), code.status());
            let next = ErrorCode::ALL.get(place + 1);
            assert!(
                next.is_none_or(|role| code.word() < role.word()),
                "{code:?}"
            );
        }
        assert_eq!(status_of("of-a-newer-loop"), 422);
    }
}
