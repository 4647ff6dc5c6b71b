//! What handlers take out of a request: its body, its query, a part of its path, its WebSocket. `long_body` takes
//! bodies that may be long.
//! Used by all routes in place of axum's own, which they ask first. What cannot be read is refused with the
//! place, what was expected, and what came.

use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use protocol::{ErrorCode, explain_json, explain_query};
use serde::de::DeserializeOwned;

use super::BODY_MAX;
use crate::api_error::ApiError;

/// The fix of a request that cannot be read.
const FIX: &str = "/api/v2 says what is expected";

/// The body, in JSON.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

/// The query of the address.
#[derive(Debug)]
pub struct QueryString<T>(pub T);

/// The part of the path that the route names.
#[derive(Debug)]
pub struct PathPart<T>(pub T);

/// A request to become a WebSocket.
#[derive(Debug)]
pub struct Upgrade(pub WebSocketUpgrade);

pub(super) fn invalid(status: StatusCode, sentence: String) -> ApiError {
    let error = ErrorCode::InvalidRequest.error(sentence);
    ApiError::new(status, error.fix(FIX))
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, ApiError> {
        expect_json(request.headers())?;
        if is_gzip(request.headers())? {
            let sentence = "this request may not be compressed".to_owned();
            return Err(invalid(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
        }
        let body = Bytes::from_request(request, state).await;
        let body = body.map_err(|why| unread(why.into_response().status()))?;
        read_json(&body).map(JsonBody)
    }
}

/// Refuses a body that does not say that it is JSON.
pub(super) fn expect_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let kind = kind_of_body(headers);
    if is_json(&kind) {
        return Ok(());
    }
    Err(other_kind(
        &kind,
        "JSON",
        "send the header `content-type: application/json`",
    ))
}

/// Whether the body is compressed by gzip.
pub(super) fn is_gzip(headers: &HeaderMap) -> Result<bool, ApiError> {
    let coding = headers.get(header::CONTENT_ENCODING);
    let coding = coding.map_or("", |coding| coding.to_str().unwrap_or("?"));
    if coding.is_empty() || coding.eq_ignore_ascii_case("identity") {
        return Ok(false);
    }
    if coding.eq_ignore_ascii_case("gzip") {
        return Ok(true);
    }
    let coding: String = coding.chars().take(60).collect();
    let error = ErrorCode::InvalidRequest.error(format!("the `content-encoding` is `{coding}`"));
    let fix = "compress it by gzip, or not at all";
    Err(ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        error.fix(fix),
    ))
}

/// The error for a body of another kind than the `wanted` one.
pub(super) fn other_kind(kind: &str, wanted: &str, fix: &str) -> ApiError {
    let came = if kind.is_empty() {
        "says of no kind".to_owned()
    } else {
        format!("is `{kind}`")
    };
    let sentence = format!("the body must be {wanted}, and its `content-type` {came}");
    let error = ErrorCode::InvalidRequest.error(sentence);
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error.fix(fix))
}

/// What these bytes say.
pub(super) fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|error| {
        let status = match error.is_data() {
            true => StatusCode::UNPROCESSABLE_ENTITY,
            false => StatusCode::BAD_REQUEST,
        };
        // To explain a mistake all of it is read as a tree, which takes up to seventy times as much memory.
        let sentence = match body.len() <= BODY_MAX {
            true => explain_json::<T>(body, &error),
            false => error.to_string().chars().take(200).collect(),
        };
        invalid(status, sentence)
    })
}

/// The kind of a body, cut.
pub(super) fn kind_of_body(headers: &HeaderMap) -> String {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.chars().take(60).collect()
}

fn is_json(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let Some(kind) = kind
        .to_ascii_lowercase()
        .strip_prefix("application/")
        .map(str::to_owned)
    else {
        return false;
    };
    kind == "json" || kind.ends_with("+json")
}

/// The body did not come, or is too large.
pub(super) fn unread(status: StatusCode) -> ApiError {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        let sentence = format!("the body has more than {} KiB", BODY_MAX >> 10);
        return ApiError::new(
            status,
            ErrorCode::TooLarge.error(sentence).fix("send less at once"),
        );
    }
    let error = ErrorCode::InvalidRequest.error("the body did not arrive whole");
    ApiError::new(status, error.fix("send it again"))
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryString<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<QueryString<T>, ApiError> {
        if let Ok(Query(query)) = Query::try_from_uri(&parts.uri) {
            return Ok(QueryString(query));
        }
        let named = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        let named = named.map_or_else(|_| Vec::new(), |pair| pair.0);
        let sentence = explain_query::<T>(named.into_iter());
        let sentence = format!("in the query of the address: {sentence}");
        Err(invalid(StatusCode::BAD_REQUEST, sentence))
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathPart<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathPart<T>, ApiError> {
        if let Ok(Path(part)) = Path::from_request_parts(parts, state).await {
            return Ok(PathPart(part));
        }
        let Ok(named) = RawPathParams::from_request_parts(parts, state).await else {
            let sentence = "the path is not UTF-8 behind its `%`".to_owned();
            return Err(invalid(StatusCode::BAD_REQUEST, sentence));
        };
        let why = named.iter().next().map(|(name, value)| {
            let why =
                explain_query::<OnePart<T>>([(PART.to_owned(), value.to_owned())].into_iter());
            why.replacen(PART, name, 1)
        });
        let why = why.unwrap_or_else(|| "a part is missing".to_owned());
        Err(invalid(
            StatusCode::BAD_REQUEST,
            format!("in the path: {why}"),
        ))
    }
}

/// The only part of a path, as an object with one field.
#[derive(serde::Deserialize)]
struct OnePart<T> {
    #[allow(dead_code, reason = "only read")]
    part: T,
}

/// The name of that field.
const PART: &str = "part";

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Upgrade, ApiError> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, state).await;
        upgrade.map(Upgrade).map_err(|why| {
            let sentence = "this address is a WebSocket, and the request does not ask for one";
            let error = ErrorCode::InvalidRequest.error(sentence);
            let fix =
                "open it with a client for WebSockets: `ws://` or `wss://` in place of `http`";
            ApiError::new(why.into_response().status(), error.fix(fix))
        })
    }
}
