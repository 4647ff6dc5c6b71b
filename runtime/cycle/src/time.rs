//! The robot's time: nanoseconds of a monotonic clock, zero at start-up. Used everywhere.
//! There is no other arithmetic on time, and this one neither wraps nor panics.
//! The DCM's 32-bit milliseconds exist only in [`dcm`], for the compatibility calls.

use core::ops::{Add, AddAssign, Sub};

/// A point in time: nanoseconds since the robot started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

/// A length of time in nanoseconds. Never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

impl Instant {
    /// The moment the robot started.
    pub const ZERO: Instant = Instant(0);
    /// Later than everything; marks "never".
    pub const NEVER: Instant = Instant(u64::MAX);
    /// The last instant of a clock: it is before [`Instant::NEVER`], which is never due.
    pub const LAST: Instant = Instant(u64::MAX - 1);

    /// The instant `nanos` nanoseconds after the start.
    pub const fn from_nanos(nanos: u64) -> Instant {
        Instant(nanos)
    }

    /// The instant `millis` milliseconds after the start.
    pub const fn from_millis(millis: u64) -> Instant {
        Instant(millis.saturating_mul(1_000_000))
    }

    /// Nanoseconds since the start.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// How long after `earlier` this is; zero if it is not after it.
    pub const fn since(self, earlier: Instant) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// The time between two instants, in either order.
    pub const fn distance(self, other: Instant) -> Span {
        Span(self.0.abs_diff(other.0))
    }

    /// This instant moved back by `span`, but not before the start.
    pub const fn before(self, span: Span) -> Instant {
        Instant(self.0.saturating_sub(span.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// A span of `nanos` nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Span {
        Span(nanos)
    }

    /// A span of `micros` microseconds.
    pub const fn from_micros(micros: u64) -> Span {
        Span(micros.saturating_mul(1_000))
    }

    /// A span of `millis` milliseconds.
    pub const fn from_millis(millis: u64) -> Span {
        Span(millis.saturating_mul(1_000_000))
    }

    /// The span in nanoseconds.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// The span in seconds, for arithmetic with SI speeds.
    #[allow(
        clippy::cast_precision_loss,
        reason = "a span of 104 days is still exact"
    )]
    pub const fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// `times` spans in a row.
    #[must_use]
    pub const fn times(self, times: u64) -> Span {
        Span(self.0.saturating_mul(times))
    }

    /// This span as a share of `whole`, from 0 to 1; 1 if `whole` is zero.
    #[allow(
        clippy::cast_precision_loss,
        reason = "a share needs no more than 52 bits"
    )]
    pub const fn share_of(self, whole: Span) -> f64 {
        if self.0 >= whole.0 {
            1.0
        } else {
            self.0 as f64 / whole.0 as f64
        }
    }
}

impl Add<Span> for Instant {
    type Output = Instant;
    fn add(self, span: Span) -> Instant {
        Instant(self.0.saturating_add(span.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        *self = *self + other;
    }
}

impl Sub<Instant> for Instant {
    type Output = Span;
    fn sub(self, earlier: Instant) -> Span {
        self.since(earlier)
    }
}

/// The DCM's clock: milliseconds in 32 bits, which wraps every 49.7 days.
///
/// A stamp names the one instant within 2^31 ms of `now` with these low bits, so a wrap does not affect instants less
/// than 24.8 days away.
pub mod dcm {
    use super::Instant;

    /// What the DCM's clock shows at `instant`.
    #[allow(clippy::cast_possible_truncation, reason = "the wrap is the point")]
    pub const fn stamp(instant: Instant) -> u32 {
        (instant.nanos() / 1_000_000) as u32
    }

    /// The instant nearest to `now` at which the DCM's clock shows `stamp`; not before the start.
    #[allow(
        clippy::cast_possible_wrap,
        reason = "a signed difference is what makes it wrap-safe"
    )]
    pub const fn instant(stamp: u32, now: Instant) -> Instant {
        let now_ms = now.nanos() / 1_000_000;
        let ahead = stamp.wrapping_sub(self::stamp(now)) as i32;
        Instant::from_millis(now_ms.saturating_add_signed(ahead as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_never_wrap() {
        assert_eq!(Instant::from_nanos(5) - Instant::from_nanos(9), Span::ZERO);
        assert_eq!(Instant::NEVER + Span::from_millis(1), Instant::NEVER);
        assert_eq!(
            Instant::from_nanos(5).before(Span::from_nanos(9)),
            Instant::ZERO
        );
        assert_eq!(Span::from_nanos(3).share_of(Span::ZERO), 1.0);
    }

    #[test]
    fn a_stamp_names_the_nearest_instant_on_both_sides_of_the_wrap() {
        let wrap = 1u64 << 32;
        let now = Instant::from_millis(wrap - 5);
        assert_eq!(dcm::instant(10, now), Instant::from_millis(wrap + 10));
        let now = Instant::from_millis(wrap + 5);
        assert_eq!(dcm::instant(u32::MAX, now), Instant::from_millis(wrap - 1));
        assert_eq!(dcm::instant(dcm::stamp(now), now), now);
    }

    #[test]
    fn a_stamp_before_the_start_is_the_start() {
        assert_eq!(
            dcm::instant(u32::MAX, Instant::from_millis(3)),
            Instant::ZERO
        );
    }
}
