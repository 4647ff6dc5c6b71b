//! A range that depends on the position of another actuator: HeadYaw limits the range of HeadPitch.
//! Used by the limits, after each actuator's own limits.
//! Between two rows the range is interpolated linearly; outside the table the nearest row applies.

use super::{Actuator, ActuatorId, Range};

/// One row: the driven actuator's range at this position of the driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CouplingRow {
    /// The driver's position.
    pub driver: f64,
    /// The driven actuator's range there.
    pub range: Range,
}

/// A table of ranges. An actuator may be in at most one.
#[derive(Clone, Copy, Debug)]
pub struct Coupling<'m> {
    /// The actuator whose position determines the range.
    pub driver: ActuatorId,
    /// The actuator whose range is limited.
    pub driven: ActuatorId,
    /// Rows with strictly rising driver values.
    pub rows: &'m [CouplingRow],
}

impl Coupling<'_> {
    /// The driven actuator's range at the position `driver`.
    pub fn range_at(&self, driver: f64) -> Range {
        let after = self.rows.partition_point(|row| row.driver <= driver);
        match (
            after.checked_sub(1).and_then(|place| self.rows.get(place)),
            self.rows.get(after),
        ) {
            (Some(low), Some(high)) => {
                let share = (driver - low.driver) / (high.driver - low.driver);
                let between = |from: f64, to: f64| from + (to - from) * share;
                Range {
                    min: between(low.range.min, high.range.min),
                    max: between(low.range.max, high.range.max),
                }
            }
            (Some(row), None) | (None, Some(row)) => row.range,
            // Refused by `is_sound`: a checked body has no empty table.
            (None, None) => Range {
                min: f64::NEG_INFINITY,
                max: f64::INFINITY,
            },
        }
    }

    pub(crate) fn shares(&self, other: &Coupling<'_>) -> bool {
        let mine = [self.driver, self.driven];
        mine.contains(&other.driver) || mine.contains(&other.driven)
    }

    pub(crate) fn is_sound(&self, actuators: &[Actuator<'_>]) -> bool {
        let (Some(_), Some(driven)) = (
            actuators.get(self.driver.index()),
            actuators.get(self.driven.index()),
        ) else {
            return false;
        };
        let inside = |row: &CouplingRow| {
            row.driver.is_finite()
                && row.range.min <= row.range.max
                && driven.range.holds(row.range.min)
                && driven.range.holds(row.range.max)
                && driven.calibration.reaches(row.range)
        };
        self.driver != self.driven
            && !self.rows.is_empty()
            && self.rows.iter().all(inside)
            && self
                .rows
                .windows(2)
                .all(|pair| pair[0].driver < pair[1].driver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [CouplingRow; 3] = [
        CouplingRow {
            driver: -1.0,
            range: Range {
                min: -0.2,
                max: 0.1,
            },
        },
        CouplingRow {
            driver: 0.0,
            range: Range {
                min: -0.6,
                max: 0.5,
            },
        },
        CouplingRow {
            driver: 1.0,
            range: Range {
                min: -0.2,
                max: 0.1,
            },
        },
    ];

    #[test]
    fn between_rows_the_range_is_a_line_and_outside_the_nearest_row_holds() {
        let table = Coupling {
            driver: ActuatorId(0),
            driven: ActuatorId(1),
            rows: &TABLE,
        };
        assert_eq!(table.range_at(0.0), TABLE[1].range);
        assert_eq!(table.range_at(9.0), TABLE[2].range);
        assert_eq!(table.range_at(-9.0), TABLE[0].range);
        let half = table.range_at(0.5);
        assert!((half.min + 0.4).abs() < 1e-12 && (half.max - 0.3).abs() < 1e-12);
    }
}
