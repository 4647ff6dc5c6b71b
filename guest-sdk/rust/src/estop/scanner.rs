//! A light that runs to and fro over a row of lights, and leaves a glow behind: the sign that a body is stopped.
//! Called by motions, in every turn in which it is seen.
//! A sweep takes as long as it says, and a glow fades as fast, whatever the period of the turns is.

use crate::maths::{exp, pow};
use crate::time::{Instant, Span};

/// The time in which the glow falls to [`KEPT`], and takes up half of the pulse.
const BEAT: f64 = 0.032;
const KEPT: f64 = 0.83;

/// A running light on N lights in a row.
///
/// ```
/// use choreography::estop::LightScanner;
/// use choreography::prelude::*;
///
/// let mut eye = LightScanner::<5>::beginning(Instant::ZERO);
/// let first = eye.values(Instant::ZERO + 500.ms());
/// assert!(first[0] > 0.9 && first[4] < 0.01); // on its way
/// let later = eye.values(Instant::ZERO + 1500.ms());
/// assert!(later[4] > 0.9 && later[0] < 0.1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LightScanner<const N: usize> {
    start: Instant,
    last: Instant,
    sweep: Span,
    glows: [f64; N],
}

impl<const N: usize> LightScanner<N> {
    /// It begins now, before the first light. A sweep to the last light, and beyond, takes 2 s; then it comes back.
    pub const fn beginning(now: Instant) -> LightScanner<N> {
        LightScanner {
            start: now,
            last: now,
            sweep: Span::from_millis(2000),
            glows: [0.0; N],
        }
    }

    /// A sweep takes this long.
    #[must_use]
    pub const fn sweeping(self, sweep: Span) -> Self {
        LightScanner { sweep, ..self }
    }

    /// The values of this turn, 0 to 1. Call it once in each turn.
    pub fn values(&mut self, now: Instant) -> [f64; N] {
        let beats = (now - self.last).seconds() / BEAT;
        self.last = now;
        let kept = pow(KEPT, beats);
        let there = self.place(now);
        core::array::from_fn(|place| {
            let from = there - place as f64 - 2.0;
            let pulse = exp(-6.0 * from * from);
            let glow = &mut self.glows[place];
            *glow = kept * (*glow + 0.5 * pulse * beats.min(1.0));
            (*glow / 2.0 + pulse).clamp(0.0, 1.0)
        })
    }

    /// Where the pulse is: at 2 it is on the first light, at N + 1 on the last; it turns at 0 and at N + 3.
    fn place(&self, now: Instant) -> f64 {
        let sweep = self.sweep.nanos().clamp(1, u64::MAX / 2);
        let passed = (now - self.start).nanos() % (2 * sweep);
        let share = passed as f64 / sweep as f64;
        let share = if share > 1.0 { 2.0 - share } else { share };
        share * (N as f64 + 3.0)
    }
}
