//! The frames of one turn: targets out, readings in.
//! The turn fills one and the boards the other; the drivers convert them to bytes.
//! An outgoing frame has only values that passed the limits.

use crate::body::{ActuatorId, Gains};
use crate::time::Instant;

/// One actuator's target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Target {
    /// In the board's counts; a whole number where the board counts in whole numbers.
    pub counts: f64,
    /// The joint's gains, faded with the body's power.
    pub gains: Gains,
}

/// A trigger that fires in this turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fire {
    /// The trigger.
    pub actuator: ActuatorId,
    /// Its value, in the board's counts.
    pub counts: f64,
    /// When it was due.
    pub at: Instant,
}

impl Fire {
    /// A free place.
    pub const FREE: Fire = Fire {
        actuator: ActuatorId(0),
        counts: 0.0,
        at: Instant::ZERO,
    };
}

/// The frame to the boards.
#[derive(Debug)]
pub struct Outgoing<'a> {
    /// The number of the turn; a board acknowledges it.
    pub turn: u64,
    /// The instant of the turn.
    pub now: Instant,
    /// Whether the motors may exert force at all.
    pub powered: bool,
    /// One target for each actuator; those of triggers are unused.
    pub targets: &'a [Target],
    /// The triggers that fire, the earliest first.
    pub fires: &'a [Fire],
}

/// The answer of one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether the board answered in this turn.
    pub answered: bool,
    /// The last turn whose frame the board has acknowledged; 0 for none.
    pub acknowledged: u64,
    /// The driver's code for the board's own error or for why it did not answer; 0 for none.
    pub error: u16,
}

/// The frame from the boards. Readings of a board that did not answer stay unchanged.
#[derive(Debug)]
pub struct Incoming<'a> {
    /// One reading for each sensor, in the board's counts.
    pub counts: &'a mut [f64],
    /// One answer for each board; all are "not answered" when the exchange begins.
    pub answers: &'a mut [Answer],
}
