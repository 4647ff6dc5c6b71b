//! Routes of lanes of clients' own: opened, listed, tuned, fed and ended.
//! The law: the loop decides; a route only passes on what it says.

use std::sync::Arc;

use api::error::ErrorBody;
use api::lanes::{EndLaneQuery, OpenLaneRequest, TuneLaneRequest};
use axum::Json;
use axum::extract::State;
use socket::{Ask, LaneStatus, ReplyBody};

use super::body::{nanos, strange};
use super::error::ApiError;
use super::extract::{JsonBody, PathPart, QueryString};
use crate::app::App;

/// The lanes of clients' own.
#[utoipa::path(get, path = "/api/v1/lanes", security(("token" = ["watch"])), tag = "lanes",
    responses((status = 200, body = Vec<LaneStatus>), (status = "default", body = ErrorBody)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<LaneStatus>>, ApiError> {
    match app.loop_client.ask(Ask::Lanes).await? {
        ReplyBody::Lanes(all) => Ok(Json(all)),
        other => Err(strange(&other)),
    }
}

/// Opens a lane of the client's own: requests to move name it as their `lane`.
#[utoipa::path(post, path = "/api/v1/lanes", security(("token" = ["perform"])), tag = "lanes",
    request_body = OpenLaneRequest,
    responses((status = 200, body = LaneStatus), (status = "default", body = ErrorBody)))]
pub async fn open(
    State(app): State<Arc<App>>,
    JsonBody(asked): JsonBody<OpenLaneRequest>,
) -> Result<Json<LaneStatus>, ApiError> {
    let (lane, options) = asked.options(nanos)?;
    let options = Box::new(options);
    about(&app, Ask::OpenLane { lane, options }).await
}

/// Changes the priority and the weight of a lane.
#[utoipa::path(patch, path = "/api/v1/lanes/{lane}", security(("token" = ["perform"])), tag = "lanes",
    params(("lane" = String, Path, description = "the lane's name")),
    request_body = TuneLaneRequest,
    responses((status = 200, body = LaneStatus), (status = "default", body = ErrorBody)))]
pub async fn tune(
    State(app): State<Arc<App>>,
    PathPart(lane): PathPart<String>,
    JsonBody(TuneLaneRequest { priority, weight }): JsonBody<TuneLaneRequest>,
) -> Result<Json<LaneStatus>, ApiError> {
    let ask = Ask::TuneLane {
        lane,
        priority,
        weight,
    };
    about(&app, ask).await
}

/// Takes a heartbeat for a lane with a silence rule; every request to move in it is one as well.
#[utoipa::path(post, path = "/api/v1/lanes/{lane}/feed", security(("token" = ["perform"])), tag = "lanes",
    params(("lane" = String, Path, description = "the lane's name")),
    responses((status = 200, body = LaneStatus), (status = "default", body = ErrorBody)))]
pub async fn feed(
    State(app): State<Arc<App>>,
    PathPart(lane): PathPart<String>,
) -> Result<Json<LaneStatus>, ApiError> {
    about(&app, Ask::FeedLane { lane }).await
}

/// Ends a lane, as it declared or in another way. One that holds is released when it is ended again.
#[utoipa::path(delete, path = "/api/v1/lanes/{lane}", security(("token" = ["perform"])), tag = "lanes",
    params(("lane" = String, Path, description = "the lane's name"), EndLaneQuery),
    responses((status = 200, body = LaneStatus), (status = "default", body = ErrorBody)))]
pub async fn end(
    State(app): State<Arc<App>>,
    PathPart(lane): PathPart<String>,
    QueryString(EndLaneQuery { ending }): QueryString<EndLaneQuery>,
) -> Result<Json<LaneStatus>, ApiError> {
    about(&app, Ask::EndLane { lane, ending }).await
}

async fn about(app: &App, ask: Ask) -> Result<Json<LaneStatus>, ApiError> {
    match app.loop_client.ask(ask).await? {
        ReplyBody::Lanes(mut all) if all.len() == 1 => Ok(Json(all.remove(0))),
        other => Err(strange(&other)),
    }
}
