//! Joints that were made limp: what was commanded before is dropped, if the description says so.
//! Called in every turn in which a joint is limp, before any request is taken in.
//! The law: when such a joint has force again, everything begins where it is.

use super::{LaneSet, Stage};
use crate::bits;
use crate::progress::Remover;
use crate::safety::LimpCommands;

impl Stage<'_> {
    /// Finds the joints that were made limp themselves: when the whole body is limp, shows wait for it. If commands are
    /// dropped, the timelines of these joints begin at their sensors, and only what is commanded from now on stays.
    pub(crate) fn follow_limp(&mut self, commands: LimpCommands) {
        for actuator in 0..self.body.actuators.len() {
            let track = &mut self.tracks[actuator];
            let gainless = self.body.actuators[actuator].gains.is_some() && track.gains.is_limp();
            let was_slack = track.slack;
            track.slack = track.limp && (track.loosened || gainless);
            // In the turn after the last one, too: the lines begin there.
            let is_over = was_slack && !track.slack;
            if !(track.slack || is_over) || commands == LimpCommands::Ease {
                continue;
            }
            let (held, begins) = (track.held, !was_slack);
            for at in 0..self.open {
                let place = usize::from(self.order[at]);
                let waits = bits::holds(self.set(place, LaneSet::Waits), actuator);
                if begins || !waits {
                    self.progress.remover = Remover::Limp;
                    self.let_go(place, actuator);
                    self.progress.remover = Remover::Lane;
                } else {
                    let row = self.timeline_place(place, actuator);
                    self.timelines[row].take_up(held);
                }
            }
        }
    }
}
