//! The way to a time that was chosen: from where the outputs were, without a jump. Called by the player.
//! The law: it begins and ends at rest.

use crate::output::Output;
use crate::time::Span;

/// The way from where the outputs were to a time that was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach<const N: usize> {
    pub(super) from: [f64; N],
    pub(super) lasts: Span,
    pub(super) passed: Span,
}

impl<const N: usize> Approach<N> {
    /// An output on this way, for the one at its end. One that was nowhere is there at once.
    pub(super) fn output(&self, place: usize, ahead: Span, to: Output) -> Output {
        let from = self.from.get(place).copied().unwrap_or(f64::NAN);
        let share = ((self.passed + ahead) / self.lasts).min(1.0);
        let value = from + (to.value - from) * (share * share * (3.0 - 2.0 * share));
        let value = if value.is_finite() { value } else { to.value };
        Output { value, ..to }
    }
}
