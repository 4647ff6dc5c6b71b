//! Judges whether a joint goes limp that carries the body. Asked by the simulation in every turn.
//! A joint between a sole and the root carries the body, if it has a tenth of its stiffness or more. A body
//! that is limp to the end was let go on purpose: nobody can judge what happens to it, and the verdict says so.

use cycle::{Kind, View};

use super::finding::CheckFinding;
use super::format::seconds;
use super::rule::Rule;
use description::{ActuatorSpec, Robot};

/// The least stiffness with which a joint carries.
const CARRIES: f64 = 0.1;

/// The joints that carry the body, and since when one of them is limp.
#[derive(Clone, Debug)]
pub(super) struct LimpJoints {
    /// Each with its stiffness, where it has one.
    carry: Vec<(usize, Option<usize>)>,
    /// On the show's clock, s, and the joint.
    since: Option<(f64, usize)>,
}

impl LimpJoints {
    /// Of a robot: the joints of the links from each sole to the root.
    pub(super) fn of(robot: &Robot) -> LimpJoints {
        let mut carry = Vec::new();
        let soles = robot.links.iter().enumerate();
        for (sole, _) in soles.filter(|sole| !sole.1.sole.is_empty()) {
            let mut above = Some(sole);
            while let Some(link) = above {
                let link = &robot.links[link];
                carry.extend(link.joint.map(|joint| usize::from(joint.0)));
                above = link.parent;
            }
        }
        carry.sort_unstable();
        carry.dedup();
        let stiffness = |joint: usize| {
            let is_its = |spec: &ActuatorSpec| match spec.kind {
                Kind::Stiffness { joint: own } => usize::from(own.0) == joint,
                _ => false,
            };
            robot.actuators.iter().position(is_its)
        };
        let carry = carry
            .into_iter()
            .map(|carry| (carry, stiffness(carry)))
            .collect();
        LimpJoints { carry, since: None }
    }

    /// A new show begins.
    pub(super) fn begin(&mut self) {
        self.since = None;
    }

    /// Looks at a body that `stands`. Returns a finding when a joint that was limp is stiff again.
    pub(super) fn look(
        &mut self,
        robot: &Robot,
        view: &View<'_>,
        at: f64,
        stands: bool,
    ) -> Option<CheckFinding> {
        let is_weak = |i: usize| view.tracks[i].sent < CARRIES;
        let is_limp = |pair: &&(usize, Option<usize>)| {
            view.tracks[pair.0].limp || pair.1.is_some_and(is_weak)
        };
        let limp = self.carry.iter().find(is_limp).map(|carry| carry.0);
        match (self.since, limp) {
            (None, Some(joint)) if stands => {
                self.since = Some((at, joint));
                None
            }
            (Some((from, joint)), None) => {
                self.since = None;
                let name = &robot.actuators[joint].name;
                let sentence = format!(
                    "{name} carries the body and is limp from {} to {}: the body sinks, and becomes stiff again \
                     wherever it lies",
                    seconds(from),
                    seconds(at)
                );
                let fix = format!(
                    "keep the stiffness of {name} at {CARRIES} or more, or sit down first and end there"
                );
                Some(CheckFinding {
                    who: name.clone(),
                    at: Some(from),
                    ..CheckFinding::new(Rule::Balance, sentence, fix)
                })
            }
            _ => None,
        }
    }

    /// Which joint is limp, and since when.
    pub(super) fn is_limp(&self, robot: &Robot) -> Option<(f64, String)> {
        let (from, joint) = self.since?;
        Some((from, robot.actuators[joint].name.clone()))
    }
}
