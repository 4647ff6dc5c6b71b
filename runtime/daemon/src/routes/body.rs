//! Routes of the body: the emergency stop, and packed commands.
//! The stop needs neither a role nor control.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use protocol::body::{BodyStatus, ScheduleQuery};
use protocol::{Ask, ErrorBody, Operation, TakenCommands};

use super::extract::QueryString;
use super::long_body::PackedBody;
use crate::api_error::ApiError;
use crate::app::App;

/// Emergency stop: the body slows down within its limits, for a second at most, and stands still. Needs no token.
#[utoipa::path(post, path = "/api/v2/body/stop", tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn stop(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    let press = Ask::Operate(Operation::Press);
    let state = app.loop_client.get(press).await?;
    Ok(Json(BodyStatus { state }))
}

/// Emergency stop, by its path in version 1 of this API. It is heard whatever version a button was made for.
#[utoipa::path(post, path = "/api/v1/body/stop", tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn stop_of_version_1(app: State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    stop(app).await
}

/// Schedules timed commands that are packed: a list for each of the actuators in `to`, in their order. For each list
/// the number of its commands (32 bits), then for each command its instant in ns of the robot's time (64 bits;
/// `now_ns` of `GET /api/v2/state` is the present one) and its value (64-bit float), all little endian. A value that
/// is NaN leaves its actuator alone, as in the DCM, and is not counted. All are accepted or none.
#[utoipa::path(post, path = "/api/v2/body/schedule", tag = "body",
    params(ScheduleQuery), request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = TakenCommands), (status = "default", body = ErrorBody)))]
pub async fn schedule(
    State(app): State<Arc<App>>,
    QueryString(query): QueryString<ScheduleQuery>,
    PackedBody(lists): PackedBody,
) -> Result<Json<TakenCommands>, ApiError> {
    let ask = Ask::Schedule {
        to: query.to.split(',').map(str::to_owned).collect(),
        same: false,
        lists,
        packed: 0,
        merge: query.merge,
        lane: query.lane,
    };
    moved(&app, ask).await
}

pub(super) async fn moved(app: &App, ask: Ask) -> Result<Json<TakenCommands>, ApiError> {
    let taken: TakenCommands = app.loop_client.get(ask).await?;
    if taken.followed {
        app.streams.follow(taken.ticket);
    }
    Ok(Json(taken))
}
