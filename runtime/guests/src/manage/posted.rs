//! What guests and the robot have posted to the bus, for the log.
//! Read by whoever writes the log, beside the lines of guests.
//! The law: a guest that posts without end does not fill the log; what was left out is counted.

use crate::shared::event_bus::{EventBus, ROBOT};
use crate::shared::line_limit::LineLimit;
use crate::shared::terms::GuestId;
use crate::shared::topics;

/// Events that are logged at once, and in each second of the robot's time, for long.
const BURST: f64 = 200.0;
const RATE: f64 = 50.0;

/// An event of the bus.
#[derive(Clone, Debug, PartialEq)]
pub struct PostedEvent {
    /// The guest that posted it, or of which the robot tells.
    pub guest: Option<String>,
    /// Whether the robot posted it.
    pub is_own: bool,
    /// Its topic.
    pub topic: String,
    /// Its value.
    pub value: f64,
    /// The robot's time, ns.
    pub now: u64,
    /// The turn.
    pub turn: u64,
    /// How many events before it are not logged.
    pub lost: u64,
}

/// How far the bus was read for the log.
#[derive(Debug)]
pub(crate) struct PostedLog {
    seen: u64,
    limit: LineLimit,
    lost: u64,
}

impl Default for PostedLog {
    fn default() -> Self {
        PostedLog {
            seen: 0,
            limit: LineLimit::new(BURST, RATE),
            lost: 0,
        }
    }
}

impl PostedLog {
    /// The next event that was posted since this was asked last; `name_of` gives the name of a guest.
    pub(crate) fn next(
        &mut self,
        bus: &EventBus,
        name_of: impl Fn(GuestId) -> Option<String>,
    ) -> Option<PostedEvent> {
        loop {
            let (number, event) = bus.after(self.seen)?;
            self.lost += number - self.seen - 1;
            self.seen = number;
            let (is_taken, lost) = self.limit.take(event.at.now, true);
            // A topic may have been given up since.
            let (true, Some(topic)) = (is_taken, bus.topics.name(event.topic)) else {
                continue;
            };
            let is_own = event.by == ROBOT;
            let guest = if is_own {
                topics::guest_of(&topic).map(str::to_owned)
            } else {
                name_of(event.by)
            };
            return Some(PostedEvent {
                guest,
                is_own,
                topic,
                value: event.value,
                now: event.at.now,
                turn: event.at.turn,
                lost: lost + std::mem::take(&mut self.lost),
            });
        }
    }
}
