//! Recordings that the robot keeps: listed, fetched, removed; whether runs are recorded.
//! The law: what is being written can be fetched as far as it is, and not removed.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use socket::Trouble;
use utoipa::ToSchema;

use super::fault::{ErrorBody, Fault};
use super::guests::{DONE, Done};
use super::sent::sent;
use crate::app::App;
use crate::store::Refusal;
use crate::viewers::Recording;

/// All recordings.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Recordings {
    /// Whether this run is recorded.
    pub on: bool,
    /// What is wrong with that.
    pub trouble: Option<String>,
    /// What is kept, the newest first.
    pub kept: Vec<Recording>,
}

/// What is wanted.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Whether this run is recorded from now on.
    pub on: bool,
}

/// Recordings that are kept: MCAP files, one for each run.
#[utoipa::path(get, path = "/api/v1/recordings", security(("token" = ["watch"])), tag = "recordings",
    responses((status = 200, body = Recordings), (status = "default", body = ErrorBody)))]
pub async fn list(State(app): State<Arc<App>>) -> Json<Recordings> {
    let (recorded, kept) = app.viewers.recordings();
    Json(Recordings {
        on: recorded.on,
        trouble: recorded.trouble,
        kept,
    })
}

/// Begin to record, or end it.
#[utoipa::path(put, path = "/api/v1/recordings", security(("token" = ["perform"])), tag = "recordings",
    request_body = Wanted,
    responses((status = 200, body = Done), (status = "default", body = ErrorBody)))]
pub async fn record(State(app): State<Arc<App>>, Json(Wanted { on }): Json<Wanted>) -> Json<Done> {
    app.viewers.record(on);
    DONE
}

/// A recording's bytes.
#[utoipa::path(get, path = "/api/v1/recordings/{name}", security(("token" = ["watch"])), tag = "recordings",
    params(("name" = String, Path, description = "the recording's name")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>),
        (status = "default", body = ErrorBody)))]
pub async fn fetch(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Response, Fault> {
    let path = app.viewers.shelf().find(&name)?;
    let file = tokio::fs::File::open(path).await;
    let file = file.map_err(|error| {
        let sentence = format!("the recording cannot be read: {error}");
        Trouble::new("broken", sentence).fix("look after the robot's disk: `dmesg` says more")
    })?;
    Ok(sent(
        file.into_std().await,
        &name,
        "application/octet-stream",
    ))
}

/// Remove a recording.
#[utoipa::path(delete, path = "/api/v1/recordings/{name}", security(("token" = ["operate"])), tag = "recordings",
    params(("name" = String, Path, description = "the recording's name")),
    responses((status = 200, body = Done), (status = "default", body = ErrorBody)))]
pub async fn remove(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<Done>, Fault> {
    let path = app.viewers.shelf().find(&name)?;
    if app.viewers.recordings().0.open.as_deref() == Some(name.as_str()) {
        let trouble = Trouble::new("needed", "it is being written");
        return Err(trouble.fix("end it first: `PUT /api/v1/recordings`").into());
    }
    let removed = tokio::fs::remove_file(path).await;
    // The disk's trouble is told as it is by the store.
    removed.map_err(Refusal::Disk)?;
    Ok(DONE)
}
