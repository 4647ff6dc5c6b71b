//! A movement of a limb, as authors write it: `RHand.reach(place).within(0.005).over(800.ms())`.
//! A movement is solved once, when it is sent. What cannot be reached is approached as far as possible, and a
//! request that makes no sense moves nothing.

use ::kinematics::{Effort, Goal, IkRequest, Reachability, Residual, Rotation, Solution, Vec3};

use super::BodyLimb;
use crate::answer::Answer;
use crate::ease::Ease;
use crate::time::{Instant, Span, now};

/// A movement of a limb that is being built: what should be where, and how exactly.
#[derive(Clone, Debug)]
#[must_use = "say when: `.at(instant)`, `.over(span)`, `.at_speed(share)` or `.now()`"]
pub struct LimbMove<'l, const N: usize> {
    limb: &'l BodyLimb<N>,
    request: IkRequest<'l, 'static, N>,
    ease: Option<Ease>,
}

/// What came of a movement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbAnswer {
    /// The answer to the commands: the first refusal, if there was one. `Done` if there was nothing to send.
    pub answer: Answer,
    /// Whether the goals are met at its end.
    pub end: Reachability,
    /// What is left between the limb and the goals at its end.
    pub residual: Residual,
    /// When it ends.
    pub arrival: Instant,
}

impl LimbAnswer {
    /// Whether all goals are met at its end, and the commands were accepted.
    pub fn is_reached(&self) -> bool {
        self.end == Reachability::Reached && self.answer.is_done()
    }
}

impl<const N: usize> BodyLimb<N> {
    /// A movement that brings its tip to a place, m.
    pub fn reach(&self, at: impl Into<Vec3>) -> LimbMove<'_, N> {
        LimbMove::new(self, self.limb().reach(at))
    }

    /// A movement that points its axis at a place, m.
    pub fn look_at(&self, at: impl Into<Vec3>) -> LimbMove<'_, N> {
        LimbMove::new(self, self.limb().look_at(at))
    }

    /// A movement that points its axis along a direction.
    pub fn look_along(&self, direction: impl Into<Vec3>) -> LimbMove<'_, N> {
        let goal = Goal::direction(self.limb().end(), self.limb().sight(), direction);
        self.toward(goal)
    }

    /// A movement to a goal of any kind. [`LimbMove::and`] adds others.
    pub fn toward(&self, goal: Goal) -> LimbMove<'_, N> {
        LimbMove::new(self, self.limb().request().and(goal))
    }
}

impl<'l, const N: usize> LimbMove<'l, N> {
    fn new(limb: &'l BodyLimb<N>, request: IkRequest<'l, 'static, N>) -> Self {
        LimbMove {
            limb,
            request,
            ease: None,
        }
    }

    /// How far points may be from their places, m; default: 0.0001.
    pub fn within(self, distance: f64) -> Self {
        self.with(|value| value.within(distance))
    }

    /// How far axes and turns may be from theirs, rad; default: 0.001.
    pub fn within_angle(self, angle: f64) -> Self {
        self.with(|value| value.within_angle(angle))
    }

    /// The link should be turned so, too, seen from the root.
    pub fn turned(self, turn: Rotation) -> Self {
        self.with(|value| value.turned(turn))
    }

    /// An axis of the link should point along a direction, too; how it is turned about the axis does not matter.
    pub fn pointing(self, axis: impl Into<Vec3>, along: impl Into<Vec3>) -> Self {
        self.with(|value| value.pointing(axis, along))
    }

    /// Another goal, beside the others.
    pub fn and(self, goal: Goal) -> Self {
        self.with(|value| value.and(goal))
    }

    /// What may be spent on it.
    pub fn effort(self, effort: Effort) -> Self {
        self.with(|value| value.effort(effort))
    }

    /// Only what can be reached without a detour: for places that are followed turn by turn.
    pub fn nearby(self) -> Self {
        self.with(IkRequest::nearby)
    }

    /// What the goals leave free goes towards this posture: a value for each joint of the table.
    pub fn prefer(self, posture: &'l [f64]) -> Self {
        self.with(|value| value.prefer(posture))
    }

    /// Uses an easing in place of constant speed.
    pub fn eased(self, ease: Ease) -> Self {
        LimbMove {
            ease: Some(ease),
            ..self
        }
    }

    /// Where the joints would be, from the values that were last sent. It moves nothing.
    pub fn solution(self) -> Solution<N> {
        let start = self.limb.sent();
        self.solution_from(&start)
    }

    /// The same from other values, in the order of the limb's joints.
    pub fn solution_from(self, start: &[f64; N]) -> Solution<N> {
        let ranges = self.limb.ranges();
        self.solution_in(start, ranges)
    }

    /// Sends it: the limb arrives at this instant. Commands that wait for its joints are dropped.
    pub fn at(self, arrival: Instant) -> LimbAnswer {
        self.send(|_, _| arrival)
    }

    /// Sends it: the limb arrives after this span.
    pub fn over(self, span: Span) -> LimbAnswer {
        self.at(now() + span)
    }

    /// Sends it for now: in `pre_process` the values are sent in the same turn. For places that are followed.
    pub fn now(self) -> LimbAnswer {
        self.at(now())
    }

    /// Sends it: it takes the time of the longest movement at this share of its joint's maximum velocity. With an
    /// easing, use at most 0.5: see [`Actuator::time_to`](crate::Actuator::time_to).
    pub fn at_speed(self, share: f64) -> LimbAnswer {
        self.send(|limb, values| {
            let times = limb.joints().zip(values);
            let times = times.map(|(joint, value)| joint.time_to(*value, share));
            now() + times.fold(Span::ZERO, Span::max)
        })
    }

    /// The limb that it moves.
    pub(crate) fn limb(&self) -> &'l BodyLimb<N> {
        self.limb
    }

    /// The solution from these values, where some joints stay where they are.
    pub(crate) fn solution_holding(self, start: &[f64; N], held: &[bool; N]) -> Solution<N> {
        let mut ranges = self.limb.ranges();
        for (range, (start, is_held)) in ranges.iter_mut().zip(start.iter().zip(held)) {
            if *is_held {
                *range = [*start; 2];
            }
        }
        self.solution_in(start, ranges)
    }

    fn solution_in(self, start: &[f64; N], ranges: [[f64; 2]; N]) -> Solution<N> {
        self.request.in_ranges(ranges).from_own(start)
    }

    fn with(
        self,
        change: impl FnOnce(IkRequest<'l, 'static, N>) -> IkRequest<'l, 'static, N>,
    ) -> Self {
        LimbMove {
            request: change(self.request),
            ..self
        }
    }

    fn send(self, arrival: impl FnOnce(&BodyLimb<N>, &[f64]) -> Instant) -> LimbAnswer {
        let (limb, ease) = (self.limb, self.ease);
        let solution = self.solution();
        let arrival = arrival(limb, solution.values());
        let mut answer = Answer::Done;
        let is_refused = matches!(solution.end, Reachability::Refused(_));
        let joints = limb.joints().zip(solution.values());
        // The joints that this body does not have were told at the start.
        for (joint, value) in joints.filter(|joint| !is_refused && joint.0.is_present()) {
            let command = joint.to(*value);
            let sent = match ease {
                Some(ease) => command.eased(ease).at(arrival),
                None => command.replacing().at(arrival),
            };
            answer = answer.then(|| sent);
        }
        LimbAnswer {
            answer,
            end: solution.end,
            residual: solution.residual,
            arrival,
        }
    }
}
