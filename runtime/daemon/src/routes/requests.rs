//! Routes of requests to move: how far they are, cancelling them, the commands that wait, and the lanes that drive.
//! The law: a route that waits keeps no connection to the loop while it does.

use std::sync::Arc;
use std::time::{Duration, Instant};

use api::body::{DrivingQuery, PendingQuery, ProgressQuery};
use api::error::{ErrorBody, ErrorCode};
use axum::Json;
use axum::extract::State;
use socket::{Ask, DrivenActuator, ReplyBody, RequestProgress, WAIT_MAX_NS, WaitingCommands};

use super::body::strange;
use super::error::ApiError;
use super::extract::{PathPart, QueryString};
use crate::app::App;

/// How long a route that waits sleeps before it asks the loop again. With as many as may wait, this asks the loop eight
/// times in a turn of 10 ms, of the 32 times that it answers.
const POLL_INTERVAL: Duration = Duration::from_millis(40);

/// How far requests to move are, and how they ended. With `wait_s` the answer comes when all of them have ended, or
/// when that time is over.
#[utoipa::path(get, path = "/api/v1/body/requests", security(("token" = ["watch"])), tag = "body",
    params(ProgressQuery),
    responses((status = 200, body = Vec<RequestProgress>), (status = "default", body = ErrorBody)))]
pub async fn progress(
    State(app): State<Arc<App>>,
    QueryString(query): QueryString<ProgressQuery>,
) -> Result<Json<Vec<RequestProgress>>, ApiError> {
    let tickets = query.tickets.split(',').map(str::parse);
    let tickets: Vec<u32> = tickets.collect::<Result<_, _>>().map_err(|_| {
        let sentence = format!("`{}` is not a list of requests' numbers", query.tickets);
        let error = ErrorCode::InvalidRequest.error(sentence);
        error.fix("give numbers from answers, separated by commas: tickets=17,18")
    })?;
    if !(0.0..=WAIT_MAX_NS as f64 / 1e9).contains(&query.wait_s) {
        let error = ErrorCode::InvalidTime.error(format!("{:?} s is out of range", query.wait_s));
        return Err(error.fix("wait from 0 to 60 s, and ask again").into());
    }
    let _turn = match query.wait_s > 0.0 {
        true => Some(app.waiters.try_acquire().map_err(|_| {
            let error = ErrorCode::Busy.error("too many requests wait for the end of a motion");
            error.fix("ask again in a second, or use the stream's topic `requests`")
        })?),
        false => None,
    };
    let until = Instant::now() + Duration::from_secs_f64(query.wait_s);
    loop {
        let ask = Ask::Progress {
            tickets: tickets.clone(),
            wait_ns: 0,
        };
        let found = match app.loop_client.ask(ask).await? {
            ReplyBody::Progress(found) => found,
            other => return Err(strange(&other)),
        };
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || found.iter().all(|it| it.end.is_some()) {
            return Ok(Json(found));
        }
        tokio::time::sleep(POLL_INTERVAL.min(left)).await;
    }
}

/// Cancels a request to move: its commands that wait are removed, and its joints stop where they are.
#[utoipa::path(delete, path = "/api/v1/body/requests/{ticket}", security(("token" = ["perform"])), tag = "body",
    params(("ticket" = u32, Path, description = "the request's number")),
    responses((status = 200, body = RequestProgress), (status = "default", body = ErrorBody)))]
pub async fn cancel(
    State(app): State<Arc<App>>,
    PathPart(ticket): PathPart<u32>,
) -> Result<Json<RequestProgress>, ApiError> {
    match app.loop_client.ask(Ask::Cancel { ticket }).await? {
        ReplyBody::Progress(found) if found.len() == 1 => Ok(Json(found[0])),
        other => Err(strange(&other)),
    }
}

/// The commands that wait, of those that clients have sent: for the named actuators, or for all that have some.
#[utoipa::path(get, path = "/api/v1/body/pending", security(("token" = ["watch"])), tag = "body",
    params(PendingQuery),
    responses((status = 200, body = Vec<WaitingCommands>), (status = "default", body = ErrorBody)))]
pub async fn pending(
    State(app): State<Arc<App>>,
    QueryString(query): QueryString<PendingQuery>,
) -> Result<Json<Vec<WaitingCommands>>, ApiError> {
    let ask = Ask::Pending {
        of: names(&query.of),
        lane: query.lane,
    };
    match app.loop_client.ask(ask).await? {
        ReplyBody::Pending(waiting) => Ok(Json(waiting)),
        other => Err(strange(&other)),
    }
}

/// The lanes that drove actuators in the last turn, with their values and weights: of the named ones, or of all that
/// are driven.
#[utoipa::path(get, path = "/api/v1/body/driving", security(("token" = ["watch"])), tag = "body",
    params(DrivingQuery),
    responses((status = 200, body = Vec<DrivenActuator>), (status = "default", body = ErrorBody)))]
pub async fn driving(
    State(app): State<Arc<App>>,
    QueryString(query): QueryString<DrivingQuery>,
) -> Result<Json<Vec<DrivenActuator>>, ApiError> {
    let of = names(&query.of);
    match app.loop_client.ask(Ask::Driving { of }).await? {
        ReplyBody::Driving(driven) => Ok(Json(driven)),
        other => Err(strange(&other)),
    }
}

/// The names in a list with commas.
fn names(list: &str) -> Vec<String> {
    let names = list.split(',').filter(|it| !it.is_empty());
    names.map(str::to_owned).collect()
}
