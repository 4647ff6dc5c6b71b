//! The way to a time that was chosen: from where the outputs were, without a jump. Called by the player.
//! The law: it begins and ends at rest.

use crate::output::Output;
use crate::time::Span;

/// The way from where the outputs were to a time that was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach<const N: usize> {
    pub(super) from: [Output; N],
    pub(super) lasts: Span,
    pub(super) passed: Span,
}

impl<const N: usize> Approach<N> {
    /// An output on this way, for the one at its end. One that was nowhere is there at once.
    pub(super) fn output(&self, place: usize, ahead: Span, to: Output) -> Output {
        let Some(from) = self.from.get(place) else {
            return to;
        };
        let share = ((self.passed + ahead) / self.lasts).min(1.0);
        let share = share * share * (3.0 - 2.0 * share);
        let value = from.value + (to.value - from.value) * share;
        let weight = from.weight + (to.weight - from.weight) * share;
        Output {
            value: if value.is_finite() { value } else { to.value },
            weight: if weight.is_finite() {
                weight
            } else {
                to.weight
            },
        }
    }
}

/// The time for a way so long, at half of the greatest velocity: an eased way is fastest in its middle, by a half.
pub(super) fn least(way: f64, velocity: f64) -> Span {
    let seconds = 1.5 * libm::fabs(way) / (0.5 * velocity);
    if seconds.is_finite() {
        Span::from_nanos((seconds * 1e9) as u64)
    } else {
        Span::ZERO
    }
}
