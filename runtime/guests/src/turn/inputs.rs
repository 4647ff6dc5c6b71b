//! What the troupe heard in a turn from outside it: cues, and what scores have sent.
//! Noted inside the turn for whoever records a run; said again by whoever repeats one.
//! The law: with the same bytes, the same sensors and this, a turn is the same.

use cycle::Span;

use crate::shared::report::{End, Hook};
use crate::shared::terms::GuestId;

/// What was heard; in the order in which it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TurnInput {
    /// A guest came in.
    Enter(GuestId),
    /// A guest was ended.
    End(GuestId, End),
    /// A guest was to be heard no more, or again.
    Pause(GuestId, bool),
    /// A parameter was turned: its place among those that were declared, and its value.
    Turn(GuestId, u32, f64),
    /// A guest's lane got another priority.
    Priority(GuestId, f64),
    /// A guest's lane got another weight.
    Weight(GuestId, f64),
    /// The second took over from the first, in this time.
    Swap(GuestId, GuestId, Span),
    /// A score's item was taken.
    Item(GuestId, [u64; 4]),
    /// A score's item was looked at, and waits.
    Waits(GuestId, [u64; 4]),
    /// A score has ended by itself, for this reason; everything it sent is there.
    Over(GuestId, End),
    /// The clock, not the fuel, has ended a guest in this hook.
    Cut(GuestId, Hook),
}

/// What is heard in one turn, as far as there is room.
#[derive(Debug, Default)]
pub(crate) struct InputLog {
    inputs: Vec<TurnInput>,
    room: usize,
    /// Something found no room.
    pub(crate) missed: bool,
}

impl InputLog {
    /// An ear that hears nothing, or so much.
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
