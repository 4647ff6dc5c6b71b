//! A request for inverse kinematics, as authors write it: `arm.reach([0.2, -0.1, 0.1]).within(0.005).from(&values)`.
//! A request is looked at as a whole before the first step, and one that makes no sense moves nothing.

use crate::effort::{Effort, GoalFault, Reachability, Residual, Solution};
use crate::goal::{Goal, HungGoal};
use crate::limb::Limb;
use crate::posture::Posture;
use crate::rotation::Rotation;
use crate::solver::Solver;
use crate::vector::Vec3;

/// The most goals of one request.
pub const GOALS: usize = 8;

/// A request that is being written: what should be where, and how exactly. [`IkRequest::from`] answers it.
#[derive(Clone, Debug)]
#[must_use = "say where it starts: `.from(&values)`"]
pub struct IkRequest<'r, 't, const N: usize> {
    limb: &'r Limb<'t, N>,
    goals: [Goal; GOALS],
    /// How many were asked for; more than there is room for is told in the end.
    count: usize,
    effort: Effort,
    posture: Option<Posture<'r>>,
    /// Narrower limits than those of the table, in the order of the limb's joints.
    ranges: [[f64; 2]; N],
}

impl<'t, const N: usize> Limb<'t, N> {
    /// A request without goals: [`IkRequest::and`] adds them.
    #[inline]
    pub fn request(&self) -> IkRequest<'_, 't, N> {
        IkRequest {
            limb: self,
            goals: [Goal::orientation(0, Rotation::NONE); GOALS],
            count: 0,
            effort: Effort::USUAL,
            posture: None,
            ranges: [[f64::NEG_INFINITY, f64::INFINITY]; N],
        }
    }

    /// Its tip should be at this place, m.
    #[inline]
    pub fn reach(&self, at: impl Into<Vec3>) -> IkRequest<'_, 't, N> {
        self.request().and(Goal::point_of(self.end, self.tip, at))
    }

    /// Its sight should point at this place, m.
    #[inline]
    pub fn look_at(&self, at: impl Into<Vec3>) -> IkRequest<'_, 't, N> {
        let goal = Goal::gaze(self.end, self.tip, self.sight, at);
        self.request().and(goal)
    }
}

impl<'r, 't, const N: usize> IkRequest<'r, 't, N> {
    /// Another goal, beside the others; at most [`GOALS`].
    #[inline]
    pub fn and(mut self, goal: Goal) -> IkRequest<'r, 't, N> {
        if let Some(value) = self.goals.get_mut(self.count) {
            *value = goal;
        }
        self.count += 1;
        self
    }

    /// The link of the tip should be turned so.
    #[inline]
    pub fn turned(self, turn: Rotation) -> IkRequest<'r, 't, N> {
        let goal = Goal::orientation(self.limb.end, turn);
        self.and(goal)
    }

    /// This axis of the link of the tip should point along a direction.
    #[inline]
    pub fn pointing(self, axis: impl Into<Vec3>, along: impl Into<Vec3>) -> IkRequest<'r, 't, N> {
        let goal = Goal::direction(self.limb.end, axis, along);
        self.and(goal)
    }

    /// The last goal counts this much beside the others, where not all can be met.
    #[inline]
    pub fn weighing(mut self, weight: f64) -> IkRequest<'r, 't, N> {
        let last = self.count.checked_sub(1);
        if let Some(value) = last.and_then(|value| self.goals.get_mut(value)) {
            value.weight = weight;
        }
        self
    }

    /// How far points may be from their goals, m.
    #[inline]
    pub fn within(mut self, distance: f64) -> IkRequest<'r, 't, N> {
        self.effort.within = distance;
        self
    }

    /// How far axes and turns may be from theirs, rad.
    #[inline]
    pub fn within_angle(mut self, angle: f64) -> IkRequest<'r, 't, N> {
        self.effort.within_angle = angle;
        self
    }

    /// What may be spent on it.
    #[inline]
    pub fn effort(mut self, effort: Effort) -> IkRequest<'r, 't, N> {
        self.effort = effort;
        self
    }

    /// Only what can be reached from the start without a detour: for goals that are followed turn by turn.
    #[inline]
    pub fn nearby(mut self) -> IkRequest<'r, 't, N> {
        self.effort.restarts = 0;
        self
    }

    /// With many more steps, from many more starts ([`Effort::THOROUGH`]): outside of turns, to know whether something
    /// can be reached at all. What was said of exactness stays.
    #[inline]
    pub fn thoroughly(mut self) -> IkRequest<'r, 't, N> {
        let Effort {
            iterations,
            restarts,
            ..
        } = Effort::THOROUGH;
        self.effort = Effort {
            iterations,
            restarts,
            ..self.effort
        };
        self
    }

    /// What the goals leave free goes towards this posture, as far as the steps last: a value for each joint of the
    /// table. From anywhere to any posture, the usual 100 steps come to the end of the way for nine tenths of all
    /// points (an arm of six joints), and [`thoroughly`](IkRequest::thoroughly) for 98 %.
    #[inline]
    pub fn prefer(mut self, posture: &'r [f64]) -> IkRequest<'r, 't, N> {
        self.posture = Some(Posture {
            values: posture,
            weights: &[],
        });
        self
    }

    /// The same, with a weight for each joint of the table: one with a large weight is rather where the posture has it.
    #[inline]
    pub fn prefer_by(mut self, posture: &'r [f64], weights: &'r [f64]) -> IkRequest<'r, 't, N> {
        self.posture = Some(Posture {
            values: posture,
            weights,
        });
        self
    }

    /// With these limits as well: the lowest and the highest value of each joint, in the order of [`Limb::joints`]. The
    /// narrower ones count, of the table's and these; where they have nothing in common, these. NaN is no limit.
    #[inline]
    pub fn in_ranges(mut self, ranges: [[f64; 2]; N]) -> IkRequest<'r, 't, N> {
        self.ranges = ranges;
        self
    }

    /// The limits of a joint of the limb.
    fn range(&self, column: usize) -> [f64; 2] {
        let [lowest, highest] = self.limb.range(column);
        let [low, high] = self.ranges[column];
        // No joint can be beyond all numbers, so that is no limit either.
        let low = if low < f64::INFINITY {
            low
        } else {
            f64::NEG_INFINITY
        };
        let high = if high > f64::NEG_INFINITY {
            high
        } else {
            f64::INFINITY
        };
        let both = [lowest.max(low), highest.min(high)];
        if both[0] <= both[1] {
            both
        } else {
            [low.min(high), high.max(low)]
        }
    }

    /// The answer, beginning with these values: one for each joint of the table, of which those of the limb count.
    /// What is beyond a limit begins at the limit; what has no value, at 0.
    pub fn from(&self, values: &[f64]) -> Solution<N> {
        let mut start = [0.0; N];
        for (column, value) in start[..self.limb.width()].iter_mut().enumerate() {
            *value = values.get(self.limb.joint(column)).copied().unwrap_or(0.0);
        }
        self.from_own(&start)
    }

    /// The same, beginning with values in the order of [`Limb::joints`].
    pub fn from_own(&self, values: &[f64; N]) -> Solution<N> {
        let (mut low, mut high) = ([0.0; N], [0.0; N]);
        let mut start = [0.0; N];
        for column in 0..self.limb.width() {
            start[column] = values[column];
            let range = self.range(column);
            let is_held = self.limb.is_held(column);
            [low[column], high[column]] = if is_held { [start[column]; 2] } else { range };
        }
        let mut hung = [HungGoal::NONE; GOALS];
        if let Some(fault) = self.fault(&start, &mut hung) {
            let residual = Residual {
                distance: f64::INFINITY,
                angle: f64::INFINITY,
            };
            return self.solution(start, Reachability::Refused(fault), residual, 0);
        }
        let mut solver = Solver {
            limb: self.limb,
            goals: &hung[..self.count],
            effort: self.effort,
            low,
            high,
            used: 0,
            ceiling: self.effort.iterations,
        };
        let start = solver.measure(solver.moved(&start, &[0.0; N]));
        let (stand, end) = solver.search(start, self.posture.as_ref());
        self.solution(stand.values, end, stand.residual, solver.used)
    }

    /// What is wrong with it, if anything is; and its goals, as the solver has them.
    fn fault(&self, start: &[f64; N], hung: &mut [HungGoal; GOALS]) -> Option<GoalFault> {
        if self.count == 0 {
            return Some(GoalFault::None);
        }
        if self.count > GOALS {
            return Some(GoalFault::TooMany);
        }
        let Effort {
            within,
            within_angle,
            radian,
            ..
        } = self.effort;
        let mut numbers = [within, within_angle, radian].into_iter();
        if !numbers.all(|number| number >= 0.0 && number.is_finite())
            || !start.iter().all(|value| value.is_finite())
        {
            return Some(GoalFault::Start);
        }
        let radian = if radian > 0.0 {
            radian
        } else {
            (0.5 * self.limb.span()).max(1e-3)
        };
        for (place, goal) in self.goals[..self.count].iter().enumerate() {
            let Some(mount) = self.limb.mount(goal.link) else {
                return Some(GoalFault::Foreign(place));
            };
            if !goal.is_sound() {
                return Some(GoalFault::Unsound(place));
            }
            hung[place] = goal.hung(mount, radian);
        }
        None
    }

    fn solution(
        &self,
        values: [f64; N],
        end: Reachability,
        residual: Residual,
        iterations: u32,
    ) -> Solution<N> {
        let mut joints = [0; N];
        for (column, joint) in self.limb.joints().enumerate() {
            joints[column] = joint as u16;
        }
        Solution {
            values,
            joints,
            count: self.limb.width(),
            end,
            residual,
            iterations,
        }
    }
}
