//! The channel between the scheduler and whoever stands outside the loop: a ring buffer of commands, and
//! one of notices.
//! A guest that comes in is ready to run, and one that goes is freed outside the loop.

use cycle::Span;
use rtrb::{Consumer, Producer};

use crate::shared::report::{End, Hook};
use crate::shared::terms::GuestId;
use crate::shared::topics::GuestTopics;
use crate::turn::guest::{ArmedGuest, SpentGuest};
use crate::turn::inputs::TurnInput;
use crate::turn::score::ArmedScore;

/// A command to the scheduler.
#[derive(Debug)]
pub(crate) enum GuestCommand {
    /// Adds a motion.
    Enter(ArmedGuest),
    /// Adds a score.
    EnterScore(ArmedScore),
    /// Ends a guest.
    End(GuestId, End),
    /// Pauses or resumes a guest.
    Pause(GuestId, bool),
    /// Sets a parameter.
    Turn(GuestId, usize, f64),
    /// Sets the priority of a guest's lane.
    Priority(GuestId, f64),
    /// Sets the weight of a guest's lane.
    Weight(GuestId, f64),
    /// The second guest takes over from the first; one fades into the other in this time.
    Swap(GuestId, ArmedGuest, Span),
    /// In the recorded run the clock interrupted the guest in this hook: it ends there again.
    Cut(GuestId, Hook),
    /// In the recorded run this guest was not called in this turn, from this hook on.
    PassOver(GuestId, Hook),
}

impl GuestCommand {
    /// Whether it only sets a number. All of those that were sent at once are taken in one turn, and of what a replay
    /// repeats there may be two for each guest.
    pub(crate) fn is_figure(&self) -> bool {
        matches!(
            self,
            GuestCommand::Turn(..)
                | GuestCommand::Priority(..)
                | GuestCommand::Weight(..)
                | GuestCommand::PassOver(..)
        )
    }

    /// The input that this command is; what a replay repeats becomes an input when it happens.
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
            GuestCommand::Cut(..) | GuestCommand::PassOver(..) => return None,
        })
    }
}

/// A notice of the scheduler.
#[derive(Debug)]
pub(crate) enum GuestNotice {
    /// A guest has had its last turn.
    Spent(SpentGuest),
    /// A score's lane is gone, and with it the loop's end of its ring.
    ScoreSpent(ArmedScore),
    /// A guest's lane is gone.
    Gone(GuestId),
    /// Nothing more is posted to the topics of a guest that is gone.
    Released(GuestTopics),
}

/// The end of the channel outside the loop.
#[derive(Debug)]
pub(crate) struct GuestChannel {
    pub(crate) commands: Producer<GuestCommand>,
    pub(crate) notices: Consumer<GuestNotice>,
}
