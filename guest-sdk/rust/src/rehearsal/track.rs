//! One actuator on the stage: what waits for it, what it was sent, and whether that could be done.
//! The law: values move as the runtime moves them: evenly from where they are to the next command.

use std::vec::Vec;

use crate::answer::Merge;

/// One actuator.
#[derive(Debug, Default)]
pub(super) struct Track {
    /// Commands that wait, by instant; of one instant, in the order in which they came.
    waiting: Vec<(u64, f64)>,
    /// Where the line to the next command starts.
    start: (u64, f64),
    /// The next command changed since the last sample.
    moved: bool,
    /// The last command that was executed.
    executed: u64,
    value: f64,
    /// The guest has commanded it: its value counts.
    claimed: bool,
    /// For this turn only: a value and its share.
    pub(super) direct: Option<(f64, f64)>,
    /// What was sent, turn by turn, as long as somebody moves it.
    pub(super) history: Vec<f64>,
    pub(super) sent: f64,
    /// The fastest change that was sent, per second.
    pub(super) fastest: f64,
    /// Commands that waited when the hook's call began, less what it has cleared.
    pub(super) counted: u32,
}

impl Track {
    pub(super) fn at(rest: f64) -> Track {
        Track {
            sent: rest,
            value: rest,
            ..Track::default()
        }
    }

    /// The actuator stands elsewhere.
    pub(super) fn place(&mut self, value: f64) {
        *self = Track::at(value);
    }

    pub(super) fn waits(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.moved = true;
    }

    /// The guest is gone: nobody claims it.
    pub(super) fn release(&mut self) {
        self.waiting.clear();
        self.claimed = false;
        self.direct = None;
    }

    pub(super) fn put(&mut self, at: u64, value: f64, merge: u32) {
        match merge {
            it if it == Merge::ClearAll as u32 => self.waiting.clear(),
            it if it == Merge::ClearAfter as u32 => self.waiting.retain(|it| it.0 < at),
            it if it == Merge::ClearBefore as u32 => self.waiting.retain(|it| it.0 > at),
            _ => {}
        }
        let place = self.waiting.partition_point(|it| it.0 <= at);
        self.waiting.insert(place, (at, value));
        self.moved = true;
    }

    /// What it is asked to be at this turn, if anybody asks.
    pub(super) fn sample(&mut self, now: u64, before: u64) -> Option<f64> {
        if !self.claimed && !self.waiting.is_empty() {
            (self.claimed, self.value, self.executed, self.moved) = (true, self.sent, 0, true);
        }
        while let Some(&(at, value)) = self.waiting.first().filter(|it| it.0 <= now) {
            (self.value, self.executed, self.moved) = (value, at, true);
            self.waiting.remove(0);
        }
        if self.moved {
            let late = before < self.executed;
            self.start = if late {
                (self.executed, self.value)
            } else {
                (before, self.value)
            };
            self.moved = false;
        }
        if let Some(&(at, value)) = self.waiting.first() {
            let (part, whole) = (now - self.start.0, at - self.start.0);
            self.value = self.start.1 + (value - self.start.1) * part as f64 / whole as f64;
        }
        let timed = self.claimed.then_some(self.value);
        match self.direct.take() {
            // Alone on the stage, any share is all there is.
            Some((value, share)) if share > 0.0 => Some(value),
            _ => timed,
        }
    }
}
