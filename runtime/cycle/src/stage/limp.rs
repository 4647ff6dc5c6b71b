//! Joints that were made limp: what was commanded before is dropped, if the description says so.
//! Called in every turn, before any request is taken in.
//! The law: when such a joint has force again, everything begins where it is. Direct outputs and gains stay: a hook
//! that drives a joint decides anew in every turn, and the joint returns to it at a bounded speed.

use super::{LaneSet, Stage};
use crate::bits;
use crate::body::ActuatorId;
use crate::limits;
use crate::progress::Remover;
use crate::safety::{LimpCommands, State};

impl Stage<'_> {
    /// Finds the joints that were made limp themselves, by their stiffness or gains. If commands are dropped, the
    /// timelines of these joints begin at their sensors, and only what is commanded from now on stays. While the whole
    /// body is limp, shows wait for it, and only clients' commands are dropped.
    pub(crate) fn follow_limp(&mut self, commands: LimpCommands) {
        if self.safety.is_limp() && commands == LimpCommands::Drop {
            self.drop_of_clients();
        }
        let runs = self.safety.state == State::Running && self.safety.power > 0.0;
        for actuator in 0..self.body.actuators.len() {
            let track = &mut self.tracks[actuator];
            let gainless = self.body.actuators[actuator].gains.is_some() && track.gains.is_limp();
            let was_slack = track.slack;
            track.slack = track.limp && (track.loosened || gainless);
            let held = track.held;
            let (begins, is_over) = (track.slack && !was_slack, was_slack && !track.slack);
            if !(track.slack || is_over) || !runs || commands == LimpCommands::Ease {
                continue;
            }
            for at in 0..self.open {
                let place = usize::from(self.order[at]);
                if begins {
                    self.drop_commands(place, actuator);
                }
                if bits::holds(self.set(place, LaneSet::Waits), actuator) {
                    let row = self.timeline_place(place, actuator);
                    self.timelines[row].take_up(held);
                } else if !is_over {
                    // What ran out while the joint was limp. What came with the force itself stays.
                    self.set_member(place, LaneSet::Claims, actuator, false);
                }
            }
        }
    }

    /// Drops the commands for the joints of a body that is limp as a whole, but for those of shows, which wait for it.
    fn drop_of_clients(&mut self) {
        for at in 0..self.open {
            let place = usize::from(self.order[at]);
            if self.lanes[place].settings.waits {
                continue;
            }
            for actuator in 0..self.body.actuators.len() {
                let waits = bits::holds(self.set(place, LaneSet::Waits), actuator);
                let claims = bits::holds(self.set(place, LaneSet::Claims), actuator);
                let kind = self.body.actuators[actuator].kind;
                if (waits || claims) && limits::is_jointed(kind) {
                    self.drop_commands(place, actuator);
                    self.set_member(place, LaneSet::Claims, actuator, false);
                }
            }
        }
    }

    /// Deletes a lane's commands for an actuator.
    fn drop_commands(&mut self, place: usize, actuator: usize) {
        let id = ActuatorId(actuator as u16);
        self.progress.remover = Remover::Limp;
        let (timeline, mut waiting) = self.timeline(place, actuator);
        let freed = timeline.chain.len();
        timeline.clear(id, &mut waiting);
        timeline.look(id, &waiting);
        self.progress.remover = Remover::Lane;
        self.lanes[place].used -= freed.min(self.lanes[place].used);
        self.set_member(place, LaneSet::Waits, actuator, false);
    }
}
