//! Lights: static values, cycles and flashes of any number of them, numbers and percentages. A motion owns a
//! [`LightEngine`], and calls [`update`](LightEngine::update) in each turn, in `pre_process`.
//! What a light shows depends only on the calls and on the instant. A flash hides a cycle, and a cycle hides
//! the static value.
//!
//! ```
//! use choreography::lights::{LightCycle, LightEngine, LightMask};
//! use choreography::prelude::*;
//!
//! choreography! {
//!     /// Pulses blue, and flashes red when its head is touched.
//!     motion Pulse as "pulse";
//!     hooks pre_process;
//!     lights Blue = "ChestBoard/Led/Blue", Red = "ChestBoard/Led/Red";
//!     sensors Touch = "Head/Touch/Front";
//!     topics Flashed = "flashed";
//!     loops;
//! }
//!
//! const BLUE: LightMask = LightMask::of(&[0]);
//! const RED: LightMask = LightMask::of(&[1]);
//!
//! struct Pulse(LightEngine<2>);
//!
//! impl Motion for Pulse {
//!     fn start() -> Pulse {
//!         let mut lights = LightEngine::new([&Blue, &Red]);
//!         lights.cycle(BLUE, LightCycle::of(2.s()), now());
//!         Pulse(lights)
//!     }
//!     fn pre_process(&mut self, now: Instant) {
//!         if Touch.is_on() {
//!             self.0.flash(RED, 1.0, 300.ms(), now);
//!         }
//!         if self.0.update(now).flash_ended {
//!             Flashed.post(1.0);
//!         }
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Pulse>(nao());
//! stage.run_for(1.s());
//! assert_eq!((stage.sent(&Blue), stage.sent(&Red)), (1.0, 0.0));
//! stage.sensor(&Touch, 1.0);
//! stage.turn();
//! assert_eq!(stage.sent(&Red), 1.0);
//! stage.sensor(&Touch, 0.0);
//! stage.run_for(1.s());
//! assert_eq!((stage.sent(&Red), stage.posted(&Flashed).len()), (0.0, 1));
//! ```

mod display;
mod glow;
mod mask;

pub use display::{DigitTable, LightColumns, PercentStyle};
pub use glow::LightCycle;
pub use mask::LightMask;

use crate::actuator::Actuator;
use crate::time::{Instant, Span};
use glow::Glow;

/// An engine for `N` lights, at most 128. All are dark at first.
#[derive(Debug)]
pub struct LightEngine<const N: usize> {
    actuators: [&'static Actuator; N],
    glows: [Glow; N],
    /// Whether a flash has begun whose end is not told yet.
    awaited: bool,
}

/// What became of the lights in a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LightStatus {
    /// Whether a light cycles or a flash is not over yet.
    pub is_alive: bool,
    /// Whether this is the first turn after the last flash: no other is pending, be it that all are over or that they
    /// were cleared. It is told once.
    pub flash_ended: bool,
}

impl<const N: usize> LightEngine<N> {
    /// An engine for these lights. Their places in masks are those in this list.
    pub const fn new(actuators: [&'static Actuator; N]) -> LightEngine<N> {
        const { assert!(N <= LightMask::PLACES, "a mask has no more places") };
        LightEngine {
            actuators,
            glows: [Glow::DARK; N],
            awaited: false,
        }
    }

    /// Drives all lights, but for those without weight, to their values of this turn. Call it once in each turn.
    pub fn update(&mut self, now: Instant) -> LightStatus {
        for (actuator, glow) in self.actuators.iter().zip(&self.glows) {
            if glow.weight > 0.0 {
                actuator.drive_by(glow.value(now), glow.weight);
            }
        }
        let pending = self.glows.iter().any(|glow| glow.flashes(now));
        let flash_ended = self.awaited && !pending;
        self.awaited = pending;
        LightStatus {
            is_alive: self.is_alive(now),
            flash_ended,
        }
    }

    /// Whether a light cycles, or a flash is not over yet.
    pub fn is_alive(&self, at: Instant) -> bool {
        self.glows
            .iter()
            .any(|glow| glow.cycle.is_some() || glow.flashes(at))
    }

    /// The static value of a light, which cycles and flashes may hide; NaN if there is no such light.
    pub fn setting(&self, place: usize) -> f64 {
        self.glows.get(place).map_or(f64::NAN, |glow| glow.value)
    }

    /// What a light shows at an instant, also a later one, if nothing changes; NaN if there is no such light.
    pub fn value(&self, place: usize, at: Instant) -> f64 {
        self.glows
            .get(place)
            .map_or(f64::NAN, |glow| glow.value(at))
    }

    /// Sets the weight of lights, 0 to 1,000. At first it is 1; those without weight are left to others.
    pub fn set_weights(&mut self, mask: LightMask, weight: f64) {
        self.each(mask, |value| value.weight = weight);
    }

    /// Sets the static value of lights, and ends their cycles. A flash goes on.
    pub fn set(&mut self, mask: LightMask, value: f64) {
        self.each(mask, |glow| (glow.value, glow.cycle) = (value, None));
    }

    /// Clears all lights, then sets these.
    pub fn cset(&mut self, mask: LightMask, value: f64) {
        self.clear();
        self.set(mask, value);
    }

    /// Inverts lights: a static value to 1 minus it, a cycle by its amplitude, which shifts it half a period. A flash
    /// goes on.
    pub fn invert(&mut self, mask: LightMask) {
        self.each(mask, |glow| {
            glow.value = 1.0 - glow.value;
            if let Some((cycle, _)) = &mut glow.cycle {
                cycle.amplitude = -cycle.amplitude;
            }
        });
    }

    /// Shows a value for this span. Then the lights show again what they would have shown without it.
    pub fn flash(&mut self, mask: LightMask, value: f64, span: Span, now: Instant) {
        self.flash_with(mask, now + span, |_| value);
    }

    /// Flashes to the opposite of what the lights show without a flash: values of 1/3 to 2/3 to 0 or 1, what is further
    /// away, others to 1 minus them.
    pub fn flash_opposite(&mut self, mask: LightMask, span: Span, now: Instant) {
        self.flash_with(mask, now + span, |glow| glow.opposite(now));
    }

    /// Clears all lights, then flashes these. For others that are dark only meanwhile, flash them to 0.
    pub fn cflash(&mut self, mask: LightMask, value: f64, span: Span, now: Instant) {
        self.clear();
        self.flash(mask, value, span, now);
    }

    /// Lets lights go up and down until they are set or cleared.
    pub fn cycle(&mut self, mask: LightMask, cycle: LightCycle, now: Instant) {
        self.each(mask, |glow| glow.cycle = Some((cycle, now + cycle.phase)));
    }

    /// Clears all lights, then lets these go up and down.
    pub fn ccycle(&mut self, mask: LightMask, cycle: LightCycle, now: Instant) {
        self.clear();
        self.cycle(mask, cycle, now);
    }

    /// All lights dark, without cycles and flashes. Their weights stay.
    pub fn clear(&mut self) {
        self.clear_these(LightMask::ALL);
    }

    /// Puts off the end of each flash by this span. A flash that is over comes back if its new end is still to come.
    pub fn extend(&mut self, span: Span, now: Instant) {
        self.each(LightMask::ALL, |value| value.extend(span, now));
        self.awaited |= self.glows.iter().any(|glow| glow.flashes(now));
    }

    fn flash_with(&mut self, mask: LightMask, until: Instant, value: impl Fn(&Glow) -> f64) {
        let mut begun = false;
        self.each(mask, |glow| {
            glow.flash = Some((value(glow), until));
            begun = true;
        });
        self.awaited |= begun;
    }

    fn clear_these(&mut self, mask: LightMask) {
        self.each(mask, Glow::clear);
    }

    fn each(&mut self, mask: LightMask, change: impl FnMut(&mut Glow)) {
        let glows = self.glows.iter_mut().enumerate();
        let masked = glows.filter(|(place, _)| mask.has(*place));
        masked.map(|(_, item)| item).for_each(change);
    }
}
