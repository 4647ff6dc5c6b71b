//! The live stream: one WebSocket, topics by name.
//! A subscriber that does not read its messages is disconnected, and never delays others.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use axum::response::Response;
use protocol::robot::{StreamMessage, StreamQuery};
use protocol::{ErrorBody, ErrorCode};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

use super::extract::{QueryString, Upgrade};
use crate::access::Principal;
use crate::api_error::ApiError;
use crate::app::App;
use crate::streams::FRAME_INTERVAL;

/// How long a subscriber may take to accept a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// How often a subscriber's token is checked.
const TOKEN_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The live stream: JSON messages over a WebSocket. The first message names the rows of `all`.
#[utoipa::path(get, path = "/api/v2/stream", tag = "robot", params(StreamQuery),
    responses((status = 101, description = "messages with a `topic`"), (status = "default", body = ErrorBody)))]
pub async fn stream(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Principal>>,
    QueryString(wanted): QueryString<StreamQuery>,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, ApiError> {
    let unknown = wanted
        .topics
        .split(',')
        .find(|part| !["all", "guests", "events", "requests"].contains(part));
    if let Some(topic) = unknown {
        let error = ErrorCode::UnknownTopic.error(format!("there is no topic `{topic}`"));
        return Err(error.fix("there are: all, guests, events, requests").into());
    }
    if !(0.1..=100.0).contains(&wanted.hz) {
        return Err(ErrorCode::InvalidRate
            .error("the rate is out of range")
            .fix("0.1 to 100")
            .into());
    }
    let _turn = Arc::clone(&app.subscribers)
        .try_acquire_owned()
        .map_err(|_| {
            let error = ErrorCode::Busy.error("too many streams are open");
            ApiError::from(error.fix("close another stream"))
        })?;
    let has = |topic| wanted.topics.split(',').any(|part| part == topic);
    let subscriber = StreamSubscriber {
        labels: has("all").then(|| app.streams.labels()),
        all: has("all").then(|| app.streams.all()),
        guests: has("guests").then(|| app.streams.guests()),
        events: has("events").then(|| app.streams.events()),
        requests: has("requests").then(|| app.streams.requests()),
        each: Duration::from_secs_f64(1.0 / wanted.hz).max(FRAME_INTERVAL),
        token: who.and_then(|value| value.token),
        app,
        _turn,
    };
    let upgrade = upgrade
        .max_message_size(4096)
        .max_write_buffer_size(1 << 20);
    Ok(upgrade.on_upgrade(move |socket| subscriber.watch(socket)))
}

struct StreamSubscriber {
    labels: Option<Arc<str>>,
    all: Option<watch::Receiver<Arc<str>>>,
    guests: Option<watch::Receiver<Arc<str>>>,
    events: Option<broadcast::Receiver<Arc<str>>>,
    requests: Option<broadcast::Receiver<Arc<str>>>,
    each: Duration,
    app: Arc<App>,
    token: Option<u32>,
    _turn: tokio::sync::OwnedSemaphorePermit,
}

impl StreamSubscriber {
    async fn watch(mut self, mut socket: WebSocket) {
        // An error means that the subscriber has gone.
        let _ = self.feed(&mut socket).await;
    }

    fn has_access(&self) -> bool {
        let is_valid = |item| self.app.tokens().is_valid(item, self.app.now());
        self.token.is_none_or(is_valid)
    }

    async fn feed(&mut self, socket: &mut WebSocket) -> Result<(), ()> {
        if let Some(labels) = self.labels.take() {
            send(socket, &labels).await?;
        }
        let mut beat = tokio::time::interval(self.each);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        let mut looks = tokio::time::interval(TOKEN_CHECK_INTERVAL);
        loop {
            tokio::select! {
                // An expired or revoked token ends the stream.
                _ = looks.tick() => if !self.has_access() {
                    return Err(());
                },
                _ = beat.tick(), if self.all.is_some() => {
                    let fresh = self.all.as_mut().and_then(newest);
                    if let Some(text) = fresh {
                        send(socket, &text).await?;
                    }
                }
                Some(text) = changed(&mut self.guests) => send(socket, &text).await?,
                Some(text) = events(&mut self.events) => send(socket, &text).await?,
                Some(text) = events(&mut self.requests) => send(socket, &text).await?,
                message = socket.recv() => match message {
                    // The content of its messages does not matter.
                    Some(Ok(Message::Close(_))) | Some(Err(_)) | None => return Err(()),
                    Some(Ok(_)) => {}
                },
            }
        }
    }
}

/// The newest value, if it has changed since the last call.
fn newest(all: &mut watch::Receiver<Arc<str>>) -> Option<Arc<str>> {
    let has_changed = all.has_changed().unwrap_or(false);
    let text = has_changed.then(|| Arc::clone(&all.borrow_and_update()));
    text.filter(|text| !text.is_empty())
}

async fn changed(guests: &mut Option<watch::Receiver<Arc<str>>>) -> Option<Arc<str>> {
    let guests = guests.as_mut()?;
    guests.changed().await.ok()?;
    let text = Arc::clone(&guests.borrow_and_update());
    Some(text)
}

async fn events(events: &mut Option<broadcast::Receiver<Arc<str>>>) -> Option<Arc<str>> {
    match events.as_mut()?.recv().await {
        Ok(text) => Some(text),
        Err(RecvError::Lagged(lost)) => Some(StreamMessage::Lost { events: lost }.text()),
        Err(RecvError::Closed) => None,
    }
}

async fn send(socket: &mut WebSocket, text: &Arc<str>) -> Result<(), ()> {
    let message = Message::Text(Utf8Bytes::from(&**text));
    let sent = tokio::time::timeout(SEND_TIMEOUT, socket.send(message)).await;
    sent.map_err(|_| ())?.map_err(|_| ())
}
