//! What a cycle is told at start-up besides its body.

use crate::safety::{LimpCommands, RampTimes};
use crate::thresholds::FaultThresholds;
use crate::time::Span;

/// The settings of the cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The time from one turn to the next.
    pub period: Span,
    /// How long the body's own movements and the fades of its gains take.
    pub ramps: RampTimes,
    /// What becomes of the commands of a joint that was made limp.
    pub limp: LimpCommands,
    /// The thresholds at which the body reacts to faults.
    pub thresholds: FaultThresholds,
}

impl Settings {
    /// The usual ramps and thresholds at this period.
    pub fn at(period: Span) -> Settings {
        Settings {
            period,
            ramps: RampTimes::default(),
            limp: LimpCommands::default(),
            thresholds: FaultThresholds::at(period),
        }
    }
}
