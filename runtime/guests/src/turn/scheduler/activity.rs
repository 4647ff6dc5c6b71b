//! What guests did in a turn, and which inputs it had.
//! Read after the turn, by whoever records it or compares a replay with it.
//! Reading allocates nothing and changes nothing.

use super::GuestScheduler;
use crate::turn::inputs::{InputLog, TurnInput};
use crate::turn::slot::{GuestSlot, GuestTurn};

/// Room for the inputs of one turn: more than scores can send that lanes have room for.
const INPUTS_PER_TURN: usize = 16_384;

impl GuestScheduler {
    /// Logs inputs from here on; to be called before the first turn.
    pub fn log_inputs(&mut self) {
        self.inputs = InputLog::new(INPUTS_PER_TURN);
    }

    /// The inputs of the last turn, and whether there was room for all of them.
    pub fn inputs(&self) -> (&[TurnInput], bool) {
        (self.inputs.inputs(), !self.inputs.missed)
    }

    /// What each guest did in this turn; the oldest guest first.
    pub fn guest_turns(&self, turn: u64) -> impl Iterator<Item = GuestTurn> {
        let mut after = None;
        std::iter::from_fn(move || {
            let younger = |pair: &&(u64, GuestSlot)| after.is_none_or(|age| pair.0 > age);
            let (age, slot) = self
                .slots
                .iter()
                .filter(younger)
                .min_by_key(|slot| slot.0)?;
            after = Some(*age);
            Some(slot.turn(turn))
        })
    }
}
