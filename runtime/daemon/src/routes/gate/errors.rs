//! The errors of the gate: a code, a message and a fix.

use axum::http::{Method, StatusCode};
use protocol::{AccessRole, ErrorCode};

use super::OWN;
use crate::access::{Principal, TokenError};
use crate::api_error::ApiError;

/// The path is there, and answers other methods: these.
pub(super) fn no_method(method: &Method, allowed: &[String]) -> ApiError {
    let allowed = allowed.join(", ");
    let error = ErrorCode::NoRoute.error(format!("the API has no {method} here"));
    let error = error.fix(format!("use {allowed}; /api/v2 lists what there is"));
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, error).allowing(&allowed)
}

pub(super) fn broken() -> ApiError {
    let error = ErrorCode::InternalError.error("the server failed: this is a bug of the server");
    let fix = "check what was done, and report what the server's log says";
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error.fix(fix))
}

pub(super) fn too_often() -> ApiError {
    let error = ErrorCode::TooOften.error("too many requests");
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        error.fix("wait a moment, and send fewer requests"),
    )
}

pub(super) fn beyond() -> ApiError {
    let sentence = "there are too many connections: over this one the body can only be stopped";
    let error = ErrorCode::Busy.error(sentence);
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        error.fix("close others, or raise `connections` and `connections-each` in dcm-run.toml"),
    )
}

/// The address has parameters, and nothing would read them.
pub(super) fn takes_no_parameters() -> ApiError {
    let error = ErrorCode::InvalidRequest.error("this route takes no parameters in its address");
    let fix = "leave out what follows the `?`; the fields of a request are in its body";
    ApiError::new(StatusCode::BAD_REQUEST, error.fix(fix))
}

pub(super) fn other_site() -> ApiError {
    let error = ErrorCode::OtherSite.error("the request comes from a page of another site");
    let fix =
        format!("open the robot's own page; programs send no Origin, and `{OWN}: 1` with a cookie");
    ApiError::new(StatusCode::FORBIDDEN, error.fix(fix))
}

pub(super) fn not_known(stranger: TokenError) -> ApiError {
    let (code, sentence) = match stranger {
        TokenError::Missing => (ErrorCode::TokenMissing, "the request has no token"),
        TokenError::Unknown => (
            ErrorCode::TokenUnknown,
            "the robot does not know this token",
        ),
        TokenError::Ended(_) => (ErrorCode::TokenEnded, "the token has expired"),
    };
    let error = code.error(sentence);
    let fix = "pair with the robot: `dcm-run pair ROBOT`, with the code that it shows";
    ApiError::new(StatusCode::UNAUTHORIZED, error.fix(fix))
}

pub(super) fn too_little(needs: AccessRole, who: &Principal) -> ApiError {
    let sentence = format!(
        "this needs the role `{}`; yours is `{}`",
        needs.word(),
        who.role.word()
    );
    let error = ErrorCode::RoleTooLow.error(sentence);
    let fix = match who.token {
        Some(_) => {
            "ask whoever operates the robot for a token: `dcm-run tokens make NAME --role ROLE`"
        }
        // On the local socket the user decides, not a token.
        None => {
            "add your user number (`id -u`) to `[access] users` in dcm-run.toml, and restart the server"
        }
    };
    ApiError::new(StatusCode::FORBIDDEN, error.fix(fix))
}

pub(super) fn control_held(holder: &str) -> ApiError {
    let error = ErrorCode::ControlHeld.error(format!("{holder} holds control of this robot"));
    ApiError::new(
        StatusCode::CONFLICT,
        error.fix("wait until it is given back, or take it over: `dcm-run take-over`"),
    )
}
