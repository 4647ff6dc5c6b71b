//! What a turn was like for the guests: what the troupe heard, and what everyone on stage did.
//! Asked after the turn, by whoever records it or makes it again.
//! The law: asking allocates nothing, and changes nothing.

use super::Troupe;
use crate::turn::inputs::{Ear, Heard};
use crate::turn::slot::{Actor, Performed};

/// What of one turn is noted for whoever records it: more than any score sends that a lane can take.
const HEARD: usize = 16_384;

impl Troupe {
    /// From here on it is noted what the troupe hears; to be called before the first turn.
    pub fn listen(&mut self) {
        self.ear = Ear::new(HEARD);
    }

    /// What was heard in the last turn, and whether all of it was noted.
    pub fn heard(&self) -> (&[Heard], bool) {
        (self.ear.heard(), !self.ear.missed)
    }

    /// Everyone who is on stage, or leaves it, after this turn; the older first.
    pub fn performed(&self, turn: u64) -> impl Iterator<Item = Performed> {
        let mut after = None;
        std::iter::from_fn(move || {
            let younger = |it: &&(u64, Actor)| after.is_none_or(|age| it.0 > age);
            let (age, actor) = self.actors.iter().filter(younger).min_by_key(|it| it.0)?;
            after = Some(*age);
            Some(actor.performed(turn))
        })
    }
}
