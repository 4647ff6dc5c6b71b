//! Requests that another runtime answers: the handler runs there, and so does what makes the pieces of a long body.
//! `listen` uses it for all requests but the stop. When a connection ends, so does the work for it.

use std::convert::Infallible;
use std::io;

use axum::body::{Body, HttpBody};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::unfold;
use tokio::runtime::Handle;
use tokio::sync::mpsc::channel;
use tokio::task::JoinSet;

/// The answer, which is worked out in the runtime `work`.
pub(super) async fn answer_in(
    work: &Handle,
    answered: impl Future<Output = Result<Response, Infallible>> + Send + 'static,
) -> Response {
    // Dropping the set aborts its task.
    let mut task = JoinSet::new();
    task.spawn_on(answered, work);
    match task.join_next().await {
        Some(Ok(Ok(response))) => response.map(|body| body_in(work, body)),
        // The handler panicked, and the panic is in the log.
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The body, whose pieces are made in the runtime `work` if they are not all there yet.
fn body_in(work: &Handle, body: Body) -> Body {
    if body.size_hint().exact().is_some() {
        return body;
    }
    let (sender, receiver) = channel(1);
    work.spawn(async move {
        let mut pieces = body.into_data_stream();
        loop {
            let piece = tokio::select! {
                piece = pieces.next() => piece,
                () = sender.closed() => return,
            };
            let is_end = piece.is_none();
            let piece = piece.map(|piece| piece.map_err(io::Error::other));
            if sender.send(piece).await.is_err() || is_end {
                return;
            }
        }
    });
    Body::from_stream(unfold(Some(receiver), |receiver| async {
        let mut receiver = receiver?;
        match receiver.recv().await {
            Some(piece) => Some((piece?, Some(receiver))),
            // What made it has ended before its end.
            None => Some((Err(io::ErrorKind::UnexpectedEof.into()), None)),
        }
    }))
}
