//! One actuator on the stage: its waiting commands, the values that were sent, and whether they were clipped.
//! Values move as in the runtime, at constant speed from the current value to the next command.

use std::vec::Vec;

use crate::answer::Merge;

/// One actuator.
#[derive(Debug, Default)]
pub(super) struct Track {
    /// Waiting commands by instant, with their requests; those of the same instant in their order of arrival.
    waiting: Vec<(u64, f64, u32)>,
    /// The requests of commands that were cleared.
    pub(super) cleared: Vec<u32>,
    /// Where the line to the next command starts.
    start: (u64, f64),
    /// Whether the next command has changed since the last sample.
    moved: bool,
    /// The last command that was executed.
    executed: u64,
    value: f64,
    /// Whether the guest has commanded it, so that its value counts.
    claimed: bool,
    /// A value for this turn only, and its weight.
    pub(super) direct: Option<(f64, f64)>,
    /// What it was driven to in the last turn.
    pub(super) driven: Option<(f64, f64)>,
    /// The gains for this turn only, and their weight; and those of the last turn.
    pub(super) gains: Option<[f64; 4]>,
    pub(super) last_gains: Option<[f64; 4]>,
    /// Whether it had no force in the last turn.
    pub(super) limp: bool,
    /// The sent values, turn by turn, while somebody moves it.
    pub(super) history: Vec<f64>,
    pub(super) sent: f64,
    /// The highest velocity that was sent, per second.
    pub(super) fastest: f64,
    /// The number of commands that waited when the hook's call began, without those cleared since.
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

    /// Sets its position.
    pub(super) fn place(&mut self, value: f64) {
        *self = Track::at(value);
    }

    pub(super) fn waits(&self) -> usize {
        self.waiting.len()
    }

    /// How many commands of a request wait.
    pub(super) fn left(&self, request: u32) -> usize {
        self.waiting.iter().filter(|row| row.2 == request).count()
    }

    /// Drops the commands of a request; the number of them.
    pub(super) fn cancel(&mut self, request: u32) -> usize {
        let before = self.waiting.len();
        self.waiting.retain(|row| row.2 != request);
        self.moved = true;
        before - self.waiting.len()
    }

    pub(super) fn clear(&mut self) {
        self.drop_where(|_| true);
        self.moved = true;
    }

    fn drop_where(&mut self, is_dropped: impl Fn(u64) -> bool) {
        let dropped = self.waiting.iter().filter(|pair| is_dropped(pair.0));
        self.cleared.extend(dropped.map(|dropped| dropped.2));
        self.waiting.retain(|pair| !is_dropped(pair.0));
    }

    /// The guest has ended: nobody claims it.
    pub(super) fn release(&mut self) {
        self.waiting.clear();
        self.claimed = false;
        (self.direct, self.driven) = (None, None);
        (self.gains, self.last_gains) = (None, None);
    }

    /// Goes where a hand has moved the limp joint: what follows begins there.
    pub(super) fn follow(&mut self, measured: f64) {
        (self.sent, self.value, self.moved) = (measured, measured, true);
    }

    pub(super) fn put(&mut self, (at, value): (u64, f64), merge: u32, request: u32) {
        match merge {
            merge if merge == Merge::ClearAll as u32 => self.drop_where(|_| true),
            merge if merge == Merge::ClearAfter as u32 => self.drop_where(|value| value >= at),
            merge if merge == Merge::ClearBefore as u32 => self.drop_where(|value| value <= at),
            _ => {}
        }
        let place = self.waiting.partition_point(|pair| pair.0 <= at);
        self.waiting.insert(place, (at, value, request));
        self.moved = true;
    }

    /// The requested value of this turn, if there is one.
    pub(super) fn sample(&mut self, now: u64, before: u64) -> Option<f64> {
        if !self.claimed && !self.waiting.is_empty() {
            (self.claimed, self.value, self.executed, self.moved) = (true, self.sent, 0, true);
        }
        while let Some(&(at, value, _)) = self.waiting.first().filter(|pair| pair.0 <= now) {
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
        if let Some(&(at, value, _)) = self.waiting.first() {
            let (part, whole) = (now - self.start.0, at - self.start.0);
            self.value = self.start.1 + (value - self.start.1) * part as f64 / whole as f64;
        }
        let timed = self.claimed.then_some(self.value);
        self.driven = self.direct.take();
        match self.driven {
            // The only guest on the stage has all of the weight.
            Some((value, share)) if share > 0.0 => Some(value),
            _ => timed,
        }
    }
}
