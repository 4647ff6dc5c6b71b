//! How a loop goes: softly, or holding, or at once.
//! Followed by the loop after every turn, once somebody has asked.
//! The law: whoever goes softly lets go only in the safe pose.

use cycle::{Report, Stage, State};

use super::request::Operation;
use description::Leave;

/// How a loop has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopEnding {
    /// All turns that were asked for are made.
    Over,
    /// Softly: the body is limp.
    Softly,
    /// At once, as the description says: the motors have let go.
    Released,
    /// At once, as the description says: the motors hold their last value.
    Holding,
}

/// The way out.
#[derive(Debug)]
pub(super) struct Shutdown {
    policy: Leave,
    followed: u32,
    /// The motors are told to let go in the turn that is coming, which is the last.
    released: bool,
    /// What was last done to the body.
    did: Option<Operation>,
}

impl Shutdown {
    pub(super) fn new(policy: Leave) -> Shutdown {
        Shutdown {
            policy,
            followed: 0,
            released: false,
            did: None,
        }
    }

    /// What was done to the body since this was asked last.
    pub(super) fn did(&mut self) -> Option<Operation> {
        self.did.take()
    }

    /// Does what being asked so often means; how the loop has gone, if it may go now.
    pub(super) fn follow(
        &mut self,
        asked: u32,
        report: &Report,
        stage: &mut Stage<'_>,
    ) -> Option<LoopEnding> {
        if self.released {
            return Some(LoopEnding::Released);
        }
        if asked == 0 {
            return None;
        }
        let is_new = asked > self.followed;
        self.followed = asked;
        let limp = report.power <= 0.0 && report.state != State::Armed;
        match asked {
            1 | 2 if limp => Some(LoopEnding::Softly),
            // Stopped where it is: there it lets go.
            1 | 2 if report.state == State::Estop => {
                let _ = stage.disarm();
                self.did = Some(Operation::Disarm);
                None
            }
            1 => {
                if is_new {
                    // From every powered state there is a way to the safe pose.
                    let _ = stage.retreat();
                    self.did = Some(Operation::Retreat);
                }
                None
            }
            2 => {
                if is_new {
                    // A body that cannot hold any more is on its way to being limp.
                    let _ = stage.hold();
                    self.did = Some(Operation::Hold);
                }
                None
            }
            _ if self.policy == Leave::Hold => Some(LoopEnding::Holding),
            _ => {
                // It is limp already, or it becomes so.
                let _ = stage.disarm();
                self.did = Some(Operation::Disarm);
                self.released = true;
                None
            }
        }
    }
}
