//! Side effects of a show: a flood of events, faults and overruns in its figures, and settings that it has changed.
//! Called by the simulation, every second and when a run is over.

use std::sync::Arc;

use cycle::{Kind, View};
use guests::Figures;

use super::{Simulation, settings};
use crate::finding::CheckFinding;
use crate::format::{amount, seconds};
use crate::rule::{Rule, Severity};

/// More events in one second are too many.
const MANY_EVENTS: u64 = 200;

impl Simulation<'_> {
    pub(super) fn count_events(&mut self, at: f64) {
        if at - self.events.1 < 1.0 {
            return;
        }
        let posted = self.service.manager().guest_body().posted();
        let many = posted - self.events.0;
        let since = std::mem::replace(&mut self.events, (posted, at)).1;
        if many > MANY_EVENTS {
            let sentence = format!(
                "it posts {many} events within a second after {}",
                seconds(since)
            );
            self.add(CheckFinding {
                at: Some(since),
                until: Some(at),
                value: Some(many as f64),
                limit: Some(MANY_EVENTS as f64),
                ..CheckFinding::new(
                    Rule::Events,
                    sentence,
                    "post when something changes, not in every turn",
                )
            });
        }
    }

    pub(super) fn judge_figures(&mut self, figures: &Figures, lasted: f64) {
        if figures.end.is_fault() {
            let more = if figures.details.is_empty() {
                String::new()
            } else {
                format!(": {}", figures.details)
            };
            let sentence = format!("it {} at {}{more}", figures.end.words(), seconds(lasted));
            let rule = match figures.end {
                guests::End::OutOfFuel => Rule::Fuel,
                _ => Rule::Fault,
            };
            self.add(CheckFinding {
                at: Some(lasted),
                severity: Severity::Failure,
                ..CheckFinding::new(rule, sentence, rule.advice())
            });
        }
        let mut full = |times: u64, severity, what: &str| {
            if times > 0 {
                self.round_findings.add(CheckFinding {
                    who: what.to_owned(),
                    times,
                    value: Some(times as f64),
                    limit: Some(0.0),
                    severity,
                    ..CheckFinding::new(
                        Rule::Full,
                        format!("{times} times {what}"),
                        "send less ahead, or in smaller portions",
                    )
                });
            }
        };
        full(
            figures.refused,
            Severity::Failure,
            "the stage refused a command that it had promised to take",
        );
        full(
            figures.deferred,
            Severity::Warning,
            "its commands had to wait for the next turn",
        );
        full(
            figures.full,
            Severity::Warning,
            "there was no room left for its commands",
        );
        if figures.missed_events > 0 {
            let sentence = format!(
                "it was too slow and missed {} events",
                figures.missed_events
            );
            self.add(CheckFinding {
                who: "hearing".to_owned(),
                ..CheckFinding::new(
                    Rule::Events,
                    sentence,
                    "read all waiting events in every turn",
                )
            });
        }
    }

    /// Stiffnesses and gains must be as they were.
    pub(super) fn compare_settings(&mut self, view: &View<'_>) {
        let robot = Arc::clone(&self.start.robot);
        let now = settings(view);
        let all = robot.actuators.iter().zip(self.before.iter().zip(&now));
        for (actuator, (before, now)) in all {
            let name = &actuator.name;
            let stiffness = matches!(actuator.kind, Kind::Stiffness { .. });
            let kept = before.1 == now.1 && (!stiffness || before.0.total_cmp(&now.0).is_eq());
            if kept {
                continue;
            }
            let sentence = if stiffness {
                let [before, now] = [before.0, now.0].map(|it| amount(it, ""));
                format!("it leaves {name} at {now}; before the show it was {before}")
            } else {
                format!("it leaves the gains of {name} changed")
            };
            self.round_findings.add(CheckFinding {
                who: name.clone(),
                value: Some(now.0),
                limit: Some(before.0),
                ..CheckFinding::new(
                    Rule::Settings,
                    sentence,
                    format!("restore {name} before the show ends"),
                )
            });
        }
    }
}
