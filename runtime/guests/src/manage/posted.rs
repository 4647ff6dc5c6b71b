//! What guests and the robot have posted to the bus, for the log.
//! Read by whoever writes the log, beside the lines of guests.
//! A guest that posts without end does not fill the log, and takes no place from others, least of all from the
//! robot's own events, for which plans wait. What was left out is counted.

use std::collections::HashMap;
use std::sync::Arc;

use crate::shared::command_buffer::Item;
use crate::shared::event_bus::{EventBus, ROBOT};
use crate::shared::line_limit::LineLimit;
use crate::shared::terms::GuestId;
use crate::shared::topics;

/// Events of one guest that are logged at once, and in each second of the robot's time, for long; and as many that the
/// robot tells of it.
const BURST: f64 = 200.0;
const RATE: f64 = 50.0;

/// The same of all guests together, without what the robot tells.
const ALL_BURST: f64 = 400.0;
const ALL_RATE: f64 = 100.0;

/// How often it is told that some are not logged, ns of the robot's time.
const TOLD_EVERY: u64 = 1_000_000_000;

/// How many guests are told apart; there are fewer at the same time.
const SOURCES_MAX: usize = 1024;

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

/// The names of the topics to which guests post. A recording keeps them, for numbers are given as guests ask for them.
#[derive(Clone, Debug)]
pub struct TopicNames(pub(super) Arc<EventBus>);

impl TopicNames {
    /// The topic to which this item of a score posts: its number and its name.
    pub fn of_item(&self, item: [u64; 4]) -> Option<(u32, String)> {
        match Item::of(item) {
            Some(Item::Post { topic, .. }) => Some((topic, self.0.topics.name(topic)?)),
            _ => None,
        }
    }
}

/// How far the bus was read for the log.
#[derive(Debug)]
pub(crate) struct PostedLog {
    seen: u64,
    /// By the guest, and whether the robot tells of it.
    limits: HashMap<(Option<String>, bool), LineLimit>,
    all: LineLimit,
    lost: u64,
    /// When that was told last.
    told: u64,
}

impl Default for PostedLog {
    fn default() -> Self {
        PostedLog {
            seen: 0,
            limits: HashMap::new(),
            all: LineLimit::new(ALL_BURST, ALL_RATE),
            lost: 0,
            told: 0,
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
            // A topic may have been given up since.
            let Some(topic) = bus.topics.name(event.topic) else {
                continue;
            };
            let is_own = event.by == ROBOT;
            let guest = if is_own {
                topics::guest_of(&topic).map(str::to_owned)
            } else {
                name_of(event.by)
            };
            let now = event.at.now;
            if !self.has_room(&guest, is_own, now) {
                self.lost += 1;
                continue;
            }
            let is_told = self.lost > 0 && now.saturating_sub(self.told) >= TOLD_EVERY;
            let mut lost = 0;
            if is_told {
                (lost, self.lost, self.told) = (self.lost, 0, now);
            }
            return Some(PostedEvent {
                guest,
                is_own,
                topic,
                value: event.value,
                now,
                turn: event.at.turn,
                lost,
            });
        }
    }

    /// Whether an event of this guest, or about it, is logged at this instant.
    fn has_room(&mut self, guest: &Option<String>, is_own: bool, now: u64) -> bool {
        if self.limits.len() >= SOURCES_MAX {
            self.limits.clear();
        }
        let limit = self.limits.entry((guest.clone(), is_own));
        let limit = limit.or_insert_with(|| LineLimit::new(BURST, RATE));
        limit.take(now, true).0 && (is_own || self.all.take(now, true).0)
    }
}
