//! What crosses the wire in one turn, one way: targets out, readings in.
//! Filled by the turn and by the board; the drivers give it bytes.
//! The law: only values that the limits have seen are in a frame that goes out.

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
    /// Which trigger.
    pub actuator: ActuatorId,
    /// With what, in the board's counts.
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

/// What goes to the boards.
#[derive(Debug)]
pub struct Outgoing<'a> {
    /// The number of the turn; a board acknowledges it.
    pub turn: u64,
    /// The instant of the turn.
    pub now: Instant,
    /// Whether the motors may exert force at all.
    pub powered: bool,
    /// One target for each actuator; those of triggers mean nothing.
    pub targets: &'a [Target],
    /// The triggers that fire, the earliest first.
    pub fires: &'a [Fire],
}

/// What one board said of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether the board answered in this turn.
    pub answered: bool,
    /// The last turn whose frame the board says it has taken; 0 for none.
    pub acknowledged: u64,
    /// The board's own error, or why it did not answer, by the number that its driver has for it; 0 for none.
    pub error: u16,
}

/// What comes from the boards. Readings of a board that did not answer stay as they were.
#[derive(Debug)]
pub struct Incoming<'a> {
    /// One reading for each sensor, in the board's counts.
    pub counts: &'a mut [f64],
    /// One answer for each board; all "did not answer" when the exchange begins.
    pub answers: &'a mut [Answer],
}
