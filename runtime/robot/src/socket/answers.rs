//! Converts the loop's answers into replies of the socket.
//! Used by the request handler. Each error has a fix, unless only the caller can know it.

use ::protocol::{ErrorCode, ReplyBody, RequestError, TakenCommands};
use cycle::NotNow;
use drivers::faults::{Fault, error_name};
use drivers::sim::{BOXES_MAX, STEPS_MAX};

use super::handler::RequestHandler;
use super::refusals::refused;
use crate::live::LoopAnswer;
use crate::states::{phrase, possible};

impl RequestHandler {
    /// The reply for an answer of the loop.
    pub(super) fn reply(&self, answer: LoopAnswer) -> Result<ReplyBody, RequestError> {
        match answer {
            LoopAnswer::Taken(receipt, remarks) => Ok(ReplyBody::Taken(TakenCommands {
                ticket: receipt.ticket.0,
                followed: receipt.followed,
                commands: receipt.taken,
                late: receipt.late,
                clipped: receipt.clipped,
                shared: remarks.shared,
                limp: remarks.limp,
                coupled: remarks.coupled,
                needs_ns: remarks.needs.nanos(),
                clipped_names: Vec::new(),
            })),
            LoopAnswer::Became(state) => Ok(ReplyBody::State(state.name().to_owned())),
            LoopAnswer::Done | LoopAnswer::Prepared { .. } | LoopAnswer::Told { .. }
            | LoopAnswer::Removed { .. } => {
                Ok(ReplyBody::Done)
            },
            LoopAnswer::Calibrated(_) | LoopAnswer::LaneOpened(_) | LoopAnswer::Lane(_) => Ok(ReplyBody::Done),
            LoopAnswer::LaneNotOpened(_) => Err(ErrorCode::Full.error("the body has no more lanes")),
            LoopAnswer::NotCalibrated(why) => Err(ErrorCode::NotNow.error(why.name())),
            LoopAnswer::Refused(refusal) => Err(refused(self.robot(), refusal)),
            LoopAnswer::NotNow(NotNow::State(state)) => Err(ErrorCode::NotNow.error(
                format!("not possible while the body is {}", phrase(state)),
            )
            .fix(possible(state))),
            LoopAnswer::NotNow(NotNow::NotReady) => Err(ErrorCode::NotReady.error(
                "there are not enough readings yet, or a board does not answer",
            )
            .fix("wait a second, then look for a silent board with `dcm-run get`")),
            LoopAnswer::NotNow(NotNow::Missing(board, error)) => {
                let name = self.robot().boards.get(usize::from(board.0));
                let name = name.map_or("", |name| name.name.as_str());
                let why = Fault::of_error(error).map_or("look at the board", Fault::remedy);
                let sentence = format!("the board `{name}` has a fault: {}", error_name(error));
                Err(ErrorCode::NotReady.error(sentence).fix(why))
            }
            LoopAnswer::Real => Err(ErrorCode::RealBoard.error("this works only in simulation, and the board is real")
                .fix("do it by hand, or simulate the robot with `dcm-run run --sim`")),
            LoopAnswer::FloorFull => Err(ErrorCode::Full
                .error(format!("the floor holds {BOXES_MAX} boxes, and {STEPS_MAX} steps and fixed boxes"))
                .fix("take them away: `dcm-run sim floor empty`")),
            LoopAnswer::FloorOccupied => Err(ErrorCode::NotNow
                .error("a box is where these steps would be")
                .fix("take it away: `dcm-run sim floor empty`, or build them farther away")),
            LoopAnswer::Unguarded => Err(ErrorCode::NotGuarded.error(
                "the body is not armed without a guardian: its guardian has gone, and another one is started",
            )
            .fix("wait a second and try again; if that fails, see `dcm-run events`")),
            LoopAnswer::NotStepped | LoopAnswer::Waiting => {
                Err(ErrorCode::NotHere.error("this loop is not stepped")
                    .fix("start it with `dcm-run run --sim --step`"))
            }
        }
    }
}
