//! A board that another host drove until now, and that must not let go of its motors meanwhile.
//! Used by a guardian, through the same conversation as any other.
//! The law: such a board is not asked, because it would let go; and one that has no force any more gets none from here.

use cycle::Span;
use wire::{Direction, Refused, Row, Up};

use super::{Layout, Phase, Session};

impl Session {
    /// With a board of this layout that another host has driven until now, and that must not let go of its motors: so
    /// it is not asked for its table, which would make it let go, but driven on.
    pub fn taking_over(layout: Layout, period: Span) -> Session {
        let mut session = Session::new(layout, period);
        let outputs = session
            .layout
            .outputs
            .iter()
            .map(|_| Row::untold(Direction::Output));
        session.rows.extend(outputs);
        session.phase = Phase::Running;
        (session.adopts, session.keeps, session.is_fresh) = (true, true, true);
        session
    }

    /// What a board that is taken over counts; whether something had to be learned.
    pub(super) fn learn(&mut self, up: &Up<'_>) -> bool {
        // It was driven until now: one that has no force has forgotten it, or has let go.
        self.let_go |= !up.powered;
        let boots = std::mem::replace(&mut self.boots, up.boots);
        match up.refused {
            _ if boots != up.boots => true,
            // Not newer than the other host's last: it goes on from there.
            Some(Refused::Sequence) => {
                self.sequence = up.acknowledged;
                true
            }
            Some(_) => true,
            // The answer to what the other host sent, or to nothing yet.
            None if self.sent.turn_of(up.acknowledged).is_none() => true,
            None => {
                self.adopts = false;
                false
            }
        }
    }
}
