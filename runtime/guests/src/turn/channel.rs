//! What the troupe is told from outside, and what it tells: the two rings between the loop and the director.
//! The law: a guest that comes in is ready, and one that goes is freed on the other side.

use cycle::Span;
use rtrb::{Consumer, Producer};

use crate::shared::report::{End, Hook};
use crate::shared::terms::GuestId;
use crate::turn::guest::{Armed, Spent};
use crate::turn::inputs::Heard;
use crate::turn::score::Part;

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
    /// The clock has cut a guest in this hook, when all this was for the first time.
    Cut(GuestId, Hook),
}

impl Cue {
    /// What is heard when this is taken; a cut is heard when it comes true.
    pub(crate) fn heard(&self) -> Option<Heard> {
        Some(match self {
            Cue::Enter(armed) => Heard::Enter(armed.0.id),
            Cue::EnterScore(part) => Heard::Enter(part.id),
            Cue::End(id, end) => Heard::End(*id, *end),
            Cue::Pause(id, paused) => Heard::Pause(*id, *paused),
            Cue::Turn(id, param, value) => Heard::Turn(*id, *param as u32, *value),
            Cue::Priority(id, priority) => Heard::Priority(*id, *priority),
            Cue::Weight(id, weight) => Heard::Weight(*id, *weight),
            Cue::Swap(old, new, fade) => Heard::Swap(*old, new.0.id, *fade),
            Cue::Cut(..) => return None,
        })
    }
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
