//! Interpolates between two timed points. Pure arithmetic, called by timelines.
//! Inside the segment the result lies between its ends, whatever the instants are.

use crate::time::{Instant, Span};

/// One end of a segment: a value and its instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) at: Instant,
    pub(crate) value: f64,
}

/// How many steps a slope is made flatter at most. Subtraction, division and product are rounded once each, and each
/// step is worth one rounding.
const STEPS_BACK: u32 = 4;

/// A line to a point. Its slope is found once, so that a value on it takes no division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) to: Point,
    /// In units a nanosecond, and never so steep that rounding would carry a value beyond the start.
    slope: f64,
}

impl Line {
    /// A line that is at its end already.
    pub(crate) const fn at_rest(to: Point) -> Line {
        Line { to, slope: 0.0 }
    }

    /// The line between two points. One without length is at its end; this happens when the clock stands still.
    #[inline]
    pub(crate) fn between(from: Point, to: Point) -> Line {
        let length = nanos(to.at.since(from.at));
        let way = to.value - from.value;
        let mut slope = way / length;
        if !slope.is_finite() {
            return Line::at_rest(to);
        }
        for _ in 0..STEPS_BACK {
            let start = to.value - slope * length;
            let is_beyond = if way > 0.0 {
                start < from.value
            } else {
                start > from.value
            };
            if !is_beyond {
                break;
            }
            slope = if slope > 0.0 {
                slope.next_down()
            } else {
                slope.next_up()
            };
        }
        Line { to, slope }
    }

    /// The value at `now`, which is not after the end.
    #[inline]
    pub(crate) fn at(&self, now: Instant) -> f64 {
        self.to.value - self.slope * nanos(self.to.at.since(now))
    }
}

#[inline]
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "commands lie less than 2^51 ns away: exact, and a signed conversion is one step"
)]
fn nanos(span: Span) -> f64 {
    span.nanos() as i64 as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(ms: u64, value: f64) -> Point {
        Point {
            at: Instant::from_millis(ms),
            value,
        }
    }

    #[test]
    fn the_end_is_exact_and_the_middle_is_on_the_line() {
        let line = Line::between(at(20, 10.0), at(80, 40.0));
        assert_eq!(line.at(Instant::from_millis(30)), 15.0);
        assert_eq!(line.at(Instant::from_millis(80)), 40.0);
    }

    #[test]
    fn a_line_without_length_is_at_its_end() {
        let line = Line::between(at(5, 1.0), at(5, 2.0));
        assert_eq!(line.at(Instant::from_millis(5)), 2.0);
        let line = Line::between(at(5, f64::MIN), at(6, f64::MAX));
        assert_eq!(line.at(Instant::from_millis(5)), f64::MAX);
    }

    proptest! {
        /// Against the same by a division, in other words; and by the law.
        #[test]
        fn values_are_on_the_line_and_between_its_ends(
            from in value(),
            to in value(),
            start in 0u64..1 << 50,
            length in 1u64..1 << 50,
            shares in prop::collection::vec(0.0f64..1.0, 8),
        ) {
            let point = |at, value| Point { at: Instant::from_nanos(at), value };
            let line = Line::between(point(start, from), point(start + length, to));
            prop_assert_eq!(line.at(Instant::from_nanos(start + length)), to);
            for share in shares.into_iter().chain([0.0, 1e-15]) {
                let part = (share * length as f64) as u64;
                let value = line.at(Instant::from_nanos(start + part));
                let (least, most) = (from.min(to), from.max(to));
                prop_assert!((least..=most).contains(&value), "{} is outside", value);
                let by_division = from + (to - from) * (part as f64 / length as f64);
                let tolerance = 1e-15 * from.abs().max(to.abs());
                prop_assert!((value - by_division).abs() <= tolerance, "{}, not {}", value, by_division);
            }
        }
    }

    /// Values of joints, and of any size whose slopes are not too small for a number.
    fn value() -> impl Strategy<Value = f64> {
        prop_oneof![
            -4.0f64..4.0,
            Just(0.0),
            (-4.0f64..4.0).prop_map(|value| (value * 100.0).round() / 100.0),
            (-1.0f64..1.0, -200i32..300).prop_map(|(value, power)| value * 10f64.powi(power)),
        ]
    }
}
