//! Inverse kinematics: damped least squares (Levenberg and Marquardt) in the box of the joints' limits, other starts
//! where the first way ends, and the posture in what the goals leave free. Called by `request`.
//! No step leaves the limits or makes the goals' error larger; the steps are counted, and end; the same
//! request takes the same steps on every machine.

use crate::bounded::BoxedForm;
use crate::differential::Twist;
use crate::effort::{Effort, Reachability, Residual};
use crate::goal::{Gap, HungGoal};
use crate::limb::Limb;
use crate::rotation::Transform;
use crate::vector::Vec3;

/// How much a step is damped at first, beside the largest entry of the form's diagonal.
const DAMPING: f64 = 1e-2;
/// The least damping: a form of fewer goals than joints can still be solved.
const LEAST_DAMPING: f64 = 1e-9;
/// So much damping that a step is no step.
const MOST_DAMPING: f64 = 1e9;
/// The farthest that one step moves a joint, rad or m: beyond it the form says nothing.
const LONGEST_STEP: f64 = 1.0;
/// A step this short has arrived, rad or m.
const SHORTEST_STEP: f64 = 1e-10;

/// A step that leaves more than this share of the cost was held up by the curvature, so the next one looks at it:
/// where goals cannot be reached, the errors stay, and the way along their edge is found by nothing else. Where they
/// can be, the second derivative is only in the way.
const CURVED: f64 = 0.5;

/// What is nearer to a limit is at it, rad or m.
const AT_LIMIT: f64 = 1e-12;

/// A posture, measured.
#[derive(Clone)]
pub(crate) struct Stand<const N: usize> {
    pub(crate) values: [f64; N],
    poses: [Transform; N],
    /// Half the weighted squares of all errors, m².
    pub(crate) cost: f64,
    pub(crate) residual: Residual,
}

/// When a descent gives up.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Patience {
    /// Where another start promises more.
    Short,
    /// Where there is no way down.
    Long,
}

/// A request that is being solved.
pub(crate) struct Solver<'r, 't, const N: usize> {
    pub(crate) limb: &'r Limb<'t, N>,
    pub(crate) goals: &'r [HungGoal],
    pub(crate) effort: Effort,
    pub(crate) low: [f64; N],
    pub(crate) high: [f64; N],
    /// The steps that have been taken, and the most for now.
    pub(crate) used: u32,
    pub(crate) ceiling: u32,
}

/// The quadratic form of a posture: what a step changes of the cost.
pub(crate) struct Form<const N: usize> {
    pub(crate) matrix: [[f64; N]; N],
    pub(crate) gradient: [f64; N],
    /// The most that a goal's error changes for one joint, squared: what damping is measured by. Curvature, which may
    /// be negative, is not in it.
    pub(crate) peak: f64,
}

impl<const N: usize> Solver<'_, '_, N> {
    pub(crate) fn is_spent(&self) -> bool {
        self.used >= self.ceiling
    }

    /// Where all links are for these values, and how far that is from the goals.
    pub(crate) fn measure(&self, values: [f64; N]) -> Stand<N> {
        let mut stand = Stand {
            values,
            poses: [Transform::NONE; N],
            cost: 0.0,
            residual: Residual::NONE,
        };
        self.limb.place(&values, &mut stand.poses);
        for goal in self.goals {
            let error = goal.gap(stand.poses[goal.step]).error;
            let square = error.dot(error);
            let left = if goal.is_angle {
                &mut stand.residual.angle
            } else {
                &mut stand.residual.distance
            };
            let length = libm::sqrt(square);
            // Unlike `max`, this keeps NaN, which is within nothing.
            if length > *left || length.is_nan() {
                *left = length;
            }
            stand.cost += 0.5 * goal.weight * square;
        }
        stand
    }

    /// The form of a posture. `curved`: with the second derivative of points, which a long way to a goal makes large.
    pub(crate) fn form(&self, stand: &Stand<N>, curved: bool) -> Form<N> {
        let mut form = Form {
            matrix: [[0.0; N]; N],
            gradient: [0.0; N],
            peak: f64::MIN_POSITIVE,
        };
        let axes = self.limb.axes(&stand.poses);
        for goal in self.goals {
            let gap = goal.gap(stand.poses[goal.step]);
            let mut rows = [Vec3::ZERO; N];
            let add = |column: usize, twist: Twist| rows[column] += gap.row(twist);
            self.limb
                .columns(goal.step, gap.point, &stand.poses, &axes, add);
            for column in 0..N {
                let weighed = rows[column] * goal.weight;
                form.gradient[column] += weighed.dot(gap.error);
                form.peak = form.peak.max(weighed.dot(rows[column]));
                for (entry, before) in form.matrix[column][..=column].iter_mut().zip(&rows) {
                    *entry += weighed.dot(*before);
                }
            }
            if curved && !goal.is_angle {
                self.bend(goal, &gap, stand, &axes, &mut form);
            }
        }
        form
    }

    /// Adds the second derivative of a point: what `before`, nearer to the root, changes of what `column` does is
    /// `ω × v`, and `e·(ω × v) = ω·(v × e)`.
    fn bend(
        &self,
        goal: &HungGoal,
        gap: &Gap,
        stand: &Stand<N>,
        axes: &[Vec3; N],
        form: &mut Form<N>,
    ) {
        let mut twists = [Twist::default(); N];
        let add = |column: usize, twist: Twist| twists[column] += twist;
        self.limb
            .columns(goal.step, gap.point, &stand.poses, axes, add);
        for column in 0..N {
            let bent = twists[column].shift.cross(gap.error) * goal.weight;
            for (entry, before) in form.matrix[column][..=column].iter_mut().zip(&twists) {
                *entry -= bent.dot(before.turn);
            }
        }
    }

    /// The step that leads lowest in the box of the limits and of the longest step.
    pub(crate) fn step(
        &self,
        values: &[f64; N],
        form: &Form<N>,
        damping: f64,
        longest: f64,
    ) -> Option<[f64; N]> {
        let (mut low, mut high) = ([0.0; N], [0.0; N]);
        for column in 0..N {
            low[column] = (self.low[column] - values[column]).max(-longest);
            high[column] = (self.high[column] - values[column]).min(longest);
        }
        let boxed = BoxedForm {
            form: &form.matrix,
            damping,
            gradient: &form.gradient,
            low: &low,
            high: &high,
        };
        boxed.solve()
    }

    /// The values after a step. What is at a limit but for rounding is there: neither outside nor just before it.
    pub(crate) fn moved(&self, values: &[f64; N], step: &[f64; N]) -> [f64; N] {
        let mut after = *values;
        for column in 0..N {
            let (low, high) = (self.low[column], self.high[column]);
            let value = values[column] + step[column];
            after[column] = if value < low + AT_LIMIT {
                low
            } else if value > high - AT_LIMIT {
                high
            } else {
                value
            };
        }
        after
    }

    /// Goes down from a posture. [`Reachability::Closest`] where the way ends before the goals.
    pub(crate) fn descend(&mut self, stand: &mut Stand<N>, patience: Patience) -> Reachability {
        let mut damping = DAMPING;
        // The cost some accepted steps ago: what it must have fallen by since.
        let (stretch, share) = match patience {
            Patience::Short => (3, 0.5),
            Patience::Long => (8, 1.0 - 1e-9),
        };
        let (mut milestone, mut since) = (stand.cost, 0);
        let mut curved = false;
        while !stand.residual.is_within(&self.effort) {
            let form = self.form(stand, curved);
            let before = stand.cost;
            let Some(step) = self.lower(stand, &form, &mut damping) else {
                return if self.is_spent() {
                    Reachability::Unfinished
                } else {
                    Reachability::Closest
                };
            };
            curved = stand.cost > CURVED * before;
            since += 1;
            let is_arrived = step < SHORTEST_STEP;
            if is_arrived || (since == stretch && stand.cost > share * milestone) {
                if stand.residual.is_within(&self.effort) {
                    break;
                }
                return Reachability::Closest;
            }
            if since == stretch {
                (milestone, since) = (stand.cost, 0);
            }
        }
        Reachability::Reached
    }

    /// Takes one step down, with as much damping as that needs. Returns its length; `None` if there is no such step, or
    /// none is left.
    fn lower(&mut self, stand: &mut Stand<N>, form: &Form<N>, damping: &mut f64) -> Option<f64> {
        let mut growth = 2.0;
        while *damping < MOST_DAMPING && !self.is_spent() {
            self.used += 1;
            let Some(step) = self.step(&stand.values, form, *damping * form.peak, LONGEST_STEP)
            else {
                *damping *= growth;
                growth *= 2.0;
                continue;
            };
            let next = self.measure(self.moved(&stand.values, &step));
            if next.cost < stand.cost {
                let gain = (stand.cost - next.cost) / self.promised(form, &step);
                let cube = (2.0 * gain - 1.0) * (2.0 * gain - 1.0) * (2.0 * gain - 1.0);
                *damping = (*damping * (1.0 - cube).clamp(0.1, 2.0)).max(LEAST_DAMPING);
                *stand = next;
                let lengths = step.iter().map(|step| libm::fabs(*step));
                return Some(lengths.fold(0.0, f64::max));
            }
            *damping *= growth;
            growth *= 2.0;
        }
        None
    }

    /// What the form promises of a step.
    fn promised(&self, form: &Form<N>, step: &[f64; N]) -> f64 {
        let mut gain = 0.0;
        for column in 0..N {
            let mut pull = form.gradient[column] - 0.5 * form.matrix[column][column] * step[column];
            for (entry, by) in form.matrix[column][..column].iter().zip(step) {
                pull -= entry * by;
            }
            gain += pull * step[column];
        }
        gain
    }
}
