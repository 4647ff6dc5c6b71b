//! What one light does: its static value, its cycle, its flash. The engine has one for each light.
//! A flash hides a cycle, a cycle hides the static value; all depend on nothing but the instant.

use crate::maths::{TAU, cos};
use crate::time::{Instant, Span};

/// A light that goes up and down: `cos(2π · time / period) · -amplitude / 2 + 0.5 + offset`, held within 0 to 1. It
/// begins dark. An amplitude above 1 makes the edges steep: with 10 or more it blinks.
///
/// ```
/// use choreography::lights::LightCycle;
/// use choreography::prelude::*;
///
/// let blinks = LightCycle { amplitude: 20.0, ..LightCycle::of(500.ms()) };
/// assert_eq!((blinks.value(50.ms()), blinks.value(200.ms())), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightCycle {
    /// The time of one cycle.
    pub period: Span,
    /// From its lowest to its highest value, before it is held within 0 to 1.
    pub amplitude: f64,
    /// How far its middle is above 0.5.
    pub offset: f64,
    /// How long after the call it begins. Until then it runs up to there, as if it had always been.
    pub phase: Span,
}

impl LightCycle {
    /// From 0 to 1 and back in this time, beginning now.
    pub const fn of(period: Span) -> LightCycle {
        LightCycle {
            period,
            amplitude: 1.0,
            offset: 0.0,
            phase: Span::ZERO,
        }
    }

    /// The value at this time after its begin.
    pub fn value(&self, after: Span) -> f64 {
        // Whole cycles are dropped as whole nanoseconds, so that none is lost in months.
        let period = self.period.nanos().max(1);
        let share = (after.nanos() % period) as f64 / period as f64;
        (cos(TAU * share) * (-0.5 * self.amplitude) + 0.5 + self.offset).clamp(0.0, 1.0)
    }
}

/// What one light does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glow {
    pub(super) value: f64,
    pub(super) weight: f64,
    /// A cycle, and when it begins.
    pub(super) cycle: Option<(LightCycle, Instant)>,
    /// A flash, and when it ends. It is kept when it is over, for it may be extended.
    pub(super) flash: Option<(f64, Instant)>,
}

impl Glow {
    pub(super) const DARK: Glow = Glow {
        value: 0.0,
        weight: 1.0,
        cycle: None,
        flash: None,
    };

    /// Its value without a flash.
    pub(super) fn ground(&self, at: Instant) -> f64 {
        let Some((cycle, start)) = self.cycle else {
            return self.value;
        };
        // A cosine is the same before its begin and after it.
        cycle.value(Span::from_nanos(at.nanos().abs_diff(start.nanos())))
    }

    /// Its value.
    pub(super) fn value(&self, at: Instant) -> f64 {
        match self.flash {
            Some((value, until)) if at < until => value,
            _ => self.ground(at),
        }
    }

    /// A value that differs from its own: that at the other end, but for the middle third the one further away.
    pub(super) fn opposite(&self, at: Instant) -> f64 {
        match self.ground(at) {
            value if !(1.0 / 3.0..=2.0 / 3.0).contains(&value) => 1.0 - value,
            ground if ground > 0.5 => 0.0,
            _ => 1.0,
        }
    }

    /// Whether its flash is not over yet.
    pub(super) fn flashes(&self, at: Instant) -> bool {
        self.flash.is_some_and(|(_, until)| at < until)
    }

    /// Puts off the end of its flash. One that is over even so is forgotten, lest many calls add up.
    pub(super) fn extend(&mut self, span: Span, now: Instant) {
        self.flash = self.flash.map(|(value, until)| (value, until + span));
        self.flash = self.flash.filter(|(_, until)| now < *until);
    }

    /// Dark, without cycle and flash; the weight stays.
    pub(super) fn clear(&mut self) {
        *self = Glow {
            weight: self.weight,
            ..Glow::DARK
        };
    }
}
