//! How the loop tells a recording what it was asked and what it did. `recording` implements it.
//! In a turn it neither allocates nor waits; in virtual time alone the loop may wait for room.

use std::fmt::Debug;

use cycle::{LaneId, Report, View};
use guests::GuestScheduler;

use super::request::{LoopRequest, Operation};

/// Commands of one turn that are told of.
pub const COMMANDS_MAX: usize = 16_384;

/// Hears of each turn, on the loop's thread.
pub trait TurnRecorder: Debug + Send {
    /// Something was asked of the loop: `between` turns, or in the turn that is. `lane` is the client's own, if it has
    /// one.
    fn asked(&mut self, order: &LoopRequest, lane: Option<LaneId>, between: bool);

    /// The loop itself did this after the turn.
    fn did(&mut self, operation: Operation);

    /// The turn is over.
    fn closed(&mut self, view: &View<'_>, report: &Report, guests: Option<&GuestScheduler>);
}
