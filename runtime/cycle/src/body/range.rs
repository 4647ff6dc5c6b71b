//! The allowed values of an actuator.
//! Used by the body's table, by requests and by the limits.
//! A clipped value lies in the range, whatever it was before.

/// A closed range of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The lowest value allowed.
    pub min: f64,
    /// The highest value allowed.
    pub max: f64,
}

impl Range {
    /// Every number.
    pub const ALL: Range = Range {
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
    };

    /// The value in this range that is nearest to `value`.
    pub const fn clamp(self, value: f64) -> f64 {
        // Not `f64::clamp`, which panics on a crossed range: this must be total.
        if value < self.min {
            self.min
        } else if value > self.max {
            self.max
        } else {
            value
        }
    }

    /// The smallest range that has this value as well.
    pub(crate) const fn including(self, value: f64) -> Range {
        Range {
            min: self.min.min(value),
            max: self.max.max(value),
        }
    }

    /// Whether `value` lies in this range; NaN lies in none.
    pub const fn holds(self, value: f64) -> bool {
        value >= self.min && value <= self.max
    }

    pub(super) const fn is_sound(self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min <= self.max
    }
}
