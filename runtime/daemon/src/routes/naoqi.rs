//! The rest of the DCM's calls: those that every module of NAOqi has, and those that are not supported.
//! The law: every call of NAO's DCM has an answer; that of an unsupported call says what to use instead.

use api::error::{ErrorBody, ErrorCode};
use axum::Json;

use super::error::ApiError;

/// `ping`: always true.
#[utoipa::path(get, path = "/api/v1/dcm/ping", security(("token" = ["watch"])), tag = "dcm",
    responses((status = 200, content_type = "application/json", body = bool),
        (status = "default", body = ErrorBody)))]
pub async fn ping() -> Json<bool> {
    Json(true)
}

/// `version`: the version of the program on the robot.
#[utoipa::path(get, path = "/api/v1/dcm/version", security(("token" = ["watch"])), tag = "dcm",
    responses((status = 200, content_type = "application/json", body = String),
        (status = "default", body = ErrorBody)))]
pub async fn version() -> Json<&'static str> {
    Json(env!("CARGO_PKG_VERSION"))
}

/// `calibration`: not supported; the error says how a joint is calibrated.
#[utoipa::path(post, path = "/api/v1/dcm/calibration", security(("token" = ["operate"])), tag = "dcm",
    responses((status = 501, body = ErrorBody), (status = "default", body = ErrorBody)))]
pub async fn calibration() -> ApiError {
    not_here(
        "calibration",
        "a joint is calibrated while the loop is stopped, and the result is stored in a file",
        "run `dcm-run wire calibrate FILE --joint NAME` on the robot",
    )
}

/// `preferences`: not supported; the error says where a robot is described.
#[utoipa::path(post, path = "/api/v1/dcm/preferences", security(("token" = ["operate"])), tag = "dcm",
    responses((status = 501, body = ErrorBody), (status = "default", body = ErrorBody)))]
pub async fn preferences() -> ApiError {
    not_here(
        "preferences",
        "a robot is described in its `robot.toml`",
        "edit that file on the robot; `dcm-run config check` reports every mistake",
    )
}

/// `special`: not supported; the error says how the state of boards is read.
#[utoipa::path(post, path = "/api/v1/dcm/special", security(("token" = ["operate"])), tag = "dcm",
    responses((status = 501, body = ErrorBody), (status = "default", body = ErrorBody)))]
pub async fn special() -> ApiError {
    not_here(
        "special",
        "boards cannot be reset or queried by hand while the body may move",
        "run `dcm-run doctor` on the robot, or use `GET /api/v1/state`: both report the state of its boards",
    )
}

/// `exit`: not supported; the error says how a loop is stopped.
#[utoipa::path(post, path = "/api/v1/dcm/exit", security(("token" = ["operate"])), tag = "dcm",
    responses((status = 501, body = ErrorBody), (status = "default", body = ErrorBody)))]
pub async fn exit() -> ApiError {
    not_here(
        "exit",
        "a call of the DCM cannot end the robot's loop",
        "stop the loop with `dcm-run stop`, or `POST /api/v1/body/quit`",
    )
}

fn not_here(call: &str, sentence: &str, fix: &str) -> ApiError {
    let sentence = format!("there is no `{call}` here: {sentence}");
    ErrorCode::NotHere.error(sentence).fix(fix).into()
}
