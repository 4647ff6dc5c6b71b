//! Small messages between guests: a ring of events, and the topics' numbers.
//! Written by the loop alone, read by guests on any thread.
//! The law: an event is heard from the turn after its own on; who is too slow is told what it missed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::scene::NONE;

/// Events that are kept.
pub(crate) const EVENTS: usize = 4096;

/// Topics that there may be.
pub(crate) const TOPICS: usize = 1024;

/// Topics that one guest may make.
const TOPICS_PER_GUEST: u32 = 64;

/// One event, as it is kept.
#[derive(Debug, Default)]
struct Cell {
    /// Its number, counted from 1; 0 while it is being written.
    number: AtomicU64,
    topic: AtomicU64,
    value: AtomicU64,
}

/// The ring.
#[derive(Debug)]
pub struct Bus {
    cells: Box<[Cell]>,
    /// How many were ever posted.
    posted: AtomicU64,
    /// How many of them are heard.
    heard: AtomicU64,
    topics: Mutex<HashMap<String, u32>>,
}

/// What a listener finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) topic: u32,
    pub(crate) value: f64,
}

impl Bus {
    pub(crate) fn new() -> Bus {
        Bus {
            cells: (0..EVENTS).map(|_| Cell::default()).collect(),
            posted: AtomicU64::new(0),
            heard: AtomicU64::new(0),
            topics: Mutex::default(),
        }
    }

    /// The topic's number, which is the same for everybody; outside the turn. `made` is how many topics
    /// whoever asks has made: nobody takes the room of all others.
    pub(crate) fn topic(&self, name: &str, made: &mut u32) -> u32 {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = topics.get(name) {
            return *known;
        }
        let number = topics.len();
        if number >= TOPICS || *made >= TOPICS_PER_GUEST {
            return NONE;
        }
        let number = u32::try_from(number).unwrap_or(NONE);
        topics.insert(name.to_owned(), number);
        *made += 1;
        number
    }

    /// The topics there are, with their numbers; outside the turn.
    pub fn topics(&self) -> Vec<(String, u32)> {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = topics
            .iter()
            .map(|(name, it)| (name.clone(), *it))
            .collect();
        all.sort_by_key(|it| it.1);
        all
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

    /// A new turn: what was posted until now is heard.
    pub(crate) fn turn(&self) {
        self.heard
            .store(self.posted.load(Ordering::Relaxed), Ordering::Release);
    }

    /// How many events are heard by now: where a newcomer begins.
    pub(crate) fn heard(&self) -> u64 {
        self.heard.load(Ordering::Acquire)
    }

    /// The event after the one of number `seen`, with its number.
    pub(crate) fn after(&self, seen: u64) -> Option<(u64, Event)> {
        let heard = self.heard();
        if seen >= heard {
            return None;
        }
        // What has been overwritten is missed; one cell is left for the writer.
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
                return Some((number, Event { topic, value }));
            }
            number += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Bus, EVENTS, Event, TOPICS};
    use crate::scene::NONE;

    #[test]
    fn an_event_is_heard_from_the_next_turn_on() {
        let bus = Bus::new();
        let topic = bus.topic("clap", &mut 0);
        bus.post(topic, 2.5);
        assert_eq!(bus.after(0), None);
        bus.turn();
        assert_eq!(bus.after(0), Some((1, Event { topic, value: 2.5 })));
        assert_eq!(bus.after(1), None);
    }

    #[test]
    fn who_is_too_slow_goes_on_with_what_is_kept() {
        let bus = Bus::new();
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
        let bus = Bus::new();
        for place in 0..TOPICS {
            assert_eq!(bus.topic(&place.to_string(), &mut 0), place as u32);
        }
        assert_eq!(bus.topic("7", &mut 0), 7);
        assert_eq!(bus.topic("one more", &mut 0), NONE);
    }
}
