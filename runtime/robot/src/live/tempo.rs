//! How time passes for a loop: in real time, scaled, as fast as possible, or step by step.
//! Owned by the loop; called once before every turn.
//! The robot's time follows the same rules in each mode.

use cycle::{Instant, Span};

use crate::pace::{Clock, Pace};

/// How time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tempo {
    /// With the clock, multiplied by this factor.
    Real(f64),
    /// As fast as possible: each turn is one period after the last.
    Fast,
    /// On request: each turn is one period after the last.
    Step,
}

/// The times of a wake-up.
#[derive(Clone, Copy, Debug)]
pub(super) struct WakeUp {
    /// The robot's instant.
    pub(super) now: Instant,
    /// The delay after the planned instant, in real time.
    pub(super) after: Span,
    /// The instant of the wake-up, in real time.
    pub(super) at: Instant,
}

/// Converts real time into the robot's time.
#[derive(Debug)]
pub(super) struct TurnTimer {
    tempo: Tempo,
    period: Span,
    clock: Clock,
    pace: Pace,
    /// The instant of the last turn; before the first, that at which the loop begins.
    turned: Instant,
}

impl TurnTimer {
    pub(super) fn new(tempo: Tempo, period: Span, begins: Instant) -> TurnTimer {
        let speed = match tempo {
            Tempo::Real(speed) => speed,
            Tempo::Fast | Tempo::Step => 1.0,
        };
        let beat = Span::from_nanos(scaled(period.nanos(), 1.0 / speed));
        TurnTimer {
            tempo,
            period,
            clock: Clock::start(),
            pace: Pace::new(beat, Instant::ZERO),
            turned: Instant::from_nanos(scaled(begins.nanos(), 1.0 / speed)),
        }
    }

    /// Starts the clock: the first turn is one period from now, so that it cannot be late.
    pub(super) fn start(&mut self) {
        self.clock = Clock::start_at(self.turned);
        self.pace.next(self.clock.now());
    }

    /// The current instant, in real time.
    pub(super) fn clock(&self) -> Instant {
        self.clock.now()
    }

    /// Sleeps until the next turn.
    pub(super) fn wait(&mut self) -> WakeUp {
        let Tempo::Real(speed) = self.tempo else {
            self.turned = self.turned + self.period;
            let at = self.clock.now();
            return WakeUp {
                now: self.turned,
                after: Span::ZERO,
                at,
            };
        };
        let planned = self.pace.next(self.clock.now());
        self.clock.sleep_until(planned);
        let at = self.clock.now();
        let now = if speed == 1.0 {
            at
        } else {
            Instant::from_nanos(scaled(at.nanos(), speed))
        };
        WakeUp {
            now,
            after: at - planned,
            at,
        }
    }

    /// Sleeps for a moment while a stepped loop waits.
    pub(super) fn rest(&self) {
        self.clock
            .sleep_until(self.clock.now() + Span::from_millis(1));
    }
}

#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; a run of 104 days is exact"
)]
fn scaled(nanos: u64, factor: f64) -> u64 {
    if factor == 1.0 {
        nanos
    } else {
        (nanos as f64 * factor) as u64
    }
}
