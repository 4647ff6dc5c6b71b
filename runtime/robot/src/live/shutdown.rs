//! How a loop ends: softly, holding, or at once.
//! Called by the loop after every turn.
//! A loop that stops softly makes the body limp only in the safe pose.

use cycle::{Report, Stage, State};

use super::request::Operation;
use description::Leave;

/// How a loop has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopEnding {
    /// All requested turns are made.
    Over,
    /// Softly: the body is limp.
    Softly,
    /// At once, by the description's policy: the motors are limp.
    Released,
    /// At once, by the description's policy: the motors hold their last value.
    Holding,
}

/// The shutdown of a loop.
#[derive(Debug)]
pub(super) struct Shutdown {
    policy: Leave,
    followed: u32,
    /// Whether the next turn makes the motors limp, and is the last.
    released: bool,
    /// The last operation on the body.
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

    /// The operation on the body since the last call.
    pub(super) fn did(&mut self) -> Option<Operation> {
        self.did.take()
    }

    /// Carries out the next step of the shutdown after `asked` requests; returns the ending once the loop may end.
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
            // After an emergency stop the body goes limp where it is.
            1 | 2 if report.state == State::Estop => {
                let _ = stage.disarm();
                self.did = Some(Operation::Disarm);
                None
            }
            1 => {
                if is_new {
                    // Possible in every powered state.
                    let _ = stage.retreat();
                    self.did = Some(Operation::Retreat);
                }
                None
            }
            2 => {
                if is_new {
                    // If it is refused, the body is already going limp.
                    let _ = stage.hold();
                    self.did = Some(Operation::Hold);
                }
                None
            }
            _ if self.policy == Leave::Hold => Some(LoopEnding::Holding),
            _ => {
                // If it is refused, the body is limp already.
                let _ = stage.disarm();
                self.did = Some(Operation::Disarm);
                self.released = true;
                None
            }
        }
    }
}
