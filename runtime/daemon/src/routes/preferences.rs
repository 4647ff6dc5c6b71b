//! Routes of calibrations and preferences: read, tried, kept, and taken back.
//! The law: the loop decides; a route only passes on what it says.

use std::sync::Arc;

use api::error::ErrorBody;
use api::preferences::{
    CalibrateRequest, CalibrationQuery, PreferenceRequest, PreferencesQuery, UndoQuery,
};
use axum::Json;
use axum::extract::State;
use socket::{Ask, CalibrationStatus, PreferenceChange, PreferenceStatus, ReplyBody};

use super::body::strange;
use super::error::ApiError;
use super::extract::{JsonBody, QueryString};
use crate::app::App;

/// The calibration of joints: how counts of their boards become values, and how far their zeros were moved.
#[utoipa::path(get, path = "/api/v1/calibration", security(("token" = ["watch"])), tag = "preferences",
    params(CalibrationQuery),
    responses((status = 200, body = Vec<CalibrationStatus>), (status = "default", body = ErrorBody)))]
pub async fn calibration(
    State(app): State<Arc<App>>,
    QueryString(query): QueryString<CalibrationQuery>,
) -> Result<Json<Vec<CalibrationStatus>>, ApiError> {
    let names = query.of.split(',').filter(|it| !it.is_empty());
    let of = names.map(str::to_owned).collect();
    calibrated(&app, Ask::Calibration { of }).await
}

/// Moves the zero of a limp joint, until the loop ends or the calibration is kept.
#[utoipa::path(post, path = "/api/v1/calibration", security(("token" = ["operate"])), tags = ["preferences", "moves"],
    request_body = CalibrateRequest,
    responses((status = 200, body = Vec<CalibrationStatus>), (status = "default", body = ErrorBody)))]
pub async fn calibrate(
    State(app): State<Arc<App>>,
    JsonBody(asked): JsonBody<CalibrateRequest>,
) -> Result<Json<Vec<CalibrationStatus>>, ApiError> {
    let ask = Ask::Calibrate {
        joint: asked.joint,
        at: asked.at,
        moved: asked.moved,
        measures: asked.measures,
    };
    calibrated(&app, ask).await
}

/// Values of the robot's description, where they are written, and what is tried.
#[utoipa::path(get, path = "/api/v1/preferences", security(("token" = ["watch"])), tag = "preferences",
    params(PreferencesQuery),
    responses((status = 200, body = Vec<PreferenceStatus>), (status = "default", body = ErrorBody)))]
pub async fn preferences(
    State(app): State<Arc<App>>,
    QueryString(query): QueryString<PreferencesQuery>,
) -> Result<Json<Vec<PreferenceStatus>>, ApiError> {
    preferred(&app, Ask::Preferences { key: query.key }).await
}

/// Tries a value of the description: the robot would load with it. The offset of a calibration is in force at once,
/// everything else when the value is kept and the loop is started again.
#[utoipa::path(post, path = "/api/v1/preferences", security(("token" = ["operate"])), tags = ["preferences", "moves"],
    request_body = PreferenceRequest,
    responses((status = 200, body = Vec<PreferenceStatus>), (status = "default", body = ErrorBody)))]
pub async fn try_preference(
    State(app): State<Arc<App>>,
    JsonBody(asked): JsonBody<PreferenceRequest>,
) -> Result<Json<Vec<PreferenceStatus>>, ApiError> {
    let ask = Ask::TryPreference {
        key: asked.key,
        value: asked.value,
    };
    preferred(&app, ask).await
}

/// Writes what is tried, calibrations and preferences, into the robot's local layer.
#[utoipa::path(post, path = "/api/v1/preferences/keep", security(("token" = ["operate"])),
    tags = ["preferences", "moves"],
    responses((status = 200, body = PreferenceChange), (status = "default", body = ErrorBody)))]
pub async fn keep(State(app): State<Arc<App>>) -> Result<Json<PreferenceChange>, ApiError> {
    changed(&app, Ask::KeepPreferences).await
}

/// Takes back what is tried; if nothing is, what was kept last.
#[utoipa::path(post, path = "/api/v1/preferences/undo", security(("token" = ["operate"])),
    tags = ["preferences", "moves"], params(UndoQuery),
    responses((status = 200, body = PreferenceChange), (status = "default", body = ErrorBody)))]
pub async fn undo(
    State(app): State<Arc<App>>,
    QueryString(UndoQuery { kept }): QueryString<UndoQuery>,
) -> Result<Json<PreferenceChange>, ApiError> {
    changed(&app, Ask::UndoPreferences { kept }).await
}

pub(super) async fn calibrated(
    app: &App,
    ask: Ask,
) -> Result<Json<Vec<CalibrationStatus>>, ApiError> {
    match app.loop_client.ask(ask).await? {
        ReplyBody::Calibration(told) => Ok(Json(told)),
        other => Err(strange(&other)),
    }
}

pub(super) async fn preferred(
    app: &App,
    ask: Ask,
) -> Result<Json<Vec<PreferenceStatus>>, ApiError> {
    match app.loop_client.ask(ask).await? {
        ReplyBody::Preferences(told) => Ok(Json(told)),
        other => Err(strange(&other)),
    }
}

pub(super) async fn changed(app: &App, ask: Ask) -> Result<Json<PreferenceChange>, ApiError> {
    match app.loop_client.ask(ask).await? {
        ReplyBody::Changed(told) => Ok(Json(told)),
        other => Err(strange(&other)),
    }
}
