//! Judges what a show asks of motors, by what the runtime itself reports: a joint that does not follow, one that reads
//! what its range makes impossible, and one that became hot.
//! Asked in every turn in which a show plays. Each joint is reported once for each rule.

use cycle::{Event, View};
use description::Robot;

use super::finding::CheckFinding;
use super::format::seconds;
use super::rule::Rule;

/// Reads the events of a body.
#[derive(Clone, Debug, Default)]
pub(super) struct MotorStrain {
    /// The number of the next event.
    next: u64,
    /// What was reported of the show.
    reported: Vec<Event>,
}

impl MotorStrain {
    /// A new show begins: what happened before is not its doing.
    pub(super) fn begin(&mut self, view: &View<'_>) {
        self.next = view.events.written();
        self.reported.clear();
    }

    /// The joints that stopped the body in this turn, and those that became hot, `at` s on the show's clock.
    pub(super) fn look(
        &mut self,
        robot: &Robot,
        view: &View<'_>,
        at: f64,
        mut report: impl FnMut(CheckFinding),
    ) {
        for (number, entry) in view.events.since(self.next) {
            self.next = number + 1;
            let rule = match entry.event {
                Event::Astray(_) | Event::Impossible(_) => Rule::Overload,
                Event::Weakened(_) => Rule::Overheat,
                _ => continue,
            };
            let joint = entry.event.actuator();
            let joint = joint.and_then(|joint| robot.actuators.get(usize::from(joint.0)));
            let Some(joint) = joint.filter(|_| !self.reported.contains(&entry.event)) else {
                continue;
            };
            self.reported.push(entry.event);
            let (name, when) = (&joint.name, seconds(at));
            let (sentence, fix) = match entry.event {
                Event::Impossible(_) => (
                    format!("{name} is beyond its range at {when}: the body stops there"),
                    format!(
                        "ask less of {name} before {when}: something pushes it against its stop"
                    ),
                ),
                Event::Astray(_) => (
                    format!("{name} does not follow its commands at {when}: the body stops there"),
                    format!(
                        "ask less of {name} before {when}: its motor is too weak, or something blocks it"
                    ),
                ),
                _ => (
                    format!("{name} is hot at {when}: its stiffness is reduced"),
                    format!("let {name} carry less, or let it rest, before {when}"),
                ),
            };
            report(CheckFinding {
                who: name.clone(),
                at: Some(at),
                ..CheckFinding::new(rule, sentence, fix)
            });
        }
    }
}
