//! Routes of recordings: list, download, remove, and whether runs are recorded.
//! The recording that is being written can be downloaded as far as it is written, but not removed. Whoever may
//! move the robot may have that recorded, but only an operator may have it go unrecorded.

use std::fs::File;
use std::io::{self, Seek};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use axum::{Extension, Json};
use protocol::guests::Confirmation;
use protocol::recordings::{RecordingFile, RecordingList};
use protocol::{Ask, ErrorBody, ErrorCode, RecordingStatus, RequestError};
use tokio::sync::Semaphore;
use tokio::task::block_in_place;
use tokio::time::timeout;

use super::DONE;
use super::download::{sent, sent_with_end};
use super::extract::PathPart;
use crate::access::Principal;
use crate::api_error::ApiError;
use crate::app::App;
use crate::store::StoreError;

/// The end of a recording that is being written is found by reading all of it: one after another, and each waits this
/// long.
static READING_ENDS: Semaphore = Semaphore::const_new(1);
const END_WITHIN: Duration = Duration::from_secs(20);

/// What a recording is sent as.
const KIND: &str = "application/octet-stream";

/// Lists the stored recordings: MCAP files. A long run has several, one after another.
#[utoipa::path(get, path = "/api/v2/recordings", tag = "recordings",
    responses((status = 200, body = RecordingList), (status = "default", body = ErrorBody)))]
pub async fn list(State(app): State<Arc<App>>) -> Json<RecordingList> {
    let status = app.loop_client.get(Ask::Recording).await;
    // What is kept is there without the loop as well.
    let recorded = status.unwrap_or_else(|error| RecordingStatus {
        error: Some(error.sentence),
        ..RecordingStatus::default()
    });
    let kept = app.recordings.list().into_iter().map(|item| RecordingFile {
        open: recorded.open.as_deref() == Some(item.name.as_str()),
        name: item.name,
        bytes: item.bytes,
        began: item.began,
    });
    Json(RecordingList {
        on: recorded.on,
        error: recorded.error,
        kept: kept.collect(),
    })
}

/// Where the recording of this name is.
pub(super) fn find(app: &App, name: &str) -> Result<PathBuf, RequestError> {
    app.recordings.find(name).ok_or_else(|| {
        let error = ErrorCode::NotFound.error(format!("there is no recording `{name}`"));
        error.fix("`GET /api/v2/recordings` lists them")
    })
}

/// Downloads a recording. One that is being written is sent as far as it is whole, with an end, so that every reader of
/// MCAP opens it.
#[utoipa::path(get, path = "/api/v2/recordings/{name}", tag = "recordings",
    params(("name" = String, Path, description = "the recording's name")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>),
        (status = "default", body = ErrorBody)))]
pub async fn fetch(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    PathPart(name): PathPart<String>,
) -> Result<Response, ApiError> {
    let path = find(&app, &name)?;
    let place = app.downloads.take(who.as_ref());
    let place = place.map_err(|reason| reason.refuse("download"))?;
    let open = async {
        let mut file = File::open(path)?;
        let end = if archive::is_closed(&mut file)? {
            None
        } else {
            // The semaphore is never closed.
            let _turn = timeout(END_WITHIN, READING_ENDS.acquire()).await?;
            block_in_place(|| match archive::missing_end(&mut file) {
                // Somebody has put another file there: it is sent as it is.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(None),
                end => end,
            })?
        };
        file.rewind()?;
        Ok::<_, io::Error>((file, end))
    };
    let (file, end) = open.await.map_err(|error| {
        if error.kind() == io::ErrorKind::TimedOut {
            return ErrorCode::Busy
                .error("others are downloading the recording that is being written")
                .fix("try again in a moment");
        }
        let sentence = format!("the recording cannot be read: {error}");
        ErrorCode::Damaged
            .error(sentence)
            .fix("check the robot's disk: `dmesg` says more")
    })?;
    Ok(match end {
        Some(end) => sent_with_end(place, file, end, &name, KIND),
        None => sent(place, file, &name, KIND),
    })
}

/// Removes a recording.
#[utoipa::path(delete, path = "/api/v2/recordings/{name}", tag = "recordings",
    params(("name" = String, Path, description = "the recording's name")),
    responses((status = 200, body = Confirmation), (status = "default", body = ErrorBody)))]
pub async fn remove(
    State(app): State<Arc<App>>,
    PathPart(name): PathPart<String>,
) -> Result<Json<Confirmation>, ApiError> {
    let path = find(&app, &name)?;
    // A loop that has gone writes nothing.
    let status = app.loop_client.get::<RecordingStatus>(Ask::Recording).await;
    let open = status.ok().and_then(|status| status.open);
    if open.as_deref() == Some(name.as_str()) {
        let error = ErrorCode::InUse.error("the recording is being written");
        return Err(error
            .fix("stop recording first: `POST /api/v2/loop/stop-recording`")
            .into());
    }
    let removed = tokio::fs::remove_file(path).await;
    // Errors of the disk have the same messages as the store's.
    removed.map_err(StoreError::Disk)?;
    Ok(DONE)
}
