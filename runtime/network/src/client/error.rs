//! Why a request to a server failed.
//! Made by the client. The error of a server or a loop is passed on unchanged.

use std::fmt;

use hyper::{HeaderMap, StatusCode};
use protocol::{ErrorBody, RequestError, VERSION};

/// Why a request failed.
#[derive(Debug)]
pub enum ClientError {
    /// It cannot be reached.
    Away(String, String),
    /// Its certificate has changed.
    Changed {
        /// The known fingerprint.
        known: String,
        /// The new one.
        shown: String,
    },
    /// The answer cannot be understood.
    Strange(String),
    /// Something is there, but no server of a robot: it answers with this status of HTTP, or closes the connection.
    NoServer(Option<u16>),
    /// The robot's server has another version of the API: that of its program.
    OtherVersion(String),
    /// The server or the loop refused the request.
    Refused(RequestError),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Away(who, why) => write!(
                f,
                "{who} cannot be reached: {why}; fix: `dcm-run robots` lists those that can"
            ),
            ClientError::Changed { known, shown } => write!(
                f,
                "this is not the robot that you know: its certificate was {known}, and is {shown}; fix: if it was \
                 set up anew, pair with it again: `dcm-run pair`"
            ),
            ClientError::Strange(what) => write!(
                f,
                "the robot gave an unexpected answer: {what}; fix: `dcm-run --version` here and there"
            ),
            ClientError::NoServer(status) => {
                let what = status.map_or("it closes the connection".to_owned(), |status| {
                    format!("status {status}")
                });
                write!(
                    f,
                    "no robot's server answers at this address, but something else ({what}); fix: use the port of \
                     the server, usually 7878: `dcm-run robots` shows it"
                )
            }
            ClientError::OtherVersion(version) => write!(
                f,
                "the robot's server runs version {version}, which has a different API; this is version {} (API \
                 {VERSION}); fix: use the same version here and there; `dcm-run estop` works with both",
                env!("CARGO_PKG_VERSION")
            ),
            ClientError::Refused(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ClientError {}

/// The header that every answer of a robot's server has.
const REQUEST_ID: &str = "x-request-id";

/// The error in an answer of the API.
pub(super) fn refused(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> ClientError {
    match serde_json::from_slice::<ErrorBody>(body) {
        Ok(body) => ClientError::Refused(body.error),
        Err(_) if headers.contains_key(REQUEST_ID) => {
            ClientError::Strange(format!("{status}: {}", beginning(body)))
        }
        Err(_) => ClientError::NoServer(Some(status.as_u16())),
    }
}

pub(super) fn beginning(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned()
}
