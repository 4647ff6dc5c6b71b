//! What the troupe is told from outside, and what it tells: the two rings between the loop and the director.
//! The law: a guest that comes in is ready, and one that goes is freed on the other side.

use cycle::Span;
use rtrb::{Consumer, Producer};

use crate::actor::Part;
use crate::guest::{Armed, GuestId, Spent};
use crate::report::End;

/// What the troupe is told from outside.
#[derive(Debug)]
pub(crate) enum Cue {
    /// A motion comes in.
    Enter(Armed),
    /// A score comes in.
    EnterScore(Part),
    /// A guest shall end.
    End(GuestId, End),
    /// A guest shall be heard no more, or again.
    Pause(GuestId, bool),
    /// A parameter is turned.
    Turn(GuestId, usize, f64),
    /// A guest's lane gets another priority.
    Priority(GuestId, f64),
    /// A guest's lane gets another weight.
    Weight(GuestId, f64),
    /// The second takes over from the first, in this time.
    Swap(GuestId, Armed, Span),
}

/// What the troupe tells.
#[derive(Debug)]
pub(crate) enum Note {
    /// A guest has had its last turn.
    Spent(Spent),
    /// A score's lane is gone, and with it the loop's end of its ring.
    ScoreSpent(Part),
    /// A guest's lane is gone.
    Gone(GuestId),
}

/// The outside end.
#[derive(Debug)]
pub(crate) struct Wings {
    pub(crate) cues: Producer<Cue>,
    pub(crate) notes: Consumer<Note>,
}
