//! The traits of a recording, which `recording` implements. The loop reports its requests and turns to a
//! [`TurnRecorder`]; the guests' service reports admitted guests and their log lines to a [`GuestRecorder`].
//! The law: a turn's recorder neither allocates nor waits; only in virtual time may the loop wait for free space.

use std::fmt::Debug;

use cycle::{Report, Span, View};
use guests::{Choreography, GuestId, GuestLogLine, GuestScheduler, LoadOptions, PendingGuest};

use crate::live::{LoopRequest, Operation};

/// The commands of one turn that are reported.
pub const COMMANDS_MAX: usize = 16_384;

/// Records turns, on the loop's thread.
pub trait TurnRecorder: Debug + Send {
    /// The loop takes this request: `between` two turns, or in the current turn.
    fn asked(&mut self, order: &LoopRequest, between: bool);

    /// The loop itself carried out this operation after the turn.
    fn did(&mut self, operation: Operation);

    /// The turn has ended.
    fn closed(&mut self, view: &View<'_>, report: &Report, guests: Option<&GuestScheduler>);
}

/// Records guests, outside the loop.
pub trait GuestRecorder: Debug + Send + Sync {
    /// A guest made of these bytes is about to be admitted.
    fn enters(&self, guest: &Entering<'_>, bytes: &[u8]);

    /// A guest has written a log line.
    fn says(&self, said: GuestLogLine);
}

/// A guest that is about to be admitted: everything that is needed to load it again.
#[derive(Debug)]
pub struct Entering<'e> {
    /// Its code and its grant.
    pub choreography: &'e Choreography,
    /// The guest itself.
    pub guest: &'e PendingGuest,
    /// The name of its file.
    pub file: Option<&'e str>,
    /// Its options.
    pub options: &'e LoadOptions,
    /// The guest that it replaces, and the time of the fade.
    pub instead: Option<(GuestId, Span)>,
    /// Whether time is virtual.
    pub virtual_time: bool,
}
