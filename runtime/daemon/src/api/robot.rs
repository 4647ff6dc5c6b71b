//! Who this robot is, how it stands, and what happened to it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use socket::{Ask, Figure, Happened, Told};
use utoipa::{IntoParams, ToSchema};

use super::body::strange;
use super::fault::{ErrorBody, Fault};
use crate::app::App;
use crate::timing::BOUNDS;

/// Who this robot is.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Hello {
    /// The version of the API.
    pub api: u32,
    /// The program's version.
    pub version: String,
    /// The loop's name, by which it is found.
    pub name: String,
    /// The robot's name.
    pub robot: String,
    /// The fingerprint of its certificate, SHA-256.
    pub fingerprint: Option<String>,
    /// What is done about signatures.
    pub signatures: crate::trust::Policy,
    /// The port at which Foxglove can watch.
    pub foxglove: Option<u16>,
}

/// Who this robot is. Everyone may ask.
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

/// How the body stands: state, time, actuators, sensors, boards; as in the stream `all`.
#[utoipa::path(get, path = "/api/v1/state", security(("token" = ["watch"])), tag = "robot",
    responses((status = 200, body = serde_json::Value), (status = "default", body = ErrorBody)))]
pub async fn state(State(app): State<Arc<App>>) -> Result<Json<serde_json::Value>, Fault> {
    Ok(Json(app.streams.named()?))
}

/// How the body hangs together: its links, and where on the page each joint's values are.
#[utoipa::path(get, path = "/api/v1/figure", security(("token" = ["watch"])), tag = "robot",
    responses((status = 200, body = Figure), (status = "default", body = ErrorBody)))]
pub async fn figure(State(app): State<Arc<App>>) -> Result<Json<Figure>, Fault> {
    match app.line.ask(Ask::Figure).await? {
        Told::Figure(figure) => Ok(Json(figure)),
        other => Err(strange(&other)),
    }
}

/// How the turns were met since the server began to look.
#[derive(Debug, Serialize, ToSchema)]
pub struct Met {
    /// From one turn to the next, ns.
    pub period_ns: u64,
    /// Turns that were seen.
    pub turns: u64,
    /// Turns that were overwritten before they were seen.
    pub unseen: u64,
    /// Turns that began later than half a period after their time.
    pub late: u64,
    /// Upper bounds of `work`, ns; its last count has none.
    pub bounds_ns: Vec<u64>,
    /// Turns by how long they worked.
    pub work: Vec<u64>,
    /// Turns by how much longer than a period they took, in eighths of a period; the last is a period or more.
    pub over: Vec<u64>,
}

/// How the turns were met: late ones, and how long they work.
#[utoipa::path(get, path = "/api/v1/timing", security(("token" = ["watch"])), tag = "robot",
    responses((status = 200, body = Met), (status = "default", body = ErrorBody)))]
pub async fn timing(State(app): State<Arc<App>>) -> Json<Met> {
    let timing = app.streams.timing();
    Json(Met {
        period_ns: app.streams.page().period().nanos(),
        turns: timing.turns,
        unseen: timing.unseen,
        late: timing.late,
        bounds_ns: BOUNDS.to_vec(),
        work: timing.work.to_vec(),
        over: timing.over.to_vec(),
    })
}

/// What a name means.
#[derive(Debug, Deserialize, IntoParams)]
pub struct Name {
    /// A short name, a path, or an alias.
    pub name: String,
}

/// Places in the rows of the streams.
#[derive(Debug, Serialize, ToSchema)]
pub struct Found {
    /// Of actuators.
    pub actuators: Vec<u16>,
    /// Of sensors.
    pub sensors: Vec<u16>,
}

/// What a name means: places of actuators and sensors.
#[utoipa::path(get, path = "/api/v1/find", security(("token" = ["watch"])), tag = "robot", params(Name),
    responses((status = 200, body = Found), (status = "default", body = ErrorBody)))]
pub async fn find(
    State(app): State<Arc<App>>,
    Query(Name { name }): Query<Name>,
) -> Result<Json<Found>, Fault> {
    match app.line.ask(Ask::Find { name }).await? {
        Told::Found { actuators, sensors } => Ok(Json(Found { actuators, sensors })),
        other => Err(strange(&other)),
    }
}

/// From where on.
#[derive(Debug, Deserialize, IntoParams)]
pub struct Since {
    /// The number of the first that is wanted; `next` of the last answer.
    #[serde(default)]
    pub since: u64,
}

/// What happened.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct EventsSince {
    /// The number to ask for next.
    pub next: u64,
    /// What happened, the oldest first.
    pub happened: Vec<Happened>,
}

/// What happened to the body, and what guests said.
#[utoipa::path(get, path = "/api/v1/events", security(("token" = ["watch"])), tag = "robot", params(Since),
    responses((status = 200, body = EventsSince), (status = "default", body = ErrorBody)))]
pub async fn happened(
    State(app): State<Arc<App>>,
    Query(Since { since }): Query<Since>,
) -> Result<Json<EventsSince>, Fault> {
    match app.line.ask(Ask::Events { since }).await? {
        Told::Events { next, happened } => Ok(Json(EventsSince { next, happened })),
        other => Err(strange(&other)),
    }
}
