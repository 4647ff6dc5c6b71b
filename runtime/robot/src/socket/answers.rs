//! The loop's answers, as the socket's: what was done, or why it was not and what to do.
//! Used by the request handler. The law: whatever was not done is told with a way out.

use ::socket::{ReplyBody, Trouble};
use cycle::NotNow;
use drivers::faults::{Fault, error_name};

use super::handler::RequestHandler;
use super::refusals::refused;
use crate::live::LoopAnswer;
use crate::states::possible;

impl RequestHandler {
    /// An answer of the loop, in the words of the socket.
    pub(super) fn reply(&self, answer: LoopAnswer) -> Result<ReplyBody, Trouble> {
        match answer {
            LoopAnswer::Taken(receipt, remarks) => Ok(ReplyBody::Taken {
                commands: receipt.taken,
                late: receipt.late,
                clipped: receipt.clipped,
                shared: remarks.shared,
                limp: remarks.limp,
                coupled: remarks.coupled,
                needs_ns: remarks.needs.nanos(),
            }),
            LoopAnswer::Became(state) => Ok(ReplyBody::State(state.name().to_owned())),
            LoopAnswer::Done => Ok(ReplyBody::Done),
            LoopAnswer::Refused(refusal) => Err(refused(self.robot(), refusal)),
            LoopAnswer::NotNow(NotNow::State(state)) => Err(Trouble::new(
                "not-now",
                format!("that means nothing while the body is {}", state.name()),
            )
            .fix(possible(state))),
            LoopAnswer::NotNow(NotNow::NotReady) => Err(Trouble::new(
                "not-ready",
                "not enough readings have been made, or a board does not answer",
            )
            .fix("wait a second; then look at `dcm-run get` for a board without answers")),
            LoopAnswer::NotNow(NotNow::Missing(board, error)) => {
                let name = self.robot().boards.get(usize::from(board.0));
                let name = name.map_or("", |it| it.name.as_str());
                let why = Fault::of_error(error).map_or("look at the board", Fault::remedy);
                let sentence = format!("the board `{name}` does not answer as it should: {}", error_name(error));
                Err(Trouble::new("not-ready", sentence).fix(why))
            }
            LoopAnswer::Real => Err(Trouble::new("real", "that is real, not simulated")
                .fix("do it with your hands, or simulate the robot: `dcm-run run --sim`")),
            LoopAnswer::Unguarded => Err(Trouble::new(
                "not-guarded",
                "nobody would bring the body down if this loop died: its guardian has gone, and another is started",
            )
            .fix("wait a second and ask again; `dcm-run events` tells why, if none can be had")),
            LoopAnswer::NotStepped | LoopAnswer::Waiting => {
                Err(Trouble::new("not-here", "this loop is not stepped")
                    .fix("start it with `dcm-run run --sim --step`"))
            }
        }
    }
}
