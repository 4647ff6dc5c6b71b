//! Takes over a body from another loop, with the values that the loop sent last.
//! The guardian calls it once, after the loop is gone and before its own first turn.
//! Nothing jumps; the body goes to its safe pose, and lanes do not move it any more.

use crate::cycle::Cycle;
use crate::safety::{Safety, State};
use crate::time::Instant;

impl Cycle<'_> {
    /// Takes over a body that was in this state, has this power and stands at the values sent, one for each actuator.
    /// It goes to its safe pose, and its power fades out there. A body that was stopped or limp, or whose power was
    /// fading out, does not move: its power fades out where it is.
    /// The zeros of its joints are where the other loop had moved them, if `trims` says so.
    pub fn take_over(
        &mut self,
        now: Instant,
        state: State,
        power: f64,
        sent: &[f64],
        trims: &[f64],
    ) {
        let joints = self.settings.thresholds.joint;
        let stage = &mut self.stage;
        for (track, trim) in stage.tracks.iter_mut().zip(trims) {
            if trim.is_finite() {
                track.trim = *trim;
            }
        }
        stage.trims += 1;
        let tracks = stage.tracks.iter_mut().zip(stage.body.actuators);
        for ((track, actuator), value) in tracks.zip(sent) {
            // A hand may have put it outside of its range, where it stays.
            if joints.is_possible(actuator.range, *value) {
                track.rest_at(*value);
            } else if value.is_finite() {
                track.rest_at(track.range(actuator).clamp(*value));
            }
        }
        stage.safety = Safety {
            state: match state {
                State::Armed | State::Running | State::Holding | State::Safe => State::Safe,
                State::Boot | State::Disarmed | State::Fault | State::Estop => State::Fault,
            },
            since: now,
            power: power.clamp(0.0, 1.0),
        };
    }
}
