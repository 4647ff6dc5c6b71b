//! The posture: what joints do with the freedom that the goals leave them. Called by the solver once all goals are met.
//! The posture never takes anything from the goals: a step towards it that leaves them is not taken.

use crate::effort::Effort;
use crate::solver::{Form, Solver, Stand};

/// How much the posture counts beside the goals in one step, of the largest entry of the form's diagonal. What this
/// little takes from the goals, the corrections give back.
const LEANING: f64 = 1e-6;
/// Of the above, for joints to which the posture says nothing.
const REST: f64 = 1e-3;
/// The farthest that the first step goes, rad or m.
const STRIDE: f64 = 0.5;
/// The most corrections after a step, and how much of what is allowed they leave.
const CORRECTIONS: u32 = 3;
const INNER: f64 = 0.1;
/// A step this short has arrived, rad or m.
const SHORTEST_STRIDE: f64 = 1e-4;

/// Where joints should rather be, by their numbers in the table. Joints without a weight have 1, those without a value
/// 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posture<'p> {
    pub(crate) values: &'p [f64],
    pub(crate) weights: &'p [f64],
}

impl Posture<'_> {
    /// Where it has a joint; `None` if it says nothing about it.
    pub(crate) fn value(&self, joint: usize) -> Option<f64> {
        let value = self.values.get(joint).copied();
        value.filter(|value| value.is_finite() && self.weight(joint) > 0.0)
    }

    fn weight(&self, joint: usize) -> f64 {
        let usual = if self.weights.is_empty() { 1.0 } else { 0.0 };
        let weight = self.weights.get(joint).copied().unwrap_or(usual);
        if weight.is_finite() {
            weight.max(0.0)
        } else {
            0.0
        }
    }
}

impl<const N: usize> Solver<'_, '_, N> {
    /// Goes towards the posture as far as the goals stay met and steps are left.
    pub(crate) fn settle(&mut self, stand: &mut Stand<N>, posture: &Posture<'_>) {
        let mut wanted = [0.0; N];
        let mut weights = [0.0; N];
        let mut most = 0.0;
        for column in 0..self.limb.width() {
            let joint = self.limb.joint(column);
            if let Some(value) = posture.value(joint) {
                wanted[column] = value.max(self.low[column]).min(self.high[column]);
                weights[column] = posture.weight(joint);
                most = f64::max(most, weights[column]);
            }
        }
        if most <= 0.0 {
            return;
        }
        weights = weights.map(|weight| weight / most);
        let off = |values: &[f64; N]| -> f64 {
            let each =
                (0..N).map(|i| weights[i] * (wanted[i] - values[i]) * (wanted[i] - values[i]));
            each.sum()
        };
        let mut stride = STRIDE;
        while stride > SHORTEST_STRIDE && !self.is_spent() {
            let mut form = self.form(stand, false);
            let pull = LEANING * form.peak;
            for column in 0..self.limb.width() {
                // All of the way, however long: were each joint's cut, it would lead elsewhere. The box bounds steps.
                let way = wanted[column] - stand.values[column];
                form.matrix[column][column] += pull * (weights[column] + REST);
                form.gradient[column] += pull * weights[column] * way;
            }
            let Some((next, length)) = self.stride(stand, &form, stride) else {
                break;
            };
            let next = self.corrected(next);
            let is_better = off(&next.values) < off(&stand.values);
            if is_better && next.residual.is_within(&self.effort) {
                *stand = next;
                stride = f64::min(2.0 * stride, STRIDE);
                if length < SHORTEST_STRIDE {
                    break;
                }
            } else {
                stride = f64::min(stride, length) * 0.25;
            }
        }
    }

    /// One step, and its length.
    fn stride(
        &mut self,
        stand: &Stand<N>,
        form: &Form<N>,
        longest: f64,
    ) -> Option<(Stand<N>, f64)> {
        self.used += 1;
        let step = self.step(&stand.values, form, 0.0, longest)?;
        let lengths = step.iter().map(|step| libm::fabs(*step));
        let length = lengths.fold(0.0, f64::max);
        Some((self.measure(self.moved(&stand.values, &step)), length))
    }

    /// Brings the goals back, on the shortest way, and farther than to the edge of what is allowed: from there the next
    /// step would leave them.
    fn corrected(&mut self, mut stand: Stand<N>) -> Stand<N> {
        let inner = Effort {
            within: INNER * self.effort.within,
            within_angle: INNER * self.effort.within_angle,
            ..self.effort
        };
        for _ in 0..CORRECTIONS {
            if stand.residual.is_within(&inner) || self.is_spent() {
                break;
            }
            let mut form = self.form(&stand, false);
            let damping = LEANING * form.peak;
            for column in 0..self.limb.width() {
                form.matrix[column][column] += damping;
            }
            match self.stride(&stand, &form, STRIDE) {
                Some((next, _)) if next.cost < stand.cost => stand = next,
                _ => break,
            }
        }
        stand
    }
}
