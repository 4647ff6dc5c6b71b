//! The way to a time that was chosen: from where the outputs were, without a jump. Called by the player.
//! It begins and ends at rest.

use crate::actuator::Actuator;
use crate::output::Output;
use crate::time::Span;

/// The way from where the outputs were to a time that was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach<const N: usize> {
    from: [Output; N],
    /// The time that was chosen.
    pub(super) at: Span,
    /// It was chosen during a pause that lasts: that does not stop it.
    pub(super) is_chosen_in_pause: bool,
    pub(super) lasts: Span,
    pub(super) passed: Span,
}

impl<const N: usize> Approach<N> {
    /// The way from these outputs to those, which are of the time `at`, in at least this span; longer if an actuator
    /// would be faster than half of what it can be.
    pub(super) fn new(
        actuators: &[&Actuator; N],
        from: [Output; N],
        to: [Output; N],
        at: Span,
        over: Span,
    ) -> Self {
        let both = from.iter().zip(&to).zip(actuators);
        let spans = both
            .map(|((from, to), actuator)| least(to.value - from.value, actuator.limits().velocity));
        Approach {
            lasts: spans.fold(over, Span::max),
            from,
            at,
            is_chosen_in_pause: false,
            passed: Span::ZERO,
        }
    }

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
fn least(way: f64, velocity: f64) -> Span {
    let seconds = 1.5 * libm::fabs(way) / (0.5 * velocity);
    if seconds.is_finite() {
        Span::from_nanos((seconds * 1e9) as u64)
    } else {
        Span::ZERO
    }
}
