//! Takes over a board from another host without relaxing its motors.
//! Used by a guardian, in an ordinary session.
//! It asks no questions, because they would relax the motors; a board without force gets none.

use cycle::Span;
use wire::{Direction, Refused, Row, Up};

use super::{Layout, Phase, Session};

impl Session {
    /// A session with a board of this layout that another host has driven until now. It does not read the table,
    /// because a question would relax the motors.
    pub fn taking_over(layout: Layout, period: Span) -> Session {
        let mut session = Session::new(layout, period);
        let outputs = session
            .layout
            .outputs
            .iter()
            .map(|_| Row::unspecified(Direction::Output));
        session.rows.extend(outputs);
        session.phase = Phase::Running;
        (session.adopts, session.keeps, session.is_fresh) = (true, true, true);
        session
    }

    /// Learns the boot count and the sequence from a board's answer; true if there was something to learn.
    pub(super) fn learn(&mut self, up: &Up<'_>) -> bool {
        // The board was driven until now: if it has no force, it has relaxed its motors or lost its state.
        self.let_go |= !up.powered;
        let boots = std::mem::replace(&mut self.boots, up.boots);
        match up.refused {
            _ if boots != up.boots => true,
            // The sequence is not newer than the other host's last one: continue from there.
            Some(Refused::Sequence) => {
                self.sequence = up.acknowledged;
                true
            }
            Some(_) => true,
            // The answer acknowledges a frame of the other host, or none.
            None if self.sent.turn_of(up.acknowledged).is_none() => true,
            None => {
                self.adopts = false;
                false
            }
        }
    }
}
