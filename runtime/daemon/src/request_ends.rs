//! Follows the requests to move that this server has passed on, and tells the stream's subscribers how they end.
//! Polled by the thread that polls the loop for events. The list is limited, and subscribers are told if one
//! had no room.

use std::sync::{Arc, Mutex};

use network::lock;
use protocol::robot::StreamMessage;
use protocol::{Ask, CallError, Caller, RequestProgress, TICKETS_MAX};
use tokio::sync::broadcast;
use viewers::Events;

/// How many requests are followed at most.
const FOLLOWED_MAX: usize = 1024;

/// The number of messages that are buffered for a slow subscriber.
const BACKLOG: usize = 1024;

/// The requests that have not ended, and who is told when they do.
#[derive(Debug)]
pub(crate) struct RequestEnds {
    messages: broadcast::Sender<Arc<str>>,
    /// By number.
    followed: Mutex<Vec<u32>>,
}

impl Default for RequestEnds {
    fn default() -> RequestEnds {
        RequestEnds {
            messages: broadcast::Sender::new(BACKLOG),
            followed: Mutex::default(),
        }
    }
}

impl RequestEnds {
    /// A receiver of their ends.
    pub(crate) fn subscribe(&self) -> Events {
        self.messages.subscribe()
    }

    /// Follows a request, if anybody has subscribed.
    pub(crate) fn follow(&self, ticket: u32) {
        if self.messages.receiver_count() == 0 {
            return;
        }
        let mut followed = lock(&self.followed);
        if followed.len() < FOLLOWED_MAX {
            followed.push(ticket);
        } else {
            self.send(&StreamMessage::Lost { events: 1 });
        }
    }

    /// Tells which requests have ended.
    pub(crate) fn poll(&self, caller: &mut Caller) -> Result<(), CallError> {
        let followed = lock(&self.followed).clone();
        let mut ended = Vec::new();
        for tickets in followed.chunks(TICKETS_MAX) {
            let ask = Ask::Progress {
                tickets: tickets.to_vec(),
                wait_ns: 0,
            };
            let found: Vec<RequestProgress> = caller.get(ask)?;
            ended.extend(found.into_iter().filter(|request| request.end.is_some()));
        }
        if !ended.is_empty() {
            let is_live = |n: &u32| ended.iter().all(|ended| ended.ticket != *n);
            lock(&self.followed).retain(is_live);
        }
        for item in ended {
            self.send(&StreamMessage::Request(item));
        }
        Ok(())
    }

    fn send(&self, message: &StreamMessage) {
        // It fails only if there are no subscribers.
        let _ = self.messages.send(message.text());
    }
}
