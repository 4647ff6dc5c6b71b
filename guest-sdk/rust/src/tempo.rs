//! Musical time: bars and beats instead of seconds.

use crate::time::{Instant, Span, Time};

/// A tempo, a metre, and the start of the music. Bars and beats are counted from 1, as musicians do.
///
/// ```
/// use choreography::prelude::*;
///
/// let start = Instant::from_nanos(0) + 1.s();
/// let music = Tempo::bpm(120.0).beginning(start);
/// assert_eq!(music.bar(1).beat(1), start);
/// assert_eq!(music.bar(3).beat(2.5), start + 4.75.s());
/// assert_eq!(music.beats(2), 1.s());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tempo {
    beat: Span,
    metre: u32,
    start: Instant,
}

/// A bar of the music.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    start: Instant,
    beat: Span,
}

impl Tempo {
    /// A tempo in beats per minute, with four beats in a bar.
    pub fn bpm(beats: f64) -> Tempo {
        Tempo {
            beat: (60.0 / beats).s(),
            metre: 4,
            start: Instant::ZERO,
        }
    }

    /// Sets the number of beats in a bar.
    pub fn in_bars_of(self, metre: u32) -> Tempo {
        Tempo { metre, ..self }
    }

    /// Sets the instant of the first beat of the first bar.
    pub fn beginning(self, start: Instant) -> Tempo {
        Tempo { start, ..self }
    }

    /// The duration of this many beats.
    pub fn beats(&self, count: impl Into<f64>) -> Span {
        self.beat * count.into()
    }

    /// A bar, counted from 1.
    pub fn bar(&self, number: u32) -> Bar {
        let before = u64::from(self.metre) * u64::from(number.saturating_sub(1));
        Bar {
            start: self.start + self.beat * before,
            beat: self.beat,
        }
    }
}

impl Bar {
    /// The instant of a beat, counted from 1; 2.5 is between the second and the third.
    pub fn beat(&self, number: impl Into<f64>) -> Instant {
        self.start + self.beat * (number.into() - 1.0)
    }
}
