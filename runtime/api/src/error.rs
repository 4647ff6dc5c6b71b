//! Errors of the API: one JSON shape, and one table of codes.
//! Made by the server, read by the client. The law: every error has a code, a sentence, and a fix where there is one;
//! a code of the server stands in the table, and nowhere else.

use serde::{Deserialize, Serialize};
use socket::RequestError;
use utoipa::ToSchema;

/// An error as it is told.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong.
    pub error: RequestError,
}

macro_rules! codes {
    ($($name:ident $word:literal $status:literal $meaning:literal,)*) => {
        /// Why the server refuses something. What the loop refuses has codes of the loop.
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
    Busy "busy" 503 "The server is busy; try again.",
    Check "check" 422 "A choreography does not pass its check, or cannot be checked.",
    ControlHeld "control-held" 409 "Somebody else holds control of the robot.",
    CutOff "cut-off" 422 "The upload ended early.",
    Damaged "damaged" 500 "A stored file is damaged or unreadable.",
    DigestMismatch "digest-mismatch" 422 "The digest does not match the bytes.",
    DiskFailed "disk-failed" 507 "The robot's disk is full, read-only or failing.",
    Full "full" 409 "The limit of tokens, guests or plans is reached.",
    InUse "in-use" 409 "It is in use, and cannot be removed.",
    InternalError "internal-error" 500 "An error in the server itself.",
    InvalidDigest "invalid-digest" 422 "A text is not a SHA-256 in hexadecimal digits.",
    InvalidKey "invalid-key" 422 "A text is not a public key.",
    InvalidName "invalid-name" 422 "A text cannot be a name or a tag.",
    InvalidRate "invalid-rate" 422 "A stream cannot have this many frames in a second.",
    InvalidRequest "invalid-request" 422 "The request cannot be read; the status says why.",
    InvalidTime "invalid-time" 422 "A time is out of range.",
    NoLoop "no-loop" 503 "The loop does not answer.",
    NoPreviousVersion "no-previous-version" 409 "A name has no version before the current one.",
    NoRandomness "no-randomness" 422 "The machine has no source of random numbers.",
    NoRoute "no-route" 404 "The API has no such path or method.",
    NotAComponent "not-a-component" 415 "An upload is not a WebAssembly component.",
    NotFound "not-found" 404 "Nothing has this name or number.",
    NotHere "not-here" 501 "This call is not supported; the fix names another way.",
    OtherSite "other-site" 403 "The request comes from a page of another site.",
    QuotaExceeded "quota-exceeded" 507 "The quota for stored choreographies is full.",
    RoleTooLow "role-too-low" 403 "The role of the token does not allow this.",
    TokenEnded "token-ended" 401 "The token has expired.",
    TokenMissing "token-missing" 401 "The request has no token.",
    TokenUnknown "token-unknown" 401 "The robot does not know this token.",
    TooLarge "too-large" 413 "A body or a choreography is too large.",
    TooOften "too-often" 429 "Too many requests from one address.",
    UnknownHost "unknown-host" 421 "The robot has another host name.",
    UnknownName "unknown-name" 422 "The description has no actuator, sensor or alias of this name.",
    UnknownTopic "unknown-topic" 422 "A stream has no such topic.",
    WrongCode "wrong-code" 403 "The code for pairing is wrong, or none is shown.",
    WrongCount "wrong-count" 422 "The lists have different lengths.",
}

/// Codes of the loop that are no matter of a request's content (422), and their statuses.
const LOOP_STATUSES: &[(&str, u16)] = &[
    ("forbidden", 403),
    ("no-actuator", 404),
    ("no-alias", 404),
    ("no-guest", 404),
    ("not-allowed", 403),
    ("not-now", 409),
];

impl ErrorCode {
    /// The code of this word.
    pub fn of(word: &str) -> Option<ErrorCode> {
        ErrorCode::ALL.iter().copied().find(|it| it.word() == word)
    }

    /// An error with this code.
    pub fn error(self, sentence: impl Into<String>) -> RequestError {
        RequestError::new(self.word(), sentence)
    }
}

/// The HTTP status of an answer with this code, which may be the server's or the loop's.
pub fn status_of(word: &str) -> u16 {
    let of_loop = || LOOP_STATUSES.iter().find(|it| it.0 == word).map(|it| it.1);
    let own = ErrorCode::of(word).map(ErrorCode::status);
    own.or_else(of_loop).unwrap_or(422)
}

#[cfg(test)]
mod tests {
    use super::{ErrorCode, LOOP_STATUSES, status_of};

    #[test]
    fn every_code_has_one_word_and_one_status() {
        for (place, code) in ErrorCode::ALL.iter().enumerate() {
            assert_eq!(ErrorCode::of(code.word()), Some(*code));
            assert_eq!(status_of(code.word()), code.status());
            let next = ErrorCode::ALL.get(place + 1);
            assert!(next.is_none_or(|it| code.word() < it.word()), "{code:?}");
        }
        let mut of_loop = LOOP_STATUSES.iter();
        assert!(of_loop.all(|it| ErrorCode::of(it.0).is_none()));
        assert_eq!(status_of("no-guest"), 404);
        assert_eq!(status_of("unit"), 422);
    }
}
