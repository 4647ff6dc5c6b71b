//! Instants and spans: `now() + 300.ms()`. Everyone's time, in nanoseconds of the robot's clock.
//! The law: no sum of them wraps or panics; it stays at its first or last value.

use core::ops::{Add, AddAssign, Div, Mul, Sub};

use crate::raw;

/// A point in time, on the robot's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

/// A length of time; never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

/// Numbers that become spans: `300.ms()`, `1.5.s()`. What is negative becomes no time at all.
///
/// ```
/// use choreography::prelude::*;
///
/// assert_eq!(1.5.s(), 1500.ms());
/// assert_eq!(2.s() + 250.us() * 4, 2001.ms());
/// assert_eq!(1.s() - 2.s(), Span::ZERO);
/// ```
pub trait Time: Sized {
    /// So many nanoseconds.
    fn ns(self) -> Span;
    /// So many microseconds.
    fn us(self) -> Span;
    /// So many milliseconds.
    fn ms(self) -> Span;
    /// So many seconds.
    fn s(self) -> Span;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Time for $type {
            fn ns(self) -> Span {
                Span(u64::try_from(self).unwrap_or(0))
            }
            fn us(self) -> Span {
                Span(self.ns().0.saturating_mul(1_000))
            }
            fn ms(self) -> Span {
                Span(self.ns().0.saturating_mul(1_000_000))
            }
            fn s(self) -> Span {
                Span(self.ns().0.saturating_mul(1_000_000_000))
            }
        }
    )*};
}
integers!(i32 u32 i64 u64 usize);

impl Time for f64 {
    fn ns(self) -> Span {
        // To the nearest. A cast from a float saturates, and what is no number becomes 0.
        Span((self + 0.5) as u64)
    }
    fn us(self) -> Span {
        (self * 1e3).ns()
    }
    fn ms(self) -> Span {
        (self * 1e6).ns()
    }
    fn s(self) -> Span {
        (self * 1e9).ns()
    }
}

impl Instant {
    /// When the robot's clock began.
    pub const ZERO: Instant = Instant(0);

    /// So many nanoseconds after the robot's clock began.
    pub const fn from_nanos(nanos: u64) -> Instant {
        Instant(nanos)
    }

    /// Nanoseconds since the robot's clock began.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// How long after `earlier` this is; no time at all if it is before it.
    pub const fn since(self, earlier: Instant) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// So many nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Span {
        Span(nanos)
    }

    /// So many milliseconds; for constants.
    pub const fn from_millis(millis: u64) -> Span {
        Span(millis.saturating_mul(1_000_000))
    }

    /// Its nanoseconds.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// Its seconds.
    pub const fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

/// The instant of this turn; outside a turn, of the last one.
pub fn now() -> Instant {
    Instant(raw::now())
}

/// The number of this turn, counted from 1.
pub fn turn() -> u64 {
    raw::turn()
}

/// The time from one turn to the next.
pub fn period() -> Span {
    Span(raw::period())
}

/// Sleeps until the instant has come, and answers when it woke. In a score only; a motion's hook is answered
/// at once.
pub fn sleep_until(at: Instant) -> Instant {
    Instant(raw::sleep_until(at.0))
}

/// Sleeps for so long. In a score only.
pub fn sleep(span: Span) -> Instant {
    sleep_until(now() + span)
}

impl Add<Span> for Instant {
    type Output = Instant;
    fn add(self, span: Span) -> Instant {
        Instant(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Instant {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Instant {
    type Output = Instant;
    fn sub(self, span: Span) -> Instant {
        Instant(self.0.saturating_sub(span.0))
    }
}

impl Sub for Instant {
    type Output = Span;
    fn sub(self, earlier: Instant) -> Span {
        self.since(earlier)
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Span {
    type Output = Span;
    fn mul(self, times: u64) -> Span {
        Span(self.0.saturating_mul(times))
    }
}

impl Mul<f64> for Span {
    type Output = Span;
    fn mul(self, times: f64) -> Span {
        (self.0 as f64 * times).ns()
    }
}

impl Div<f64> for Span {
    type Output = Span;
    fn div(self, parts: f64) -> Span {
        (self.0 as f64 / parts).ns()
    }
}

impl Div for Span {
    type Output = f64;
    fn div(self, whole: Span) -> f64 {
        self.0 as f64 / whole.0 as f64
    }
}
