//! Limp joints of a rehearsal: which they are, and that they follow the hand that moves them. Called by the stage.
//! As in the runtime, a joint that has no force in a turn begins the next one where its sensor is.

use super::stage::Stage;

impl Stage {
    /// Limp joints are where their sensors are, so that the next movement begins there.
    pub(super) fn adopt(&mut self) {
        for (track, known) in self.tracks.iter_mut().zip(&self.body.actuators) {
            let sensed = known.felt_by.map(|felt| self.sensed[felt]);
            if let Some(value) = sensed.filter(|sensed| track.limp && sensed.is_finite()) {
                track.follow(value.clamp(known.lowest, known.highest));
            }
        }
    }

    /// Whether a joint has no force in this turn: it was asked for gains of zero, or its stiffness is not above 0.
    pub(super) fn is_limp(&self, place: usize) -> bool {
        let gains = self.tracks[place].last_gains;
        let stiffness = self.body.actuators[place].stiffness;
        gains.is_some_and(|gain| gain[..3].iter().all(|value| *value <= 0.0))
            || stiffness.is_some_and(|stiffness| self.tracks[stiffness].sent <= 0.0)
    }
}
