//! The inputs of a turn: the commands that reached the scheduler, and what scores have sent.
//! Logged inside the turn for whoever records a run; sent again by whoever replays it.
//! The same components, the same sensors and the same inputs give the same turn.

use cycle::Span;

use crate::shared::report::{End, Hook};
use crate::shared::terms::GuestId;

/// An input of a turn; they are logged in their order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TurnInput {
    /// A guest came in.
    Enter(GuestId),
    /// A guest was ended.
    End(GuestId, End),
    /// A guest was paused, or resumed.
    Pause(GuestId, bool),
    /// A parameter was set: its place among the declared ones, and its value.
    Turn(GuestId, u32, f64),
    /// A guest's lane got another priority.
    Priority(GuestId, f64),
    /// A guest's lane got another weight.
    Weight(GuestId, f64),
    /// The second guest took over from the first; one fades into the other in this time.
    Swap(GuestId, GuestId, Span),
    /// A score's item was taken.
    Item(GuestId, [u64; 4]),
    /// A score's item was read, and is left for the next turn.
    Waits(GuestId, [u64; 4]),
    /// A score has ended, for this reason; it sends nothing more.
    Over(GuestId, End),
    /// The clock has interrupted a guest in this hook, before its fuel ran out.
    Cut(GuestId, Hook),
    /// A guest was not called, because the hooks of this turn had used up their time: neither this hook nor those
    /// that follow it.
    PassedOver(GuestId, Hook),
}

/// The inputs of one turn, as far as there is room.
#[derive(Debug, Default)]
pub(crate) struct InputLog {
    inputs: Vec<TurnInput>,
    room: usize,
    /// There was no room for all inputs.
    pub(crate) missed: bool,
}

impl InputLog {
    /// A log with so much room; with none, nothing is logged.
    pub(crate) fn new(room: usize) -> InputLog {
        InputLog {
            inputs: Vec::with_capacity(room),
            room,
            missed: false,
        }
    }

    /// A turn begins.
    pub(crate) fn begin(&mut self) {
        self.inputs.clear();
        self.missed = false;
    }

    pub(crate) fn push(&mut self, what: TurnInput) {
        if self.inputs.len() < self.room {
            self.inputs.push(what);
        } else {
            self.missed = self.room > 0;
        }
    }

    pub(crate) fn inputs(&self) -> &[TurnInput] {
        &self.inputs
    }
}
