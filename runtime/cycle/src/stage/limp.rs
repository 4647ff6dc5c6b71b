//! Limp joints: they follow their sensors, and what was commanded before is dropped, if the description says so.
//! Called in every turn, before any request is taken in.
//! When such a joint has force again, everything begins where it is. Direct outputs and gains stay: a hook
//! that drives a joint decides anew in every turn, and the joint returns to it at a bounded speed.

use super::operate::moves;
use super::{LaneSet, Stage};
use crate::bits;
use crate::body::{Actuator, ActuatorId};
use crate::progress::Remover;
use crate::safety::{LimpCommands, RampTimes, State};
use crate::settings::Settings;

impl Stage<'_> {
    /// Sets each limp joint to its sensor's value, so that the next motion starts from there.
    pub(crate) fn adopt_readings(&mut self, settings: &Settings) {
        let all_limp = self.safety.is_limp();
        let has_lost_force = all_limp && !self.was_limp;
        self.was_limp = all_limp;
        if has_lost_force {
            // Whoever arms it again does not expect it to move.
            self.drop_of_clients();
        }
        let any_limp = all_limp || self.tracks.iter().any(|track| track.limp || track.slack);
        if self.link.readings == 0 || !any_limp {
            return;
        }
        let (joints, period) = (settings.thresholds.joint, settings.period.seconds());
        // The farthest way in a turn: what is not farther outside is put at the edge.
        let step = |actuator: &Actuator<'_>| match actuator.velocity.is_finite() {
            true => actuator.velocity * period,
            false => settings.ramps.return_step(actuator, period),
        };
        for (actuator, track) in self.body.actuators.iter().zip(self.tracks.iter_mut()) {
            let limp = (track.limp || all_limp) && actuator.kind.is_jointed();
            let Some(sensor) = actuator.sensor.filter(|_| limp) else {
                continue;
            };
            let measured = self.values[sensor.index()];
            let inside = track.range(actuator).clamp(measured);
            // From farther outside of its range it comes back at a bounded speed when it has force.
            let is_far = (measured - inside).abs() > step(actuator);
            if is_far && joints.is_possible(actuator.range, measured) {
                track.rest_at(measured);
            } else if measured.is_finite() {
                track.rest_at(inside);
            }
            // When the joint is stiff again, its lanes' values are somewhere else.
            track.begin_return(actuator.kind);
        }
        self.follow_limp(settings.limp, &settings.ramps);
        for coupling in self.body.couplings {
            let driven = coupling.driven.index();
            let range = coupling.range_at(self.tracks[coupling.driver.index()].limited);
            let step = step(&self.body.actuators[driven]);
            let track = &mut self.tracks[driven];
            let inside = range.clamp(track.limited);
            let outside = (track.limited - inside).abs();
            if (track.limp || all_limp) && outside > 0.0 && outside <= step {
                track.rest_at(inside);
            }
        }
    }

    /// Finds the joints that were made limp themselves, by their stiffness or gains. If commands are dropped, the
    /// timelines of these joints begin at their sensors, and only what is commanded from now on stays. While the whole
    /// body is limp, shows wait for it, and only clients' commands are dropped.
    fn follow_limp(&mut self, commands: LimpCommands, ramps: &RampTimes) {
        if self.safety.is_limp() && commands == LimpCommands::Drop {
            self.drop_of_clients();
        }
        let state = self.safety.state;
        let runs = state == State::Running && self.safety.power > 0.0;
        // Before the body runs, joints have no force anyway: nothing was made limp.
        let begins_later = matches!(state, State::Boot | State::Disarmed | State::Armed);
        for actuator in 0..self.body.actuators.len() {
            let track = &mut self.tracks[actuator];
            let gainless = self.body.actuators[actuator].gains.is_some() && track.gains.is_limp();
            let was_slack = track.slack;
            track.slack = track.limp && (track.loosened || gainless);
            let held = track.held;
            let begins = track.slack && !track.dropped && runs;
            track.dropped = track.slack && (track.dropped || runs || begins_later);
            let is_over = was_slack && !track.slack;
            if !(track.slack || is_over) || !runs || commands == LimpCommands::Ease {
                continue;
            }
            for at in 0..self.open {
                let place = usize::from(self.order[at]);
                if begins {
                    self.drop_commands(place, actuator);
                }
                if bits::holds(self.set(place, LaneSet::Waits), actuator) {
                    self.begin_at_sensor(place, actuator, held, ramps);
                } else if !is_over {
                    // What ran out while the joint was limp. What came with the force itself stays.
                    self.set_member(place, LaneSet::Claims, actuator, false);
                }
            }
        }
    }

    /// Lets a timeline begin where the joint is, if the next command is not too near for that: the line to it may take
    /// half of the joint's velocity. Otherwise the joint returns to the timeline as it is, at a bounded speed.
    fn begin_at_sensor(&mut self, place: usize, actuator: usize, held: f64, ramps: &RampTimes) {
        let described = &self.body.actuators[actuator];
        let most = match described.velocity.is_finite() {
            true => described.velocity / 2.0,
            false => ramps.return_step(described, 1.0),
        };
        let now = self.lane_times(place).now;
        let row = self.timeline_place(place, actuator);
        let Some(next) = self.timelines[row].next() else {
            return;
        };
        let left = (next.at - now).seconds();
        if (next.value - held).abs() <= most * left {
            self.timelines[row].take_up(held);
        }
    }

    /// Drops the commands for the joints of a body that is limp as a whole, but for those of shows, which wait for it.
    pub(super) fn drop_of_clients(&mut self) {
        for at in 0..self.open {
            let place = usize::from(self.order[at]);
            if self.lanes[place].settings.waits {
                continue;
            }
            for actuator in 0..self.body.actuators.len() {
                let waits = bits::holds(self.set(place, LaneSet::Waits), actuator);
                let claims = bits::holds(self.set(place, LaneSet::Claims), actuator);
                let kind = self.body.actuators[actuator].kind;
                if (waits || claims) && moves(kind) {
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
