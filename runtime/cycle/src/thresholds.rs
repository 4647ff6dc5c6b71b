//! The thresholds at which the body reacts to faults: how many in a row, and how large.
//! Set once from the description; read by `monitor` and `joint_monitor`.
//! 0 turns means "never".

use crate::body::Range;
use crate::time::Span;

/// The thresholds at which the body reacts to faults. 0 turns means "never".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultThresholds {
    /// A turn is late when more than this has passed since the previous one.
    pub late_after: Span,
    /// After this many late turns in a row the body holds. As many periods without any turn are a stall, which is
    /// not caught up.
    pub late_to_hold: u32,
    /// After this many late turns in a row it goes to its safe pose.
    pub late_to_safe: u32,
    /// After this many turns without a board's answer the body holds.
    pub missing_to_hold: u32,
    /// After this many turns without an answer the board is lost, which is a fault.
    pub missing_to_lost: u32,
    /// The thresholds of a joint's readings.
    pub joint: JointThresholds,
}

impl FaultThresholds {
    /// The default thresholds at this period: half a period late; 5 and 50 late turns; 5 and 50 without an answer.
    pub fn at(period: Span) -> FaultThresholds {
        FaultThresholds {
            late_after: period + Span::from_nanos(period.nanos() / 2),
            late_to_hold: 5,
            late_to_safe: 50,
            missing_to_hold: 5,
            missing_to_lost: 50,
            joint: JointThresholds::USUAL,
        }
    }

    /// The time that was lost if so much has passed since the last turn: all but a period of a stall.
    pub(crate) fn lost_time(&self, elapsed: Span, period: Span) -> Span {
        let is_stall = self.late_to_hold > 0 && elapsed > period.times(self.late_to_hold.into());
        if is_stall {
            Span::from_nanos(elapsed.nanos() - period.nanos())
        } else {
            Span::ZERO
        }
    }
}

/// The thresholds of a joint's readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointThresholds {
    /// A reading beyond the range by more than this share of its width is impossible.
    pub impossible: f64,
    /// A joint that is farther from its target than this share of its range does not follow.
    pub follows: f64,
    /// After this many turns in a row without following the body holds; 0 for never.
    pub astray_to_hold: u32,
    /// After this many turns in a row without following there is a fault; 0 for never.
    pub astray_to_fault: u32,
}

impl JointThresholds {
    /// Whether a joint of this range can be at `reading`. NaN is impossible; nothing lies beyond an infinite range.
    pub(crate) fn is_possible(&self, range: Range, reading: f64) -> bool {
        let width = range.max - range.min;
        let beyond = (range.min - reading).max(reading - range.max);
        reading.is_finite() && !(width.is_finite() && beyond > self.impossible * width)
    }

    /// The defaults: a quarter of the range for both, and a hold after a second at a period of 10 ms.
    pub const USUAL: JointThresholds = JointThresholds {
        impossible: 0.25,
        follows: 0.25,
        astray_to_hold: 100,
        astray_to_fault: 0,
    };
}
