//! The loop's own requests over HTTP: one route for each kind. The body holds the request's fields, and the answer is
//! the loop's reply.
//! `protocol` decides what a kind needs. Requests and replies are passed on as they are.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::post;
use protocol::{
    Ask, ErrorCode, FieldsError, Need, ReplyBody, RequestKind, RequestProgress, WAIT_MAX_NS,
};

use super::authorized::AuthorizedRouter;
use super::extract::{expect_json, invalid, is_gzip, unread};
use super::long_body::read_long;
use super::loop_schemas::{LoopSchemas, path_of};
use crate::api_error::ApiError;
use crate::app::App;
use crate::plans::StartPlans;

/// How long a request that waits sleeps before it asks the loop again. With as many as may wait, this asks the loop
/// eight times in a turn of 10 ms, of the 32 times that it answers.
const POLL_INTERVAL: Duration = Duration::from_millis(40);

/// A route for each kind that may come over the network. The stop has one that nothing else can be in the way of.
pub(super) fn routes(mut router: AuthorizedRouter) -> AuthorizedRouter {
    let schemas = LoopSchemas::new();
    let components = router
        .router
        .get_openapi_mut()
        .components
        .get_or_insert_default();
    components.schemas.extend(schemas.components());
    for kind in RequestKind::ALL.iter().copied() {
        let Need::Remote(need) = kind.needs() else {
            continue;
        };
        if kind == RequestKind::Press {
            continue;
        }
        let handler = move |State(app): State<Arc<App>>, request: Request| ask(app, kind, request);
        router.add_post(&path_of(kind), need, schemas.describe(kind), post(handler));
    }
    router
}

async fn ask(
    app: Arc<App>,
    kind: RequestKind,
    request: Request,
) -> Result<Json<ReplyBody>, ApiError> {
    let reply = match read(kind, request).await? {
        Ask::Progress { tickets, wait_ns } if (1..=WAIT_MAX_NS).contains(&wait_ns) => {
            wait_for_end(&app, tickets, Duration::from_nanos(wait_ns)).await?
        }
        ask => {
            if matches!(ask, Ask::End { guest: None, .. }) {
                tokio::task::block_in_place(|| app.change_plans(StartPlans::drop_followers))?;
            }
            app.loop_client.ask(ask).await?
        }
    };
    if let ReplyBody::Taken(taken) = &reply
        && taken.followed
    {
        app.streams.follow(taken.ticket);
    }
    Ok(Json(reply))
}

/// Reads a request of this kind.
async fn read(kind: RequestKind, request: Request) -> Result<Ask, ApiError> {
    let headers = request.headers().clone();
    let ask = if matches!(kind, RequestKind::Move | RequestKind::Schedule) {
        expect_json(&headers)?;
        read_long(request, move |fields| read_fields(kind, fields)).await?
    } else {
        let body = Bytes::from_request(request, &()).await;
        let fields = body.map_err(|why| unread(why.into_response().status()))?;
        expect_fields(&headers, &fields)?;
        read_fields(kind, &fields)?
    };
    match ask {
        Ask::Move { packed: 1.., .. } | Ask::Schedule { packed: 1.., .. } => {
            let error = ErrorCode::InvalidRequest.error("no packed bytes follow a request here");
            Err(error
                .fix("send them to `/api/v2/body/schedule`, or as `values` or `lists`")
                .into())
        }
        ask => Ok(ask),
    }
}

fn expect_fields(headers: &HeaderMap, fields: &[u8]) -> Result<(), ApiError> {
    if fields.is_empty() {
        return Ok(());
    }
    expect_json(headers)?;
    if is_gzip(headers)? {
        let sentence = "this request may not be compressed".to_owned();
        return Err(invalid(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }
    Ok(())
}

fn read_fields(kind: RequestKind, fields: &[u8]) -> Result<Ask, ApiError> {
    kind.read(fields).map_err(|FieldsError { error, is_json }| {
        let status = match is_json {
            true => StatusCode::UNPROCESSABLE_ENTITY,
            false => StatusCode::BAD_REQUEST,
        };
        ApiError::new(status, error)
    })
}

/// Waits until all requests to move have ended, or this time is over. Meanwhile it keeps no connection to the loop.
async fn wait_for_end(app: &App, tickets: Vec<u32>, time: Duration) -> Result<ReplyBody, ApiError> {
    let _turn = app.waiters.try_acquire().map_err(|_| {
        let error = ErrorCode::Busy.error("too many requests wait for the end of a motion");
        error.fix("ask again in a second, or use the stream's topic `requests`")
    })?;
    let until = Instant::now() + time;
    loop {
        let ask = Ask::Progress {
            tickets: tickets.clone(),
            wait_ns: 0,
        };
        let found: Vec<RequestProgress> = app.loop_client.get(ask).await?;
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || found.iter().all(|request| request.end.is_some()) {
            return Ok(ReplyBody::Progress(found));
        }
        tokio::time::sleep(POLL_INTERVAL.min(left)).await;
    }
}
