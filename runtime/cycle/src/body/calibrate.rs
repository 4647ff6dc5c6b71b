//! Converts between an actuator's unit and its board's counts: gain, offset, rounding.
//! Used by the last step before sending and the first step after receiving.
//! Values are rounded to the nearest count, halves away from zero, and never out of the range.

use super::Range;

/// `value = counts * gain + offset`, in both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Units per count. Not zero; negative for a reversed motor.
    pub gain: f64,
    /// The value at count zero.
    pub offset: f64,
    /// Whether the board counts in whole numbers.
    pub whole: bool,
}

impl Calibration {
    /// The board uses the actuator's own unit, without rounding.
    pub const NONE: Calibration = Calibration {
        gain: 1.0,
        offset: 0.0,
        whole: false,
    };

    /// Whole counts of `gain` units each, zero at zero.
    pub const fn steps(gain: f64) -> Calibration {
        Calibration {
            gain,
            offset: 0.0,
            whole: true,
        }
    }

    /// The value of `counts`.
    pub fn value(self, counts: f64) -> f64 {
        counts * self.gain + self.offset
    }

    /// The counts for `value`, which lies in `range`: the nearest ones in the range.
    pub fn counts(self, value: f64, range: Range) -> f64 {
        if self == Calibration::NONE {
            return value;
        }
        let exact = (value - self.offset) / self.gain;
        if !self.whole {
            return exact;
        }
        let nearest = libm::round(exact);
        if range.holds(self.value(nearest)) {
            return nearest;
        }
        // Rounding left the range by a fraction of a count: take the neighbour inside.
        let inward = nearest + libm::copysign(1.0, exact - nearest);
        if range.holds(self.value(inward)) {
            inward
        } else {
            nearest
        }
    }

    pub(crate) fn is_sound(self) -> bool {
        self.gain.is_finite() && self.gain != 0.0 && self.offset.is_finite()
    }

    /// Whether the nearest count to each end, rounded inwards, lies inside `range`.
    pub(crate) fn reaches(self, range: Range) -> bool {
        let reached = |value| {
            let value = self.value(self.counts(value, range));
            !self.whole || range.holds(value)
        };
        reached(range.min) && reached(range.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Range = Range {
        min: -1e6,
        max: 1e6,
    };

    #[test]
    fn halves_round_away_from_zero() {
        let whole = Calibration::steps(1.0);
        let rounded =
            [22.5, -22.5, 6.66, 27.5, 0.49999999999999994].map(|value| whole.counts(value, WIDE));
        assert_eq!(rounded, [23.0, -23.0, 7.0, 28.0, 0.0]);
    }

    #[test]
    fn gain_and_offset_are_the_naos() {
        let calibration = Calibration {
            gain: 0.5,
            offset: 10.0,
            whole: true,
        };
        assert_eq!(calibration.counts(12.0, WIDE), 4.0);
        assert_eq!(calibration.value(4.0), 12.0);
    }

    #[test]
    fn rounding_never_leaves_the_range() {
        let range = Range {
            min: -2.0857,
            max: 2.0857,
        };
        let calibration = Calibration::steps(0.001);
        assert_eq!(calibration.counts(2.0857, range), 2085.0);
        assert_eq!(calibration.counts(-2.0857, range), -2085.0);
    }

    #[test]
    fn a_range_between_two_counts_is_not_reached() {
        assert!(!Calibration::steps(1.0).reaches(Range { min: 0.2, max: 0.8 }));
        assert!(Calibration::steps(1.0).reaches(Range { min: 0.2, max: 1.0 }));
    }
}
