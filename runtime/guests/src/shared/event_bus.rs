//! Small messages between guests: a ring of events, and the topics' numbers.
//! Written by the loop alone, read by guests on any thread.
//! The law: an event is heard from the turn after its own on; who is too slow is told what it missed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::shared::answer::NONE;

/// Events that are kept.
pub(crate) const EVENTS: usize = 4096;

/// Topics that there may be.
pub(crate) const TOPICS: usize = 1024;

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
pub struct EventBus {
    cells: Box<[Cell]>,
    /// How many were ever posted.
    posted: AtomicU64,
    /// How many of them are heard.
    heard: AtomicU64,
    topics: Mutex<Vec<Topic>>,
}

/// A topic, and how many guests hear of it.
#[derive(Debug)]
struct Topic {
    name: String,
    held: u32,
}

/// What a listener finds.
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
        }
    }

    /// The topic's number, which is the same for everybody, for whoever `hears` of these topics, and of it
    /// from here on; outside the turn.
    pub(crate) fn topic(&self, name: &str, hears: &mut [bool]) -> u32 {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let known = topics.iter().position(|it| it.name == name);
        let place = known.or_else(|| {
            let topic = Topic {
                name: name.to_owned(),
                held: 0,
            };
            if topics.len() < TOPICS {
                topics.push(topic);
                return Some(topics.len() - 1);
            }
            // All have been named: one of which nobody hears any more is named anew.
            let free = topics.iter().position(|it| it.held == 0)?;
            topics[free] = topic;
            Some(free)
        });
        let Some(place) = place else { return NONE };
        if let Some(hears) = hears.get_mut(place)
            && !std::mem::replace(hears, true)
        {
            topics[place].held += 1;
        }
        u32::try_from(place).unwrap_or(NONE)
    }

    /// Somebody who heard of these topics is gone; outside the turn.
    pub(crate) fn let_go(&self, heard: &[bool]) {
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        for (topic, _) in topics.iter_mut().zip(heard).filter(|it| *it.1) {
            topic.held = topic.held.saturating_sub(1);
        }
    }

    /// The topics there are, with their numbers; outside the turn.
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
    pub(crate) fn after(&self, seen: u64) -> Option<(u64, BusEvent)> {
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
                return Some((number, BusEvent { topic, value }));
            }
            number += 1;
        }
        None
    }
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
    fn who_is_too_slow_goes_on_with_what_is_kept() {
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
        // Those of which nobody hears any more are named anew; the others stay.
        bus.let_go(&one);
        assert_eq!(bus.topic("7", &mut other), 7);
        assert_eq!(bus.topic("one more", &mut other), 0);
        assert!(other[0] && other[7] && other.iter().filter(|it| **it).count() == 2);
    }
}
