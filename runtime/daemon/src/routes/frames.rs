//! The route that reads frames of a recording, for a page that plays it.
//! A file that may be damaged is read by a process of its own, one at a time, and only for so long.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use protocol::recordings::{FRAMES_MAX, FramesQuery, RecordingFrames};
use protocol::{ErrorBody, ErrorCode};
use tokio::sync::Semaphore;

use super::extract::{PathPart, QueryString};
use super::recordings::find;
use crate::api_error::ApiError;
use crate::app::App;

/// How long it may take, the wait for others included.
const TIMEOUT: Duration = Duration::from_secs(60);

/// One is read at a time.
static READING: Semaphore = Semaphore::const_new(1);

/// Reads frames of a recording, evenly spread over a span of it: what was sent to each joint, and where it was.
#[utoipa::path(get, path = "/api/v2/recordings/{name}/frames", tag = "recordings",
    params(("name" = String, Path, description = "the recording's name"), FramesQuery),
    responses((status = 200, body = RecordingFrames), (status = "default", body = ErrorBody)))]
pub async fn frames(
    State(app): State<Arc<App>>,
    PathPart(name): PathPart<String>,
    QueryString(query): QueryString<FramesQuery>,
) -> Result<Json<RecordingFrames>, ApiError> {
    let path = find(&app, &name)?;
    check(&query)?;
    let mut child = tokio::process::Command::new(&app.program);
    child
        .arg("frames")
        .arg(path)
        // With `=`, because a number may begin with `-`.
        .arg(format!("--from={}", query.from))
        .args(query.to.iter().map(|item| format!("--to={item}")))
        .arg(format!("--points={}", query.points))
        .arg("--log=off")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let work = async {
        // The semaphore is never closed.
        let _turn = READING.acquire().await;
        child.output().await
    };
    let output = tokio::time::timeout(TIMEOUT, work).await.map_err(|_| {
        let sentence = format!("reading it took longer than {} s", TIMEOUT.as_secs());
        let fix =
            "try again in a moment; `dcm-run plot` reads a long recording where there is time";
        ErrorCode::Busy.error(sentence).fix(fix)
    })?;
    let output = output.map_err(|error| {
        let sentence = format!("the process that reads it could not be started: {error}");
        let fix = "check that the robot's `dcm-run` has not been moved";
        ErrorCode::InternalError.error(sentence).fix(fix)
    })?;
    let frames = serde_json::from_slice(&output.stdout);
    if frames.is_err() {
        // It may have been removed meanwhile.
        find(&app, &name)?;
    }
    frames.map(Json).map_err(|_| {
        let why = String::from_utf8_lossy(&output.stderr);
        let error = ErrorCode::Damaged.error(format!("`{name}` cannot be played: {}", why.trim()));
        let fix = "`dcm-run replay FILE --verify` says what is damaged; one that has just begun has no turns yet";
        error.fix(fix).into()
    })
}

fn check(query: &FramesQuery) -> Result<(), ApiError> {
    if !(1..=FRAMES_MAX).contains(&query.points) {
        let error = ErrorCode::InvalidRequest
            .error(format!("{} frames cannot be read at once", query.points));
        return Err(error
            .fix(format!(
                "ask for 1 to {FRAMES_MAX}, of one span after another"
            ))
            .into());
    }
    let to = query.to.unwrap_or(query.from);
    if query.from.is_finite() && to.is_finite() && (0.0..=to).contains(&query.from) {
        return Ok(());
    }
    let error = ErrorCode::InvalidTime.error("the span is empty, or begins before the recording");
    Err(error
        .fix("give `from` and `to` in seconds since its first turn, the earlier one first")
        .into())
}
