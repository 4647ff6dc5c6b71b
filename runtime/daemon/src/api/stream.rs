//! The live stream: one WebSocket, topics by name.
//! The law: a watcher that does not take what it is sent is let go, and costs nobody anything until then.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use socket::Trouble;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use utoipa::IntoParams;

use super::fault::{ErrorBody, Fault};
use crate::access::Who;
use crate::app::App;
use crate::streams::EACH;

/// How long a watcher may take to accept a message.
const SLOW: Duration = Duration::from_secs(5);

/// How often a watcher's token is looked at.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// What is wanted.
#[derive(Debug, Deserialize, IntoParams)]
pub struct Wanted {
    /// `all` (every actuator, sensor and board), `guests`, `events`; several with commas.
    #[serde(default = "everything")]
    pub topics: String,
    /// Frames of `all` in a second, at most 100.
    #[serde(default = "rate")]
    pub hz: f64,
}

fn everything() -> String {
    "all,guests,events".to_owned()
}

fn rate() -> f64 {
    20.0
}

/// What happens, live, as JSON messages over a WebSocket. The first one names the rows of `all`.
#[utoipa::path(get, path = "/api/v1/stream", security(("token" = ["watch"])), tag = "robot", params(Wanted),
    responses((status = 101, description = "messages with a `topic`"), (status = "default", body = ErrorBody)))]
pub async fn stream(
    State(app): State<Arc<App>>,
    Extension(who): Extension<Option<Who>>,
    Query(wanted): Query<Wanted>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Fault> {
    let unknown = wanted
        .topics
        .split(',')
        .find(|it| !["all", "guests", "events"].contains(it));
    if let Some(topic) = unknown {
        let trouble = Trouble::new("topic", format!("there is no topic `{topic}`"));
        return Err(trouble.fix("there are: all, guests, events").into());
    }
    if !(0.1..=100.0).contains(&wanted.hz) {
        return Err(Trouble::new("hz", "that is no rate")
            .fix("0.1 to 100")
            .into());
    }
    let _turn = Arc::clone(&app.watchers).try_acquire_owned().map_err(|_| {
        let trouble = Trouble::new("busy", "too many watch already");
        Fault::from(trouble.fix("close another"))
    })?;
    let has = |topic| wanted.topics.split(',').any(|it| it == topic);
    let watcher = Watcher {
        labels: has("all").then(|| app.streams.labels()),
        all: has("all").then(|| app.streams.all()),
        guests: has("guests").then(|| app.streams.guests()),
        events: has("events").then(|| app.streams.happened()),
        each: Duration::from_secs_f64(1.0 / wanted.hz).max(EACH),
        token: who.and_then(|it| it.token),
        app,
        _turn,
    };
    let upgrade = upgrade
        .max_message_size(4096)
        .max_write_buffer_size(1 << 20);
    Ok(upgrade.on_upgrade(move |socket| watcher.watch(socket)))
}

struct Watcher {
    labels: Option<Arc<str>>,
    all: Option<watch::Receiver<Arc<str>>>,
    guests: Option<watch::Receiver<Arc<str>>>,
    events: Option<broadcast::Receiver<Arc<str>>>,
    each: Duration,
    app: Arc<App>,
    token: Option<u32>,
    _turn: tokio::sync::OwnedSemaphorePermit,
}

impl Watcher {
    async fn watch(mut self, mut socket: WebSocket) {
        // Whoever goes away in the middle concerns nobody else.
        let _ = self.feed(&mut socket).await;
    }

    fn is_let_in(&self) -> bool {
        let holds = |it| self.app.tokens().holds(it, self.app.now());
        self.token.is_none_or(holds)
    }

    async fn feed(&mut self, socket: &mut WebSocket) -> Result<(), ()> {
        if let Some(labels) = self.labels.take() {
            send(socket, &labels).await?;
        }
        let mut beat = tokio::time::interval(self.each);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        let mut looks = tokio::time::interval(POLL_INTERVAL);
        loop {
            tokio::select! {
                // A token that ends, or is taken back, shows nothing any more.
                _ = looks.tick() => if !self.is_let_in() {
                    return Err(());
                },
                _ = beat.tick(), if self.all.is_some() => {
                    let fresh = self.all.as_mut().and_then(news);
                    if let Some(text) = fresh {
                        send(socket, &text).await?;
                    }
                }
                Some(text) = changed(&mut self.guests) => send(socket, &text).await?,
                Some(text) = happened(&mut self.events) => send(socket, &text).await?,
                message = socket.recv() => match message {
                    // Only its going matters.
                    Some(Ok(Message::Close(_))) | Some(Err(_)) | None => return Err(()),
                    Some(Ok(_)) => {}
                },
            }
        }
    }
}

/// What has changed since it was looked at, if anything has.
fn news(all: &mut watch::Receiver<Arc<str>>) -> Option<Arc<str>> {
    let has_changed = all.has_changed().unwrap_or(false);
    let text = has_changed.then(|| Arc::clone(&all.borrow_and_update()));
    text.filter(|it| !it.is_empty())
}

async fn changed(guests: &mut Option<watch::Receiver<Arc<str>>>) -> Option<Arc<str>> {
    let guests = guests.as_mut()?;
    guests.changed().await.ok()?;
    let text = Arc::clone(&guests.borrow_and_update());
    Some(text)
}

async fn happened(events: &mut Option<broadcast::Receiver<Arc<str>>>) -> Option<Arc<str>> {
    match events.as_mut()?.recv().await {
        Ok(text) => Some(text),
        Err(RecvError::Lagged(lost)) => {
            let text = serde_json::json!({ "topic": "lost", "events": lost }).to_string();
            Some(Arc::from(text))
        }
        Err(RecvError::Closed) => None,
    }
}

async fn send(socket: &mut WebSocket, text: &Arc<str>) -> Result<(), ()> {
    let message = Message::Text(Utf8Bytes::from(&**text));
    let sent = tokio::time::timeout(SLOW, socket.send(message)).await;
    sent.map_err(|_| ())?.map_err(|_| ())
}
