//! What a turn was like for the guests: what the troupe heard, and what everyone on stage did.
//! Asked after the turn, by whoever records it or makes it again.
//! The law: asking allocates nothing, and changes nothing.

use super::GuestScheduler;
use crate::turn::inputs::{InputLog, TurnInput};
use crate::turn::slot::{GuestSlot, GuestTurn};

/// What of one turn is noted for whoever records it: more than any score sends that a lane can take.
const HEARD: usize = 16_384;

impl GuestScheduler {
    /// From here on it is noted what the troupe hears; to be called before the first turn.
    pub fn log_inputs(&mut self) {
        self.inputs = InputLog::new(HEARD);
    }

    /// What was heard in the last turn, and whether all of it was noted.
    pub fn inputs(&self) -> (&[TurnInput], bool) {
        (self.inputs.inputs(), !self.inputs.missed)
    }

    /// Everyone who is on stage, or leaves it, after this turn; the older first.
    pub fn guest_turns(&self, turn: u64) -> impl Iterator<Item = GuestTurn> {
        let mut after = None;
        std::iter::from_fn(move || {
            let younger = |it: &&(u64, GuestSlot)| after.is_none_or(|age| it.0 > age);
            let (age, slot) = self.slots.iter().filter(younger).min_by_key(|it| it.0)?;
            after = Some(*age);
            Some(slot.turn(turn))
        })
    }
}
