//! Routes of the robot: identity, state, timing.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use protocol::ErrorBody;
use protocol::robot::{Hello, RobotState, TurnTiming};

use crate::api_error::ApiError;
use crate::app::App;
use crate::timing::BOUNDS;

/// Who this robot is. Needs no token.
#[utoipa::path(get, path = "/api/v2/hello", tag = "robot",
    responses((status = 200, body = Hello), (status = "default", body = ErrorBody)))]
pub async fn hello(State(app): State<Arc<App>>) -> Json<Hello> {
    Json(Hello {
        api: protocol::VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        name: app.name.clone(),
        robot: app.robot.clone(),
        fingerprint: app.fingerprint.clone(),
        signatures: app.settings.store.signatures,
        foxglove: app.foxglove.get().copied(),
    })
}

/// The state of the robot: time, actuators, sensors, boards; as in the stream `all`.
#[utoipa::path(get, path = "/api/v2/state", tag = "robot",
    responses((status = 200, body = RobotState), (status = "default", body = ErrorBody)))]
pub async fn state(State(app): State<Arc<App>>) -> Result<Json<RobotState>, ApiError> {
    Ok(Json(app.streams.named()?))
}

/// The timing of turns: late ones, and histograms of work and lateness.
#[utoipa::path(get, path = "/api/v2/timing", tag = "robot",
    responses((status = 200, body = TurnTiming), (status = "default", body = ErrorBody)))]
pub async fn timing(State(app): State<Arc<App>>) -> Json<TurnTiming> {
    let timing = app.streams.timing();
    Json(TurnTiming {
        period_ns: app.streams.page().period().nanos(),
        turns: timing.turns,
        unseen: timing.unseen,
        late: timing.late,
        realtime: app.streams.page().realtime().name().to_owned(),
        bounds_ns: BOUNDS.to_vec(),
        work: timing.work.to_vec(),
        over: timing.over.to_vec(),
    })
}
