//! How a recording hears of a run. The loop tells a [`TurnRecorder`] what it was asked and what it did; whoever
//! brings guests in tells a [`GuestRecorder`] who comes and what is said. `recording` implements both.
//! The law: a turn's recorder neither allocates nor waits; in virtual time alone the loop may wait for its room.

use std::fmt::Debug;

use cycle::{Report, Span, View};
use guests::{Choreography, GuestId, GuestLogLine, GuestScheduler, LoadOptions, PendingGuest};

use crate::live::{LoopRequest, Operation};

/// Commands of one turn that are told of.
pub const COMMANDS_MAX: usize = 16_384;

/// Hears of each turn, on the loop's thread.
pub trait TurnRecorder: Debug + Send {
    /// Something was asked of the loop: `between` turns, or in the turn that is.
    fn asked(&mut self, order: &LoopRequest, between: bool);

    /// The loop itself did this after the turn.
    fn did(&mut self, operation: Operation);

    /// The turn is over.
    fn closed(&mut self, view: &View<'_>, report: &Report, guests: Option<&GuestScheduler>);
}

/// Hears of guests, outside the loop.
pub trait GuestRecorder: Debug + Send + Sync {
    /// A guest of these bytes is about to come in.
    fn enters(&self, guest: &Entering<'_>, bytes: &[u8]);

    /// A guest has said something.
    fn says(&self, said: GuestLogLine);
}

/// A guest that is about to come in: all that it takes to bring it in again.
#[derive(Debug)]
pub struct Entering<'e> {
    /// Its code, and what it was granted.
    pub choreography: &'e Choreography,
    /// The guest itself.
    pub guest: &'e PendingGuest,
    /// The name of its file.
    pub file: Option<&'e str>,
    /// What was wished for it.
    pub options: &'e LoadOptions,
    /// Whom it takes over from, and in which time.
    pub instead: Option<(GuestId, Span)>,
    /// Time is virtual.
    pub virtual_time: bool,
}
