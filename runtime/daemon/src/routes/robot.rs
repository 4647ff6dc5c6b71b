//! Routes of the robot: identity, state, figure, timing, names, events.

use std::sync::Arc;

use api::error::ErrorBody;
use api::robot::{EventsQuery, EventsSince, FindQuery, FoundPlaces, Hello, RobotState, TurnTiming};
use axum::Json;
use axum::extract::State;
use socket::{Ask, Figure, ReplyBody};

use super::body::strange;
use super::error::ApiError;
use super::extract::QueryString;
use crate::app::App;
use crate::timing::BOUNDS;

/// Who this robot is. Needs no token.
#[utoipa::path(get, path = "/api/v1/hello", security(()), tag = "robot",
    responses((status = 200, body = Hello), (status = "default", body = ErrorBody)))]
pub async fn hello(State(app): State<Arc<App>>) -> Json<Hello> {
    Json(Hello {
        api: 1,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        name: app.name.clone(),
        robot: app.robot.clone(),
        fingerprint: app.fingerprint.clone(),
        signatures: app.settings.store.signatures,
        foxglove: app.foxglove.get().copied(),
    })
}

/// The state of the robot: time, actuators, sensors, boards; as in the stream `all`.
#[utoipa::path(get, path = "/api/v1/state", security(("token" = ["watch"])), tag = "robot",
    responses((status = 200, body = RobotState), (status = "default", body = ErrorBody)))]
pub async fn state(State(app): State<Arc<App>>) -> Result<Json<RobotState>, ApiError> {
    Ok(Json(app.streams.named()?))
}

/// The kinematics of the body: its links, and the index of each joint's values.
#[utoipa::path(get, path = "/api/v1/figure", security(("token" = ["watch"])), tag = "robot",
    responses((status = 200, body = Figure), (status = "default", body = ErrorBody)))]
pub async fn figure(State(app): State<Arc<App>>) -> Result<Json<Figure>, ApiError> {
    match app.loop_client.ask(Ask::Figure).await? {
        ReplyBody::Figure(figure) => Ok(Json(figure)),
        other => Err(strange(&other)),
    }
}

/// The timing of turns: late ones, and histograms of work and lateness.
#[utoipa::path(get, path = "/api/v1/timing", security(("token" = ["watch"])), tag = "robot",
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

/// What a name means: indices of actuators and sensors.
#[utoipa::path(get, path = "/api/v1/find", security(("token" = ["watch"])), tag = "robot", params(FindQuery),
    responses((status = 200, body = FoundPlaces), (status = "default", body = ErrorBody)))]
pub async fn find(
    State(app): State<Arc<App>>,
    QueryString(FindQuery { name }): QueryString<FindQuery>,
) -> Result<Json<FoundPlaces>, ApiError> {
    match app.loop_client.ask(Ask::Find { name }).await? {
        ReplyBody::Found { actuators, sensors } => Ok(Json(FoundPlaces { actuators, sensors })),
        other => Err(strange(&other)),
    }
}

/// Events: what happened to the body, and what guests logged.
#[utoipa::path(get, path = "/api/v1/events", security(("token" = ["watch"])), tag = "robot", params(EventsQuery),
    responses((status = 200, body = EventsSince), (status = "default", body = ErrorBody)))]
pub async fn events(
    State(app): State<Arc<App>>,
    QueryString(EventsQuery { since }): QueryString<EventsQuery>,
) -> Result<Json<EventsSince>, ApiError> {
    match app.loop_client.ask(Ask::Events { since }).await? {
        ReplyBody::Events { next, events } => Ok(Json(EventsSince { next, events })),
        other => Err(strange(&other)),
    }
}
