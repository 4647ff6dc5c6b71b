//! What a player has commanded itself: where others move the same actuators, what is sent to the body is a blend.
//! Kept by the player.
//! Its own values are its own for one turn; then others may have moved the actuators.

use crate::actuator::Actuator;
use crate::output::Output;
use crate::time::turn;

/// An output that was not commanded: its weight is whatever comes next.
const NOWHERE: Output = Output {
    value: f64::NAN,
    weight: f64::NAN,
};

/// The outputs of the last turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnOutputs<const N: usize> {
    outputs: [Output; N],
    turn: Option<u64>,
}

impl<const N: usize> OwnOutputs<N> {
    pub(super) const NONE: Self = OwnOutputs {
        outputs: [NOWHERE; N],
        turn: None,
    };

    /// Forgets them: a turn begins.
    pub(super) fn begin(&mut self) {
        *self = OwnOutputs {
            turn: Some(turn()),
            ..OwnOutputs::NONE
        };
    }

    /// An output is commanded in this turn.
    pub(super) fn note(&mut self, place: usize, output: Output) {
        if let Some(own) = self.outputs.get_mut(place) {
            *own = output;
        }
    }

    /// Where an output is: what was commanded in the last turn, else what was sent.
    pub(super) fn present(&self, place: usize, actuator: &Actuator) -> Output {
        let is_fresh = self
            .turn
            .is_some_and(|value| turn().saturating_sub(value) <= 1);
        let own = self
            .outputs
            .get(place)
            .filter(|output| is_fresh && output.value.is_finite());
        own.copied().unwrap_or_else(|| Output {
            value: actuator.sent(),
            ..NOWHERE
        })
    }
}
