//! Events between guests: a ring buffer of small messages.
//! Written by the loop alone; read by guests on any thread, and by whoever logs them.
//! Guests receive an event from the turn after its own; a guest that is too slow learns how many it missed.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::shared::answer::NONE;
use crate::shared::log_line::LineTime;
use crate::shared::terms::GuestId;
use crate::shared::topics::TopicTable;

/// Events that are kept.
pub(crate) const EVENTS: usize = 4096;

/// The poster of the robot's own events: guests are numbered from 1.
pub(crate) const ROBOT: GuestId = GuestId(0);

/// A place in the ring.
#[derive(Debug, Default)]
struct Cell {
    /// Its number, counted from 1; 0 while it is being written.
    number: AtomicU64,
    /// The poster, and the topic.
    labels: AtomicU64,
    value: AtomicU64,
    at: AtomicU64,
    turn: AtomicU64,
}

/// The ring.
#[derive(Debug)]
pub struct EventBus {
    cells: Box<[Cell]>,
    /// How many were ever posted.
    posted: AtomicU64,
    /// How many of them guests may read.
    heard: AtomicU64,
    /// How many events guests have posted, and how many of them guests may read.
    of_guests: AtomicU64,
    heard_of_guests: AtomicU64,
    /// This turn, and its instant.
    turn: AtomicU64,
    at: AtomicU64,
    pub(crate) topics: TopicTable,
}

/// An event as it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BusEvent {
    pub(crate) topic: u32,
    pub(crate) value: f64,
    /// Who posted it.
    pub(crate) by: GuestId,
    /// When.
    pub(crate) at: LineTime,
}

impl EventBus {
    pub(crate) fn new() -> EventBus {
        EventBus {
            cells: (0..EVENTS).map(|_| Cell::default()).collect(),
            posted: AtomicU64::new(0),
            heard: AtomicU64::new(0),
            of_guests: AtomicU64::new(0),
            heard_of_guests: AtomicU64::new(0),
            turn: AtomicU64::new(0),
            at: AtomicU64::new(0),
            topics: TopicTable::default(),
        }
    }

    /// Subscribes to a topic, and gives its number, which is the same for all guests. `subscribed` says of each topic
    /// whether the guest has subscribed to it. Outside the turn.
    pub(crate) fn subscribe(&self, name: &str, subscribed: &mut [bool]) -> u32 {
        let topic = self.topics.hold(name);
        match subscribed.get_mut(topic as usize) {
            Some(subscribed) if !*subscribed => *subscribed = true,
            // It has it already.
            _ => self.topics.release(topic),
        }
        topic
    }

    /// Ends the subscriptions of a guest that is gone; outside the turn.
    pub(crate) fn unsubscribe(&self, subscribed: &[bool]) {
        for (topic, _) in (0..).zip(subscribed).filter(|pair| *pair.1) {
            self.topics.release(topic);
        }
    }

    /// Posts an event; called by the loop alone.
    pub(crate) fn post(&self, topic: u32, value: f64, by: GuestId) {
        let number = self.posted.load(Ordering::Relaxed) + 1;
        let cell = &self.cells[number as usize % EVENTS];
        cell.number.store(0, Ordering::Relaxed);
        std::sync::atomic::fence(Ordering::Release);
        let labels = u64::from(by.0) << 32 | u64::from(topic);
        cell.labels.store(labels, Ordering::Relaxed);
        cell.value.store(value.to_bits(), Ordering::Relaxed);
        for (kept, now) in [(&cell.turn, &self.turn), (&cell.at, &self.at)] {
            kept.store(now.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        cell.number.store(number, Ordering::Release);
        if by != ROBOT {
            let before = self.of_guests.load(Ordering::Relaxed);
            self.of_guests.store(before + 1, Ordering::Relaxed);
        }
        self.posted.store(number, Ordering::Release);
    }

    /// Begins a turn: guests may now read what was posted before.
    pub(crate) fn turn(&self, at: LineTime) {
        self.turn.store(at.turn, Ordering::Relaxed);
        self.at.store(at.now, Ordering::Relaxed);
        let of_guests = self.of_guests.load(Ordering::Relaxed);
        self.heard_of_guests.store(of_guests, Ordering::Relaxed);
        self.heard
            .store(self.posted.load(Ordering::Relaxed), Ordering::Release);
    }

    /// How many events guests have posted before this turn: not those of the robot itself.
    pub(crate) fn of_guests(&self) -> u64 {
        self.heard_of_guests.load(Ordering::Relaxed)
    }

    /// How many events may be read by now; a new guest begins behind them.
    pub(crate) fn heard(&self) -> u64 {
        self.heard.load(Ordering::Acquire)
    }

    /// The next event after number `seen`, with its number.
    pub(crate) fn after(&self, seen: u64) -> Option<(u64, BusEvent)> {
        let heard = self.heard();
        if seen >= heard {
            return None;
        }
        // Overwritten events are missed. One cell is left for the writer.
        let mut number = (seen + 1).max((heard + 2).saturating_sub(EVENTS as u64));
        while number <= heard {
            let cell = &self.cells[number as usize % EVENTS];
            let before = cell.number.load(Ordering::Acquire);
            let labels = cell.labels.load(Ordering::Relaxed);
            let value = cell.value.load(Ordering::Relaxed);
            let turn = cell.turn.load(Ordering::Relaxed);
            let now = cell.at.load(Ordering::Relaxed);
            std::sync::atomic::fence(Ordering::Acquire);
            if before == number && cell.number.load(Ordering::Relaxed) == number {
                let event = BusEvent {
                    topic: u32::try_from(labels & u64::from(u32::MAX)).unwrap_or(NONE),
                    value: f64::from_bits(value),
                    by: GuestId((labels >> 32) as u32),
                    at: LineTime { now, turn },
                };
                return Some((number, event));
            }
            number += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{EVENTS, EventBus, ROBOT};
    use crate::shared::log_line::LineTime;
    use crate::shared::terms::GuestId;

    const NOW: LineTime = LineTime { now: 7, turn: 3 };

    #[test]
    fn an_event_is_heard_from_the_next_turn_on() {
        let bus = EventBus::new();
        let topic = bus.subscribe("clap", &mut []);
        bus.turn(NOW);
        bus.post(topic, 2.5, GuestId(9));
        assert_eq!(bus.after(0), None);
        bus.turn(LineTime { now: 8, turn: 4 });
        let (number, event) = bus.after(0).expect("it was posted");
        let told = (number, event.topic, event.value, event.by);
        assert_eq!(told, (1, topic, 2.5, GuestId(9)));
        assert_eq!((event.at.now, event.at.turn), (7, 3));
        assert_eq!(bus.after(1), None);
    }

    #[test]
    fn a_guest_that_is_too_slow_continues_with_the_events_that_are_stored() {
        let bus = EventBus::new();
        for number in 1..=EVENTS as u64 + 100 {
            bus.post(0, number as f64, ROBOT);
        }
        bus.turn(NOW);
        let (number, event) = bus.after(0).expect("there are many");
        assert_eq!(number as f64, event.value);
        assert!((100..200).contains(&number), "{number}");
    }

    #[test]
    fn a_subscription_is_counted_once_and_ends_with_its_guest() {
        let bus = EventBus::new();
        let mut subscribed = [false; 4];
        let topic = bus.subscribe("clap", &mut subscribed);
        assert_eq!(bus.subscribe("clap", &mut subscribed), topic);
        bus.unsubscribe(&subscribed);
        // Nobody has it now: when there is no other place left, it is named anew.
        let last = (0..1024).map(|i| bus.topics.hold(&i.to_string())).last();
        assert_eq!(last, Some(topic));
    }
}
