//! Events between guests: a ring buffer of small messages, and the numbers of topics.
//! Written by the loop alone, read by guests on any thread.
//! The law: guests receive an event from the turn after its own; a guest that is too slow learns how many it missed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::shared::answer::NONE;

/// Events that are kept.
pub(crate) const EVENTS: usize = 4096;

/// The beginning of the topics that tell the end of guests.
pub(crate) const ENDED: &str = "ended/";

/// The greatest number of topics of guests, of those that tell ends, and of all.
pub(crate) const TOPICS: usize = 1024;
const ENDS: usize = 256;
pub(crate) const ALL_TOPICS: usize = TOPICS + ENDS;

/// A place in the ring.
#[derive(Debug, Default)]
struct Cell {
    /// Its number, counted from 1; 0 while it is being written.
    number: AtomicU64,
    topic: AtomicU64,
    value: AtomicU64,
}

/// The ring.
#[derive(Debug)]
pub struct EventBus {
    cells: Box<[Cell]>,
    /// How many were ever posted.
    posted: AtomicU64,
    /// How many of them guests may read.
    heard: AtomicU64,
    topics: Mutex<Vec<Topic>>,
    /// The topics to which the robot alone posts.
    reserved: Box<[AtomicBool]>,
}

/// A topic, and how many guests have subscribed to it.
#[derive(Debug)]
struct Topic {
    name: String,
    subscribers: u32,
}

/// An event as a guest reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BusEvent {
    pub(crate) topic: u32,
    pub(crate) value: f64,
}

impl EventBus {
    pub(crate) fn new() -> EventBus {
        EventBus {
            cells: (0..EVENTS).map(|_| Cell::default()).collect(),
            posted: AtomicU64::new(0),
            heard: AtomicU64::new(0),
            topics: Mutex::default(),
            reserved: (0..ALL_TOPICS).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Subscribes to a topic, and gives its number, which is the same for all guests. `subscribed` says of each topic
    /// whether the guest has subscribed to it. Outside the turn.
    pub(crate) fn topic(&self, name: &str, subscribed: &mut [bool]) -> u32 {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let place = find_or_add(&mut topics, name);
        let Some(place) = place else { return NONE };
        self.reserve(place, name);
        if let Some(subscribed) = subscribed.get_mut(place)
            && !std::mem::replace(subscribed, true)
        {
            topics[place].subscribers += 1;
        }
        u32::try_from(place).unwrap_or(NONE)
    }

    /// The number of a topic that the loop will post to, until it is released; outside the turn.
    pub(crate) fn hold(&self, name: &str) -> u32 {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = find_or_add(&mut topics, name) else {
            return NONE;
        };
        topics[place].subscribers += 1;
        self.reserve(place, name);
        u32::try_from(place).unwrap_or(NONE)
    }

    /// Whether guests may not post to this topic: the robot itself does.
    pub(crate) fn is_reserved(&self, topic: u32) -> bool {
        let reserved = self.reserved.get(topic as usize);
        reserved.is_some_and(|it| it.load(Ordering::Relaxed))
    }

    fn reserve(&self, place: usize, name: &str) {
        if let Some(reserved) = self.reserved.get(place) {
            reserved.store(name.starts_with(ENDED), Ordering::Relaxed);
        }
    }

    /// The loop will not post to this topic any more; outside the turn.
    pub(crate) fn release(&self, place: u32) {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(topic) = topics.get_mut(place as usize) {
            topic.subscribers = topic.subscribers.saturating_sub(1);
        }
    }

    /// Ends the subscriptions of a guest that is gone; outside the turn.
    pub(crate) fn unsubscribe(&self, heard: &[bool]) {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        for (topic, _) in topics.iter_mut().zip(heard).filter(|it| *it.1) {
            topic.subscribers = topic.subscribers.saturating_sub(1);
        }
    }

    /// All topics with their numbers; outside the turn.
    pub fn topics(&self) -> Vec<(String, u32)> {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let named = topics.iter().map(|it| it.name.clone());
        named.zip(0..).collect()
    }

    /// Posts an event; called by the loop alone.
    pub(crate) fn post(&self, topic: u32, value: f64) {
        let number = self.posted.load(Ordering::Relaxed) + 1;
        let cell = &self.cells[number as usize % EVENTS];
        cell.number.store(0, Ordering::Relaxed);
        std::sync::atomic::fence(Ordering::Release);
        cell.topic.store(u64::from(topic), Ordering::Relaxed);
        cell.value.store(value.to_bits(), Ordering::Relaxed);
        cell.number.store(number, Ordering::Release);
        self.posted.store(number, Ordering::Release);
    }

    /// Begins a turn: guests may now read what was posted before.
    pub(crate) fn turn(&self) {
        self.heard
            .store(self.posted.load(Ordering::Relaxed), Ordering::Release);
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
            let topic = cell.topic.load(Ordering::Relaxed);
            let value = cell.value.load(Ordering::Relaxed);
            std::sync::atomic::fence(Ordering::Acquire);
            if before == number && cell.number.load(Ordering::Relaxed) == number {
                let topic = u32::try_from(topic).unwrap_or(NONE);
                let value = f64::from_bits(value);
                return Some((number, BusEvent { topic, value }));
            }
            number += 1;
        }
        None
    }
}

/// The place of the topic of this name. A new one gets a new place, or that of a topic of its kind without subscribers.
fn find_or_add(topics: &mut Vec<Topic>, name: &str) -> Option<usize> {
    let known = topics.iter().position(|it| it.name == name);
    known.or_else(|| {
        let topic = Topic {
            name: name.to_owned(),
            subscribers: 0,
        };
        let is_end = name.starts_with(ENDED);
        let same = |it: &Topic| it.name.starts_with(ENDED) == is_end;
        let most = if is_end { ENDS } else { TOPICS };
        if topics.iter().filter(|it| same(it)).count() < most {
            topics.push(topic);
            return Some(topics.len() - 1);
        }
        // There is no free number: one of a topic without subscribers is used again.
        let free = topics
            .iter()
            .position(|it| same(it) && it.subscribers == 0)?;
        topics[free] = topic;
        Some(free)
    })
}

#[cfg(test)]
mod tests {
    use super::{BusEvent, EVENTS, EventBus, TOPICS};
    use crate::shared::answer::NONE;

    #[test]
    fn an_event_is_heard_from_the_next_turn_on() {
        let bus = EventBus::new();
        let topic = bus.topic("clap", &mut []);
        bus.post(topic, 2.5);
        assert_eq!(bus.after(0), None);
        bus.turn();
        assert_eq!(bus.after(0), Some((1, BusEvent { topic, value: 2.5 })));
        assert_eq!(bus.after(1), None);
    }

    #[test]
    fn a_guest_that_is_too_slow_continues_with_the_events_that_are_stored() {
        let bus = EventBus::new();
        for number in 1..=EVENTS as u64 + 100 {
            bus.post(0, number as f64);
        }
        bus.turn();
        let (number, event) = bus.after(0).expect("there are many");
        assert_eq!(number as f64, event.value);
        assert!((100..200).contains(&number), "{number}");
    }

    #[test]
    fn topics_have_one_number_each_and_an_end() {
        let bus = EventBus::new();
        let (mut one, mut other) = ([false; TOPICS], [false; TOPICS]);
        for place in 0..TOPICS {
            assert_eq!(bus.topic(&place.to_string(), &mut one), place as u32);
        }
        assert_eq!(bus.topic("7", &mut other), 7);
        assert_eq!(bus.topic("one more", &mut other), NONE);
        // Those of which nobody subscribed any more are named anew; the others stay.
        bus.unsubscribe(&one);
        assert_eq!(bus.topic("7", &mut other), 7);
        assert_eq!(bus.topic("one more", &mut other), 0);
        assert!(other[0] && other[7] && other.iter().filter(|it| **it).count() == 2);
    }
}
