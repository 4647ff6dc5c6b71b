//! Instants and spans: `now() + 300.ms()`. All times are nanoseconds of the robot's clock.
//! Arithmetic neither wraps nor panics; it saturates at the first or last value.

use core::ops::{Add, AddAssign, Div, Mul, Sub};

use crate::raw;

/// A point in time, on the robot's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

/// A length of time; never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

/// Numbers that convert to spans: `300.ms()`, `1.5.s()`. A negative number becomes zero.
///
/// ```
/// use choreography::prelude::*;
///
/// assert_eq!(1.5.s(), 1500.ms());
/// assert_eq!(2.s() + 250.us() * 4, 2001.ms());
/// assert_eq!(1.s() - 2.s(), Span::ZERO);
/// ```
pub trait Time: Sized {
    /// A span in nanoseconds.
    fn ns(self) -> Span;
    /// A span in microseconds.
    fn us(self) -> Span;
    /// A span in milliseconds.
    fn ms(self) -> Span;
    /// A span in seconds.
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
        // To the nearest. A cast from a float saturates, and NaN becomes 0.
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
    /// The start of the robot's clock.
    pub const ZERO: Instant = Instant(0);

    /// This many nanoseconds after the start of the robot's clock.
    pub const fn from_nanos(nanos: u64) -> Instant {
        Instant(nanos)
    }

    /// Nanoseconds since the start of the robot's clock.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// The span since `earlier`; zero if this is before it.
    pub const fn since(self, earlier: Instant) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// Zero.
    pub const ZERO: Span = Span(0);

    /// A span in nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Span {
        Span(nanos)
    }

    /// A span in milliseconds; for constants.
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

/// Sleeps until this instant, and returns the instant of waking. In a score only; in a motion it returns
/// at once.
pub fn sleep_until(at: Instant) -> Instant {
    Instant(raw::sleep_until(at.0))
}

/// Sleeps for this span. In a score only.
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
