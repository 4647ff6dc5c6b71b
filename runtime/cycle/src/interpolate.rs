//! Interpolates between two timed points. Pure arithmetic, called by timelines.
//! The law: inside the segment the result lies between its ends, whatever the instants are.

use crate::time::Instant;

/// One end of a segment: a value and its instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) at: Instant,
    pub(crate) value: f64,
}

/// The value at `now` on the line from `from` to `to`, which lies ahead of `now`.
#[inline]
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "commands lie less than 2^51 ns away: exact, and a signed conversion is one step"
)]
pub(crate) fn between(from: Point, to: Point, now: Instant) -> f64 {
    let part = now.since(from.at).nanos() as i64 as f64;
    let whole = to.at.since(from.at).nanos() as i64 as f64;
    // A segment without length has no slope; this happens when the clock stands still.
    if part >= whole {
        return to.value;
    }
    from.value + (to.value - from.value) * part / whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64, value: f64) -> Point {
        Point {
            at: Instant::from_millis(ms),
            value,
        }
    }

    #[test]
    fn the_ends_are_exact_and_the_middle_is_on_the_line() {
        let (from, to) = (at(20, 10.0), at(80, 40.0));
        assert_eq!(between(from, to, Instant::from_millis(20)), 10.0);
        assert_eq!(between(from, to, Instant::from_millis(30)), 15.0);
        assert_eq!(between(from, to, Instant::from_millis(80)), 40.0);
    }

    #[test]
    fn a_segment_of_no_length_or_a_late_look_gives_its_end() {
        assert_eq!(
            between(at(5, 1.0), at(5, 2.0), Instant::from_millis(5)),
            2.0
        );
        assert_eq!(
            between(at(5, 1.0), at(9, 2.0), Instant::from_millis(99)),
            2.0
        );
        assert_eq!(
            between(at(5, 1.0), at(9, 2.0), Instant::from_millis(1)),
            1.0
        );
    }
}
