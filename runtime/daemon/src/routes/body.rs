//! Routes of the body: stop, arm, hold, set, poses.
//! The law: stop needs neither a role nor control; arming needs the highest role.

use std::sync::Arc;

use api::body::{BodyStatus, CommandOutcome, ScheduleQuery};
use api::error::{ErrorBody, ErrorCode};
use axum::Json;
use axum::extract::State;
use socket::{Ask, Operation, ReplyBody};

use super::error::ApiError;
use super::extract::QueryString;
use super::long_body::PackedBody;
use crate::app::App;

async fn operate(app: &App, word: Operation) -> Result<Json<BodyStatus>, ApiError> {
    match app.loop_client.ask(Ask::Operate(word)).await? {
        ReplyBody::State(state) => {
            let guests = Vec::new();
            Ok(Json(BodyStatus { state, guests }))
        }
        other => Err(strange(&other)),
    }
}

/// An operation after which the body may move: its answer lists the guests.
async fn operate_with_guests(app: &App, word: Operation) -> Result<Json<BodyStatus>, ApiError> {
    let Json(mut status) = operate(app, word).await?;
    // It is done, whether the guests can be listed or not.
    if let Ok(ReplyBody::Guests(mut guests)) = app.loop_client.ask(Ask::Guests).await {
        guests.retain(|guest| guest.life != "gone");
        status.guests = guests;
    }
    Ok(Json(status))
}

/// The error for an unexpected kind of answer from the loop.
pub(crate) fn strange(told: &ReplyBody) -> ApiError {
    let error = ErrorCode::NoLoop.error(format!("the loop gave an unexpected answer: {told:?}"));
    error
        .fix("restart `dcm-run serve`: loop and server must have the same version")
        .into()
}

/// Emergency stop: the body stands still at once. Needs no token.
#[utoipa::path(post, path = "/api/v1/body/stop", security(()), tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn stop(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    operate(&app, Operation::Press).await
}

/// Releases the emergency stop. The body holds its position until it is resumed; it has no force if it had none
/// before.
#[utoipa::path(post, path = "/api/v1/body/release", security(("token" = ["operate"])), tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn release(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    operate(&app, Operation::Release).await
}

/// Arms the body: it exerts force, and holds its position.
#[utoipa::path(post, path = "/api/v1/body/arm", security(("token" = ["operate"])), tags = ["body", "moves"],
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn arm(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    operate_with_guests(&app, Operation::Arm).await
}

/// Disarms the body: it goes limp.
#[utoipa::path(post, path = "/api/v1/body/disarm", security(("token" = ["operate"])), tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn disarm(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    operate(&app, Operation::Disarm).await
}

/// Clears the fault state.
#[utoipa::path(post, path = "/api/v1/body/clear", security(("token" = ["operate"])), tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn clear(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    operate(&app, Operation::Clear).await
}

/// Slows the body down and holds its position.
#[utoipa::path(post, path = "/api/v1/body/hold", security(("token" = ["perform"])), tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn hold(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    operate(&app, Operation::Hold).await
}

/// Moves to the safe pose, then disarms.
#[utoipa::path(post, path = "/api/v1/body/retreat", security(("token" = ["perform"])), tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn retreat(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    operate(&app, Operation::Retreat).await
}

/// Resumes after a hold: guests move the body again.
#[utoipa::path(post, path = "/api/v1/body/resume", security(("token" = ["perform"])), tags = ["body", "moves"],
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn resume(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    operate_with_guests(&app, Operation::Resume).await
}

/// Slows the body down and ends the loop.
#[utoipa::path(post, path = "/api/v1/body/quit", security(("token" = ["operate"])), tag = "body",
    responses((status = 200, body = BodyStatus), (status = "default", body = ErrorBody)))]
pub async fn quit(State(app): State<Arc<App>>) -> Result<Json<BodyStatus>, ApiError> {
    app.loop_client.ask(Ask::Quit).await?;
    let (state, guests) = ("leaving".to_owned(), Vec::new());
    Ok(Json(BodyStatus { state, guests }))
}

/// Schedules timed commands that are packed: a list for each of the actuators in `to`, in their order. For each list
/// the number of its commands (32 bits), then for each command its instant in ns of the robot's time (64 bits;
/// `now_ns` of `GET /api/v1/state` is the present one) and its value (64-bit float), all little endian. A value that
/// is NaN leaves its actuator alone, as in the DCM, and is not counted. All are accepted or none.
#[utoipa::path(post, path = "/api/v1/body/schedule", security(("token" = ["perform"])), tag = "body",
    params(ScheduleQuery), request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = CommandOutcome), (status = "default", body = ErrorBody)))]
pub async fn schedule(
    State(app): State<Arc<App>>,
    QueryString(query): QueryString<ScheduleQuery>,
    PackedBody(lists): PackedBody,
) -> Result<Json<CommandOutcome>, ApiError> {
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

pub(super) async fn moved(app: &App, ask: Ask) -> Result<Json<CommandOutcome>, ApiError> {
    match app.loop_client.ask(ask).await? {
        ReplyBody::Taken {
            ticket,
            followed,
            commands,
            late,
            clipped,
            shared,
            limp,
            coupled,
            needs_ns,
            clipped_names,
        } => {
            if followed {
                app.streams.follow(ticket);
            }
            Ok(Json(CommandOutcome {
                ticket,
                followed,
                commands,
                late,
                clipped,
                shared,
                limp,
                coupled,
                needs_s: needs_ns as f64 / 1e9,
                clipped_names,
            }))
        }
        other => Err(strange(&other)),
    }
}
