//! Takes over a body that another loop drove until now, from the values that it sent last.
//! The guardian calls it once, before its first turn, after the loop is gone.
//! The law: nothing jumps; the body is on its way to its safe pose, and lanes move it no more.

use crate::cycle::Cycle;
use crate::safety::{Safety, State};
use crate::time::Instant;

impl Cycle<'_> {
    /// The body was in this state, has this power and stands where it was sent: a value for each actuator. From here
    /// on it goes to its safe pose, and lets go there. One that was stopped, or was letting go, moves nowhere: it lets
    /// go where it is.
    pub fn take_over(&mut self, now: Instant, state: State, power: f64, sent: &[f64]) {
        let stage = &mut self.stage;
        let tracks = stage.tracks.iter_mut().zip(stage.body.actuators);
        for ((track, actuator), value) in tracks.zip(sent) {
            if value.is_finite() {
                track.settle(actuator.range.clamp(*value));
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
