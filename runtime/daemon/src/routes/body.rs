//! Routes of the body: stop, arm, hold, set, poses.
//! The law: stop needs neither a role nor control; arming needs the highest role.

use std::sync::Arc;

use api::body::{
    BodyStatus, CommandOutcome, CommandsRequest, PoseRequest, ScheduleQuery, SetRequest,
};
use api::error::{ErrorBody, ErrorCode};
use axum::Json;
use axum::extract::State;
use socket::{Ask, Operation, ReplyBody};

use super::error::ApiError;
use super::extract::{JsonBody, QueryString};
use super::long_body::{LongJsonBody, PackedBody};
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

/// Sets actuators or aliases to values. All are accepted or none.
#[utoipa::path(post, path = "/api/v1/body/set", security(("token" = ["perform"])), tag = "body",
    request_body = SetRequest,
    responses((status = 200, body = CommandOutcome), (status = "default", body = ErrorBody)))]
pub async fn set(
    State(app): State<Arc<App>>,
    JsonBody(set): JsonBody<SetRequest>,
) -> Result<Json<CommandOutcome>, ApiError> {
    let (to, values) = set.values.into_iter().unzip();
    let ask = Ask::Move {
        to,
        after_ns: vec![nanos(set.in_s)?],
        values,
        packed: 0,
        measures: set.measures,
        clip: set.clip,
        merge: set.merge,
        lane: set.lane,
    };
    moved(&app, ask).await
}

/// Schedules timed commands. All are accepted or none.
#[utoipa::path(post, path = "/api/v1/body/commands", security(("token" = ["perform"])), tag = "body",
    request_body = CommandsRequest,
    responses((status = 200, body = CommandOutcome), (status = "default", body = ErrorBody)))]
pub async fn commands(
    State(app): State<Arc<App>>,
    LongJsonBody(commands): LongJsonBody<CommandsRequest>,
) -> Result<Json<CommandOutcome>, ApiError> {
    let times = commands.times.iter().map(|it| nanos(*it));
    let is_table = commands.values.len() == commands.to.len()
        && commands
            .values
            .iter()
            .all(|it| it.len() == commands.times.len());
    if !is_table {
        let error =
            ErrorCode::WrongCount.error("there is not one value for each actuator and time");
        return Err(error
            .fix("give a row of values for each name, as long as `times`")
            .into());
    }
    let ask = Ask::Move {
        after_ns: times.collect::<Result<_, _>>()?,
        values: commands.values.into_iter().flatten().collect(),
        to: commands.to,
        packed: 0,
        measures: None,
        clip: true,
        merge: commands.merge,
        lane: commands.lane,
    };
    moved(&app, ask).await
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

/// Moves to a pose of the description.
#[utoipa::path(post, path = "/api/v1/body/pose", security(("token" = ["perform"])), tag = "body",
    request_body = PoseRequest,
    responses((status = 200, body = CommandOutcome), (status = "default", body = ErrorBody)))]
pub async fn pose(
    State(app): State<Arc<App>>,
    JsonBody(pose): JsonBody<PoseRequest>,
) -> Result<Json<CommandOutcome>, ApiError> {
    let in_ns = nanos(pose.in_s)?;
    moved(
        &app,
        Ask::Pose {
            name: pose.name,
            in_ns,
            lane: pose.lane,
        },
    )
    .await
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

/// A time from now.
pub(super) fn nanos(seconds: f64) -> Result<u64, ApiError> {
    if (0.0..=86_400.0).contains(&seconds) {
        return Ok((seconds * 1e9).round() as u64);
    }
    let error = ErrorCode::InvalidTime.error(format!("{seconds:?} s is out of range"));
    Err(error.fix("give a time from 0 to 86400 s").into())
}
