//! What happens to a simulated body from outside: a button is pressed, a joint pushed, a plug pulled.
//! Written down ahead as a script, or done by hand at any time.
//! The law: what has an instant happens in the first turn that is not before it, in the order written.

use cycle::{Instant, Span};

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening {
    /// A sensor reads this from now on.
    Give {
        /// The sensor's place.
        sensor: usize,
        /// What it reads.
        value: f64,
    },
    /// A sensor's reading moves to this value along a line.
    Glide {
        /// The sensor's place.
        sensor: usize,
        /// Where it ends.
        value: f64,
        /// How long it takes.
        over: Span,
    },
    /// A joint is pushed with this torque until told otherwise, N·m.
    Push {
        /// The actuator's place.
        actuator: usize,
        /// N·m.
        torque: f64,
    },
    /// A board's plug is pulled, or put back.
    Silence {
        /// The board's place.
        board: usize,
        /// Whether it is pulled.
        silent: bool,
    },
}

/// What happens, and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    happenings: Vec<(Instant, Happening)>,
    next: usize,
}

impl Script {
    /// A script of these happenings; those of one instant keep their order.
    pub fn new(mut happenings: Vec<(Instant, Happening)>) -> Script {
        happenings.sort_by_key(|(at, _)| *at);
        Script {
            happenings,
            next: 0,
        }
    }

    /// The next thing that is due.
    pub(super) fn due(&mut self, now: Instant) -> Option<(Instant, Happening)> {
        let (at, happening) = *self.happenings.get(self.next)?;
        if at > now {
            return None;
        }
        self.next += 1;
        Some((at, happening))
    }
}

/// A reading on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glide {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) since: Instant,
    pub(super) over: Span,
}

impl Glide {
    pub(super) fn at(&self, now: Instant) -> f64 {
        let share = (now - self.since).share_of(self.over);
        if share < 1.0 {
            self.from + (self.to - self.from) * share
        } else {
            self.to
        }
    }
}
