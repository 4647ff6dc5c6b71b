//! Routes of the robot's clock. The time by which tokens and signatures expire never goes back, so a clock that was
//! once in the future would make everything expire for good. Only an operator sets that time back.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use protocol::ErrorBody;
use protocol::robot::ClockReport;

use super::ApiError;
use crate::app::App;
use crate::clock::clock;

/// What the machine's clock shows, and the time by which tokens, signatures and keys expire.
#[utoipa::path(get, path = "/api/v2/clock", tag = "robot",
    responses((status = 200, body = ClockReport), (status = "default", body = ErrorBody)))]
pub async fn read(State(app): State<Arc<App>>) -> Json<ClockReport> {
    Json(report(&app))
}

/// Sets the time by which tokens, signatures and keys expire to what the machine's clock shows: for a clock that was
/// wrong, and is right again. What has expired by the wrong time is valid again.
#[utoipa::path(put, path = "/api/v2/clock", tag = "robot",
    responses((status = 200, body = ClockReport), (status = "default", body = ErrorBody)))]
pub async fn correct(State(app): State<Arc<App>>) -> Result<Json<ClockReport>, ApiError> {
    app.correct_time().await?;
    Ok(Json(report(&app)))
}

fn report(app: &App) -> ClockReport {
    ClockReport {
        clock: clock().as_secs(),
        time: app.now(),
    }
}
