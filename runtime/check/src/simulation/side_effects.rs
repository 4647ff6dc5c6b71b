//! Side effects of a show: a flood of events, faults and overruns in its figures, and settings that it has changed.
//! Called by the simulation, every second and when a run is over.

use std::sync::Arc;
use std::time::{Duration, Instant as Clock};

use cycle::{Gains, Kind, View};
use guests::{Figures, GuestReport};

use super::Simulation;
use crate::finding::CheckFinding;
use crate::format::{amount, seconds};
use crate::rule::{Rule, Severity};

/// How long a guest may take to be freed: its `stop` is limited by fuel.
const SETTLING: Duration = Duration::from_secs(1);

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

    pub(super) fn judge_figures(&mut self, figures: &Figures, at: f64) {
        if figures.end == guests::End::OutOfFuel && self.result.is_score {
            self.add(endless(at));
        } else if figures.end.is_fault() {
            let more = if figures.details.is_empty() {
                String::new()
            } else {
                format!(": {}", figures.details)
            };
            let sentence = format!("it {} at {}{more}", figures.end.words(), seconds(at));
            let rule = match figures.end {
                guests::End::OutOfFuel => Rule::Fuel,
                _ => Rule::Fault,
            };
            self.add(CheckFinding {
                at: Some(at),
                severity: Severity::Failure,
                ..CheckFinding::new(rule, sentence, rule.advice())
            });
        }
        if figures.stop_failed {
            let sentence = format!("it failed at its end, {}", figures.details);
            self.add(CheckFinding {
                at: Some(at),
                who: "stop".to_owned(),
                severity: Severity::Failure,
                ..CheckFinding::new(
                    Rule::Fault,
                    sentence,
                    "mend its `stop`: what it should have done last was not done",
                )
            });
        }
        // With a fault, it is part of its reason.
        if !figures.memory.is_empty() && !figures.end.is_fault() {
            let (sentence, fix) = figures
                .memory
                .split_once("; fix: ")
                .unwrap_or((&figures.memory, ""));
            self.add(CheckFinding::new(Rule::Memory, sentence, fix));
        }
        self.judge_room(figures);
    }

    /// What found no room, and what it was too slow for.
    fn judge_room(&mut self, figures: &Figures) {
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
                let [before, now] = [before.0, now.0].map(|value| amount(value, ""));
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

/// The figures of a guest that has ended. What its end was about is known when it is freed, outside the turn.
pub(super) fn settled(report: &GuestReport) -> Figures {
    let until = Clock::now() + SETTLING;
    while !report.is_settled() && Clock::now() < until {
        std::thread::sleep(SETTLING / 5_000);
    }
    report.figures()
}

/// A score that neither sleeps nor ends.
pub(super) fn endless(at: f64) -> CheckFinding {
    let sentence = format!(
        "it computes without end, at {} of the show: it neither sleeps nor ends",
        seconds(at)
    );
    CheckFinding {
        at: Some(at),
        ..CheckFinding::new(
            Rule::Endless,
            sentence,
            "call `sleep-until` in each round of its loop",
        )
    }
}

/// A check whose time has run out.
pub(super) fn hang(at: f64, played: f64) -> CheckFinding {
    let sentence = format!(
        "the check was given up after {} of the show: its time ran out",
        seconds(played)
    );
    CheckFinding {
        at: Some(at),
        ..CheckFinding::new(
            Rule::Hang,
            sentence,
            "give the check more time with --within, or find what takes so long",
        )
    }
}

/// What a show must leave as it was: stiffnesses and gains.
pub(super) fn settings(view: &View<'_>) -> Vec<(f64, Gains)> {
    let of = |track: &cycle::Track| (track.held, track.gains);
    view.tracks.iter().map(of).collect()
}
