//! Bodies that may be long: whole choreographies as JSON or packed, compressed by gzip or not.
//! Used by the routes that take timed commands. Nothing grows beyond its limit, compressed or not; few long
//! bodies are on their way at a time, and fewer are read, because JSON takes many times its own size; a sender keeps
//! its place only while bytes come.

use std::io::Read;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use flate2::read::MultiGzDecoder;
use http_body_util::BodyExt;
use protocol::ErrorCode;
use serde::de::DeserializeOwned;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::extract::{expect_json, invalid, is_gzip, kind_of_body, other_kind, read_json};
use crate::api_error::ApiError;

/// The most bytes of a long body, uncompressed: 4,096 commands for each of 26 joints are 4.3 MB of JSON at 15 digits.
const LONG_BODY_MAX: usize = 8 << 20;

/// How long the next piece of a body may take, and the whole body.
const PIECE_TIMEOUT: Duration = Duration::from_secs(10);
const BODY_TIMEOUT: Duration = Duration::from_secs(120);

/// What is no longer than this needs no place.
const SHORT: usize = super::BODY_MAX;

/// Places for long bodies that are on their way, and for those that are uncompressed and read.
static RECEIVING: Semaphore = Semaphore::const_new(8);
static READING: Semaphore = Semaphore::const_new(2);

/// A long body in JSON.
#[derive(Debug)]
pub struct LongJsonBody<T>(pub T);

/// A long body of packed lists; see `protocol::pack`.
#[derive(Debug)]
pub struct PackedBody(pub protocol::CommandLists);

impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> FromRequest<S> for LongJsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<LongJsonBody<T>, ApiError> {
        expect_json(request.headers())?;
        read_long(request, |body| read_json(body))
            .await
            .map(LongJsonBody)
    }
}

impl<S: Send + Sync> FromRequest<S> for PackedBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<PackedBody, ApiError> {
        let kind = kind_of_body(request.headers());
        if kind != "application/octet-stream" {
            let fix = "send the header `content-type: application/octet-stream`";
            return Err(other_kind(&kind, "packed lists", fix));
        }
        let read = read_long(request, |body| {
            protocol::unpack(body)
                .map_err(|error| invalid(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))
        });
        read.await.map(PackedBody)
    }
}

/// Receives a body, and reads it on a thread that may work long.
pub(super) async fn read_long<T: Send + 'static>(
    request: Request,
    read: impl FnOnce(&[u8]) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let is_gzip = is_gzip(request.headers())?;
    let received = tokio::time::timeout(BODY_TIMEOUT, receive(request.into_body()));
    let (received, place) = received.await.map_err(|_| slow())??;
    // The semaphore is never closed.
    let turn = READING.acquire().await;
    let work = move || {
        // Until it is read, whether the sender waits for it or not.
        let _places = (turn, place);
        match is_gzip {
            true => read(&uncompressed(&received)?),
            false => read(&received),
        }
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        let error = ErrorCode::InternalError.error("the body could not be read");
        Err(error
            .fix("send it again, and report it if that fails")
            .into())
    })
}

/// The bytes of a body, and its place if it is long.
async fn receive(mut body: Body) -> Result<(Vec<u8>, Option<SemaphorePermit<'static>>), ApiError> {
    let (mut received, mut place) = (Vec::new(), None);
    loop {
        let piece = tokio::time::timeout(PIECE_TIMEOUT, body.frame()).await;
        let Some(frame) = piece.map_err(|_| slow())? else {
            return Ok((received, place));
        };
        let frame = frame.map_err(|_| {
            let error = ErrorCode::CutOff.error("the body did not arrive whole");
            ApiError::from(error.fix("send it again"))
        })?;
        if let Some(piece) = frame.data_ref() {
            if received.len() + piece.len() > LONG_BODY_MAX {
                return Err(too_large("the body"));
            }
            if received.len() + piece.len() > SHORT && place.is_none() {
                let free = RECEIVING.try_acquire().map_err(|_| {
                    let error = ErrorCode::Busy.error("too many long requests are on their way");
                    ApiError::from(error.fix("try again in a moment"))
                })?;
                place = Some(free);
            }
            received.extend_from_slice(piece);
        }
    }
}

fn uncompressed(bytes: &[u8]) -> Result<Vec<u8>, ApiError> {
    let mut whole = Vec::new();
    let mut rest = MultiGzDecoder::new(bytes).take(LONG_BODY_MAX as u64 + 1);
    rest.read_to_end(&mut whole).map_err(|_| {
        let error = ErrorCode::InvalidRequest.error("the body is not gzip, or it is cut off");
        let fix = "compress the whole body, or leave out `content-encoding`";
        ApiError::new(StatusCode::BAD_REQUEST, error.fix(fix))
    })?;
    if whole.len() > LONG_BODY_MAX {
        return Err(too_large("the uncompressed body"));
    }
    Ok(whole)
}

fn too_large(what: &str) -> ApiError {
    let sentence = format!("{what} has more than {} MiB", LONG_BODY_MAX >> 20);
    let fix = "send it packed (`/api/v2/body/schedule`), or in parts, the later ones later";
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::TooLarge.error(sentence).fix(fix),
    )
}

fn slow() -> ApiError {
    let sentence = format!(
        "the body stood still for {} s, or took more than {} s",
        PIECE_TIMEOUT.as_secs(),
        BODY_TIMEOUT.as_secs()
    );
    let error = ErrorCode::InvalidRequest.error(sentence);
    ApiError::new(
        StatusCode::REQUEST_TIMEOUT,
        error.fix("compress it by gzip, or send it packed"),
    )
}
