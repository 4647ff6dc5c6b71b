//! What the troupe is told from outside, and what it tells: the two rings between the loop and the director.
//! The law: a guest that comes in is ready, and one that goes is freed on the other side.

use cycle::Span;
use rtrb::{Consumer, Producer};

use crate::shared::report::{End, Hook};
use crate::shared::terms::GuestId;
use crate::turn::guest::{ArmedGuest, SpentGuest};
use crate::turn::inputs::TurnInput;
use crate::turn::score::ArmedScore;

/// What the troupe is told from outside.
#[derive(Debug)]
pub(crate) enum GuestCommand {
    /// A motion comes in.
    Enter(ArmedGuest),
    /// A score comes in.
    EnterScore(ArmedScore),
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
    Swap(GuestId, ArmedGuest, Span),
    /// The clock has cut a guest in this hook, when all this was for the first time.
    Cut(GuestId, Hook),
}

impl GuestCommand {
    /// What is heard when this is taken; a cut is heard when it comes true.
    pub(crate) fn input(&self) -> Option<TurnInput> {
        Some(match self {
            GuestCommand::Enter(armed) => TurnInput::Enter(armed.0.id),
            GuestCommand::EnterScore(score) => TurnInput::Enter(score.id),
            GuestCommand::End(id, end) => TurnInput::End(*id, *end),
            GuestCommand::Pause(id, paused) => TurnInput::Pause(*id, *paused),
            GuestCommand::Turn(id, param, value) => TurnInput::Turn(*id, *param as u32, *value),
            GuestCommand::Priority(id, priority) => TurnInput::Priority(*id, *priority),
            GuestCommand::Weight(id, weight) => TurnInput::Weight(*id, *weight),
            GuestCommand::Swap(old, new, fade) => TurnInput::Swap(*old, new.0.id, *fade),
            GuestCommand::Cut(..) => return None,
        })
    }
}

/// What the troupe tells.
#[derive(Debug)]
pub(crate) enum GuestNotice {
    /// A guest has had its last turn.
    Spent(SpentGuest),
    /// A score's lane is gone, and with it the loop's end of its ring.
    ScoreSpent(ArmedScore),
    /// A guest's lane is gone.
    Gone(GuestId),
}

/// The outside end.
#[derive(Debug)]
pub(crate) struct GuestChannel {
    pub(crate) commands: Producer<GuestCommand>,
    pub(crate) notices: Consumer<GuestNotice>,
}
