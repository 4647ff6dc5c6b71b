//! What a planned start waits for: the end of a guest, or an event that guests or the robot post.
//! Used by `start`, and by the route that makes plans.
//! What has failed is followed by nobody; what nobody can know any more counts as missed.

use std::time::Duration;

use protocol::robot::StreamMessage;
use protocol::{Ask, ErrorCode, Guest};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout};
use viewers::Events;

use crate::api_error::ApiError;
use crate::app::App;
use crate::plans::AwaitedGuest;

/// How often the guests are looked at.
const STEP: Duration = Duration::from_millis(50);

/// How long after its guest's end an event may still come: a movement settles in this time, or not.
const LAST_EVENTS: Duration = Duration::from_secs(5);

/// The longest topic, bytes.
const TOPIC_MAX: usize = 255;

/// How what a plan waits for has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AwaitedEnd {
    /// A guest by itself, or because somebody stopped it; or the event came.
    Well,
    /// By a fault of its own; or it did not settle.
    Failed,
    /// While the body had no force: whoever arms it then expects no motion.
    WithoutForce,
    /// Nobody knows: the loop was started again, or the event cannot come any more.
    Unknown,
}

/// Waits until a guest has ended or an event has come, or the plan was cancelled. A body that loses its force drops the
/// plan, as in `start`.
pub(crate) async fn wait(
    app: &App,
    plan: u32,
    awaited: &AwaitedGuest,
    mut had_force: bool,
) -> AwaitedEnd {
    let mut events = app.streams.events();
    let mut gone_since = None;
    loop {
        if app.streams.run() != awaited.run {
            return AwaitedEnd::Unknown;
        }
        let has_force = app.streams.has_force();
        if had_force && has_force == Some(false) {
            return AwaitedEnd::WithoutForce;
        }
        had_force |= has_force == Some(true);
        let guest = if awaited.name.is_empty() {
            None
        } else {
            end_of(app, awaited).await
        };
        match (&awaited.event, guest) {
            (None, Some(end)) => return end,
            (Some(_), Some(AwaitedEnd::Failed)) => return AwaitedEnd::Failed,
            (Some(_), Some(_))
                if gone_since.get_or_insert_with(Instant::now).elapsed() > LAST_EVENTS =>
            {
                return AwaitedEnd::Unknown;
            }
            _ => {}
        }
        if app.plans().list().iter().all(|item| item.number != plan) {
            return AwaitedEnd::Unknown;
        }
        match &awaited.event {
            None => tokio::time::sleep(STEP).await,
            Some(topic) => {
                let came = timeout(STEP, next_of(&mut events, topic)).await;
                if let Ok(Some(end)) = came {
                    return end;
                }
            }
        }
    }
}

/// How this guest has ended; nothing while it plays, or the loop does not answer.
async fn end_of(app: &App, awaited: &AwaitedGuest) -> Option<AwaitedEnd> {
    let Ok(guests) = app.loop_client.get::<Vec<Guest>>(Ask::Guests).await else {
        return None;
    };
    // A version that has replaced it has its name.
    let is_it = |guest: &&Guest| {
        guest.id == awaited.id
            || (guest.id > awaited.id && guest.name == awaited.name && guest.life != "gone")
    };
    match guests.iter().filter(is_it).max_by_key(|guest| guest.id) {
        Some(guest) if guest.life != "gone" => None,
        Some(guest) if guest.fault => Some(AwaitedEnd::Failed),
        Some(_) => Some(AwaitedEnd::Well),
        None => Some(AwaitedEnd::Unknown),
    }
}

/// Waits for an event of this topic, or for the one that tells that it will not come. Nothing: there are no more.
async fn next_of(events: &mut Events, topic: &str) -> Option<AwaitedEnd> {
    loop {
        let text = match events.recv().await {
            Ok(text) => text,
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return None,
        };
        let Ok(StreamMessage::Event(entry)) = serde_json::from_str(&text) else {
            continue;
        };
        let posted = entry.fields.get("topic").and_then(|field| field.as_str());
        match posted.filter(|_| entry.event == "posted") {
            Some(posted) if posted == topic => return Some(AwaitedEnd::Well),
            Some(posted)
                if posted.strip_prefix("un") == Some(topic) && topic.starts_with("settled/") =>
            {
                return Some(AwaitedEnd::Failed);
            }
            _ => {}
        }
    }
}

/// What a plan waits for, by its name: a topic has a `/`, everything else is a guest's name or number.
///
/// # Errors
/// There is no such guest, or the topic is too long.
pub(crate) async fn awaited(app: &App, named: &str) -> Result<AwaitedGuest, ApiError> {
    let run = app.streams.run();
    let Some((word, rest)) = named.split_once('/') else {
        return guest_of(app, named, None).await;
    };
    if named.len() > TOPIC_MAX {
        let error = ErrorCode::NotFound.error(format!("no topic has more than {TOPIC_MAX} bytes"));
        return Err(error.fix("give a shorter one").into());
    }
    match word {
        "ended" => guest_of(app, rest, None).await,
        "arrived" | "settled" | "unsettled" => guest_of(app, rest, Some(word)).await,
        // A guest that is to start does not play yet.
        _ => Ok(AwaitedGuest {
            id: 0,
            name: String::new(),
            event: Some(named.to_owned()),
            run,
        }),
    }
}

/// A guest that plays, by its name or number; and the event that tells this of it.
async fn guest_of(app: &App, named: &str, word: Option<&str>) -> Result<AwaitedGuest, ApiError> {
    let guests: Vec<Guest> = app.loop_client.get(Ask::Guests).await?;
    let is_it = |guest: &&Guest| guest.name == named || guest.id.to_string() == named;
    let found = guests
        .iter()
        .filter(is_it)
        .find(|guest| guest.life != "gone");
    match found {
        Some(guest) => Ok(AwaitedGuest {
            id: guest.id,
            name: guest.name.clone(),
            event: word.map(|word| format!("{word}/{}", guest.name)),
            run: app.streams.run(),
        }),
        None => {
            let error = ErrorCode::NotFound.error(format!("no guest `{named}` plays"));
            Err(error.fix("`dcm-run ps` lists those that play").into())
        }
    }
}
