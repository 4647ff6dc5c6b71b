//! How hard inverse kinematics tries, how exact it must be, and what it answers.
//! Settings and results of every request; they are kept apart from the solver, which only its own file reads.
//! An answer says what was found, how far that is from what was asked, and whether more can be hoped for.

/// How exact a solution must be, and what may be spent for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// How far points may be from their goals, m.
    pub within: f64,
    /// How far axes and turns may be from theirs, rad.
    pub within_angle: f64,
    /// The most steps in all.
    pub iterations: u32,
    /// How many other postures it starts from if the first way ends before the goal: these are spread over the joints'
    /// ranges, and the same in each run. With 0 the solution is always in reach of small movements.
    pub restarts: u32,
    /// The length that counts as much as 1 rad, where goals of both kinds cannot all be met, m; 0 for half the length
    /// of the limb.
    pub radian: f64,
}

impl Effort {
    /// What a request takes if nothing else is said: 0.1 mm, 1 mrad, 100 steps, 16 other postures. For an arm of six
    /// joints that is at most about 2,500,000 of a guest's fuel, so that a hook may do it.
    pub const USUAL: Effort = Effort {
        within: 1e-4,
        within_angle: 1e-3,
        iterations: 100,
        restarts: 16,
        radian: 0.0,
    };

    /// What can be taken outside of turns, to know whether something can be reached at all: 1,000 steps, 64 other
    /// postures.
    pub const THOROUGH: Effort = Effort {
        iterations: 1000,
        restarts: 64,
        ..Effort::USUAL
    };
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reachability {
    /// All goals are met, within what was allowed.
    Reached,
    /// No posture near the solution is nearer to the goals, nor was one found from the other starts. There may be one
    /// all the same: of places that a NAO's hand or foot can reach from anywhere, the usual effort misses up to 0.4 %,
    /// of directions up to 2 %. [`IkRequest::thoroughly`](crate::IkRequest::thoroughly) nearly always finds them.
    Closest,
    /// The steps were used up before it was certain. The solution is the best so far.
    Unfinished,
    /// The request made no sense: the solution is the start.
    Refused(GoalFault),
}

/// What is wrong with a request. The number is that of the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalFault {
    /// There is no goal.
    None,
    /// More goals than one request can have: [`GOALS`](crate::GOALS).
    TooMany,
    /// The limb does not move this goal's link.
    Foreign(usize),
    /// A number of this goal is NaN or infinite, or a direction has no direction.
    Unsound(usize),
    /// A joint's start is NaN or infinite, or the effort's numbers are.
    Start,
}

/// What is left between a posture and its goals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// The farthest of the points, m.
    pub distance: f64,
    /// The farthest of the axes and turns, rad.
    pub angle: f64,
}

impl Residual {
    pub(crate) const NONE: Residual = Residual {
        distance: 0.0,
        angle: 0.0,
    };

    /// Whether this is exact enough.
    pub(crate) fn is_within(&self, effort: &Effort) -> bool {
        self.distance <= effort.within && self.angle <= effort.within_angle
    }
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<const N: usize> {
    pub(crate) values: [f64; N],
    pub(crate) joints: [u16; N],
    pub(crate) count: usize,
    /// How it ended.
    pub end: Reachability,
    /// What is left.
    pub residual: Residual,
    /// The steps that were taken.
    pub iterations: u32,
}

impl<const N: usize> Solution<N> {
    /// Whether all goals are met.
    pub fn is_reached(&self) -> bool {
        self.end == Reachability::Reached
    }

    /// The joints of the limb, by their numbers in the table, and where they should be.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = (usize, f64)> + '_ {
        let joints = self.joints[..self.count].iter().zip(&self.values);
        joints.map(|(joint, value)| (usize::from(*joint), *value))
    }

    /// The same, in the order of [`Limb::joints`](crate::Limb::joints).
    pub fn values(&self) -> &[f64] {
        &self.values[..self.count]
    }

    /// Writes the limb's joints into the values of the whole body; the others stay.
    pub fn write(&self, values: &mut [f64]) {
        for (joint, value) in self.joints() {
            if let Some(one) = values.get_mut(joint) {
                *one = value;
            }
        }
    }
}
