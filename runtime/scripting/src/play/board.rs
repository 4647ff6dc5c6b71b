//! The board and the hooks of a script.
//! Owned by the player, called by the turn.
//! The board reads what the script says, and nothing else.

use cycle::{ActuatorId, Answer, Board, Hooks, Incoming, Instant, LaneId, Outgoing, Stage};

use super::refused;
use crate::script::DirectOutput;

/// The board of a script: it reads what the script says.
pub(crate) struct ScriptedBoard {
    pub(crate) readings: Vec<f64>,
    pub(crate) silent: Vec<bool>,
    /// How many turns after it was sent a board acknowledges a frame.
    pub(crate) ack_delay: u64,
}

impl Board for ScriptedBoard {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) {
        back.counts.copy_from_slice(&self.readings);
        for (answer, silent) in back.answers.iter_mut().zip(&self.silent) {
            let acknowledged = out.turn.saturating_sub(self.ack_delay);
            *answer = Answer {
                answered: !silent,
                acknowledged,
                error: 0,
            };
        }
    }
}

/// The hooks of a script: what it drives directly, set anew in every turn.
#[derive(Default)]
pub(crate) struct DirectHooks {
    pub(crate) list: Vec<DirectCommand>,
    pub(crate) refusals: Vec<String>,
}

/// One of them, repeated in every turn until an instant.
pub(crate) struct DirectCommand {
    pub(crate) lane: LaneId,
    pub(crate) actuator: ActuatorId,
    pub(crate) output: DirectOutput,
    pub(crate) weight: f64,
    pub(crate) until: Instant,
}

impl Hooks for DirectHooks {
    fn pre_process(&mut self, stage: &mut Stage<'_>) {
        for drive in &self.list {
            let set = match drive.output {
                DirectOutput::Value(value) => {
                    stage.drive(drive.lane, drive.actuator, value, drive.weight)
                }
                DirectOutput::Gains(gains) => {
                    stage.set_gains(drive.lane, drive.actuator, gains, drive.weight)
                }
            };
            if let Err(refusal) = set {
                self.refusals.push(refused(&refusal));
            }
        }
        let now = stage.now();
        self.list.retain(|drive| drive.until > now);
    }

    fn post_process(&mut self, _: &mut Stage<'_>) {}
}
