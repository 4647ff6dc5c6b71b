//! A show played from one posture, in the very loop that plays it on a robot, in virtual time.
//! Made for each posture; it watches every turn and asks all judges.
//! The law: what it sees is what `run --sim` sends from there, bit for bit.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant as Clock;

use cycle::{Gains, Instant, Kind, State, View};
use guests::{Figures, GuestId, HOOKS, Life, Report, Used, World};
use parry3d_f64::math::Pose;

use super::balance::Balance;
use super::course::{self, Courses, Now};
use super::finding::{Finding, Findings, Play};
use super::rule::{Rule, Severity};
use super::skeleton::Skeleton;
use super::start::Start;
use super::strip::Strip;
use super::touch::Touch;
use super::words::{amount, seconds};
use super::{Show, Terms};
use crate::company::Company;
use crate::live::{Moment, Watcher};

/// How long the body is looked at after the show, s.
const AFTER: f64 = 0.2;

/// Events of one second that are many.
const MANY_EVENTS: u64 = 200;

/// Turns after which a body that has not started will not.
const BOOT_MAX: u64 = 20_000;

/// Everything that is known after a rehearsal.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) findings: Findings,
    pub(super) plays: Vec<Play>,
    pub(super) hooks: [Used; HOOKS],
    pub(super) fuel: u64,
    /// How it reached sensors and commands.
    pub(super) form: &'static str,
    /// It is a score: it runs beside the turn.
    pub(super) runs: bool,
    /// Time in hooks by the clock, ns, and the fuel that went into it.
    pub(super) spent: (f64, f64),
    pub(super) simulated: f64,
    pub(super) strip: Strip,
}

/// The rules about courses.
const COURSES: [Rule; 5] = [
    Rule::Range,
    Rule::Velocity,
    Rule::Acceleration,
    Rule::Coupled,
    Rule::Reach,
];

/// Where it is.
enum Phase {
    /// The guest waits for the body.
    Waiting,
    Playing,
    /// It is over: until then the body is looked at.
    After(Instant),
}

pub(super) struct Rehearsal<'r> {
    show: &'r Show<'r>,
    terms: &'r Terms,
    start: &'r Start,
    company: &'r Company,
    until: Clock,
    lasting: f64,
    times: u32,
    guest: Option<(GuestId, Arc<Report>)>,
    phase: Phase,
    /// Turns without the show.
    waited: u64,
    begun: Instant,
    stopped: bool,
    round: u32,
    before: Vec<(f64, Gains)>,
    last: Vec<f64>,
    poses: Vec<Pose>,
    skeleton: Option<Skeleton>,
    touch: Touch,
    balance: Option<Balance>,
    /// How far the joints may still move before the centre of mass could leave the soles, m.
    steady: f64,
    stood: bool,
    courses: Courses,
    /// Any of the rules about courses is judged.
    follows: bool,
    events: (u64, f64),
    round_findings: Findings,
    outcome: Outcome,
}

impl<'r> Rehearsal<'r> {
    pub(super) fn new(
        show: &'r Show<'r>,
        terms: &'r Terms,
        start: &'r Start,
        company: &'r Company,
        (lasting, times, until): (f64, u32, Clock),
    ) -> Self {
        let robot = &*start.robot;
        let judges = |rule: Rule| !terms.allowed.contains(&rule);
        Rehearsal {
            show,
            terms,
            start,
            company,
            until,
            lasting,
            times,
            guest: None,
            phase: Phase::Waiting,
            waited: 0,
            begun: Instant::ZERO,
            stopped: false,
            round: 1,
            before: Vec::new(),
            last: Vec::new(),
            poses: Vec::new(),
            skeleton: Skeleton::of(robot),
            touch: if judges(Rule::Touch) {
                Touch::of(robot)
            } else {
                Touch::nobody()
            },
            balance: Balance::of(robot).filter(|_| judges(Rule::Balance) && !start.by_chance),
            follows: COURSES.into_iter().any(judges),
            steady: 0.0,
            stood: false,
            courses: Courses::of(robot),
            events: (0, 0.0),
            round_findings: Findings::default(),
            outcome: Outcome::default(),
        }
    }

    /// Brings the guest in.
    pub(super) fn enter(&mut self) -> Result<(), Box<Finding>> {
        let wishes = self.terms.wishes.clone();
        let entered = self
            .company
            .load(self.show.bytes, Some(self.show.name), wishes);
        let refused = |error: guests::GuestError| {
            let rule = match error {
                guests::GuestError::Failed(_) => Rule::Fault,
                _ => Rule::Contract,
            };
            let text = error.to_string();
            let (sentence, fix) = text.split_once("; fix: ").unwrap_or((&text, rule.advice()));
            Box::new(Finding::new(rule, sentence, fix))
        };
        let entered = entered.map_err(refused)?;
        let report = self
            .company
            .director()
            .report(entered.id)
            .map_err(refused)?;
        let all = self.company.list();
        let own = all.iter().find(|it| it.id == entered.id);
        self.outcome.fuel = own.map_or(0, |it| it.fuel);
        self.outcome.runs = entered.world == World::Score;
        self.outcome.form = entered.form.name();
        self.guest = Some((entered.id, report));
        self.stopped = false;
        self.phase = Phase::Waiting;
        Ok(())
    }

    pub(super) fn end(mut self) -> Outcome {
        self.outcome.findings.join(self.round_findings);
        self.outcome
    }

    fn since(&self, now: Instant) -> f64 {
        (now - self.begun).seconds()
    }

    fn add(&mut self, finding: Finding) {
        self.round_findings.add(finding);
    }

    /// The turn before the show begins, as far as one knows: how everything is without it.
    fn make_ready(&mut self, view: &View<'_>) {
        self.courses.begin(view.tracks);
        self.touch.begin();
        self.steady = 0.0;
        self.stood = false;
        self.last = view.tracks.iter().map(|it| it.sent).collect();
        self.before = settings(view);
        self.events = (self.company.director().scene().posted(), 0.0);
    }

    /// Judges a turn in which it plays.
    fn judge(&mut self, view: &View<'_>) {
        let robot = &*self.start.robot;
        let at = self.since(view.now);
        let now = Now {
            at,
            elapsed: view.elapsed.seconds(),
            tracks: view.tracks,
        };
        if self.follows {
            self.courses.turn(robot, now, &mut self.round_findings);
        }
        course::taken(robot, view.taken, at, self.begun, &mut self.round_findings);
        if self.round == 1 && !self.start.by_chance {
            self.outcome.strip.turn(view.turn, at, view.tracks);
        }
        self.look_at_the_body(view, at);
        self.count_events(at);
    }

    /// Touch and balance, when the joints have moved far enough for either.
    fn look_at_the_body(&mut self, view: &View<'_>, at: f64) {
        let Some(skeleton) = &self.skeleton else {
            return;
        };
        let mut turned = 0.0;
        for (last, track) in self
            .last
            .iter_mut()
            .zip(view.tracks)
            .take(self.start.robot.actuators.len())
        {
            turned += (track.sent - *last).abs();
            *last = track.sent;
        }
        let far = turned * skeleton.reach.max(1.0);
        self.steady -= far;
        let touches = self.touch.moved(far);
        let sways = self.balance.is_some() && self.steady <= 0.0;
        if !touches && !sways {
            return;
        }
        skeleton.place(|it| view.tracks[it].sent, &mut self.poses);
        let links = &self.start.robot.links;
        let by_chance = self.start.by_chance;
        let findings = &mut self.round_findings;
        if touches {
            self.touch.look(&self.poses, |contact| {
                let (one, other) = (&links[contact.links.0].name, &links[contact.links.1].name);
                let deep = amount(contact.depth * 1e3, "mm");
                let sentence = format!("{one} touches {other} at {}: {deep} deep", seconds(at));
                let fix = format!("keep {one} and {other} apart at {}", seconds(at));
                findings.add(Finding {
                    who: format!("{one} and {other}"),
                    at: Some(at),
                    value: Some(-contact.depth),
                    limit: Some(0.0),
                    unit: "m".to_owned(),
                    times: u64::from(contact.begins),
                    severity: if by_chance {
                        Severity::Warning
                    } else {
                        Severity::Failure
                    },
                    ..Finding::new(Rule::Touch, sentence, fix)
                });
            });
        }
        if !sways {
            return;
        }
        let margin = self
            .balance
            .as_ref()
            .and_then(|it| it.margin(skeleton, &self.poses));
        // Who does not stand has nothing to lose for as long as it takes to move a little.
        self.steady = margin.map_or(0.01, |it| it.abs().max(0.0005) / 2.0);
        self.stood |= margin.is_some_and(|it| it >= 0.0);
        let Some(margin) = margin.filter(|it| *it < 0.0 && self.stood) else {
            return;
        };
        let out = amount(-margin * 1e3, "mm");
        let sentence = format!(
            "the centre of mass is {out} outside of the soles at {}: it falls",
            seconds(at)
        );
        self.add(Finding {
            at: Some(at),
            value: Some(margin),
            limit: Some(0.0),
            unit: "m".to_owned(),
            ..Finding::new(
                Rule::Balance,
                sentence,
                format!(
                    "lean the other way at {}, by hips and ankles, or make the move smaller",
                    seconds(at)
                ),
            )
        });
    }

    fn count_events(&mut self, at: f64) {
        if at - self.events.1 < 1.0 {
            return;
        }
        let posted = self.company.director().scene().posted();
        let many = posted - self.events.0;
        let since = std::mem::replace(&mut self.events, (posted, at)).1;
        if many > MANY_EVENTS {
            let sentence = format!(
                "it posts {many} events within a second after {}",
                seconds(since)
            );
            self.add(Finding {
                at: Some(since),
                until: Some(at),
                value: Some(many as f64),
                limit: Some(MANY_EVENTS as f64),
                ..Finding::new(
                    Rule::Events,
                    sentence,
                    "post when something changes, not in every turn",
                )
            });
        }
    }

    /// It has ended: what its figures say.
    fn close(&mut self, now: Instant) {
        let lasted = self.since(now);
        let robot = Arc::clone(&self.start.robot);
        self.courses.end(&robot, &mut self.round_findings);
        let Some((_, report)) = self.guest.take() else {
            return;
        };
        let figures = report.figures();
        self.outcome.plays.push(Play {
            start: self.start.name.clone(),
            lasted,
            ended: !self.stopped,
            commands: figures.commands,
        });
        for (all, one) in self.outcome.hooks.iter_mut().zip(&figures.hooks) {
            all.calls += one.calls;
            all.total += one.total;
            all.most = all.most.max(one.most);
        }
        self.told_by(&figures, lasted);
    }

    fn told_by(&mut self, figures: &Figures, lasted: f64) {
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
            self.add(Finding {
                at: Some(lasted),
                severity: Severity::Failure,
                ..Finding::new(rule, sentence, rule.advice())
            });
        }
        let mut full = |times: u64, severity, what: &str| {
            if times > 0 {
                self.round_findings.add(Finding {
                    who: what.to_owned(),
                    times,
                    value: Some(times as f64),
                    limit: Some(0.0),
                    severity,
                    ..Finding::new(
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
            "something was refused that it had been promised",
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
            let sentence = format!("it was too slow to hear {} events", figures.missed_events);
            self.add(Finding {
                who: "hearing".to_owned(),
                ..Finding::new(
                    Rule::Events,
                    sentence,
                    "hear all events that wait in every turn",
                )
            });
        }
    }

    /// Stiffnesses and gains are as they were.
    fn compare_settings(&mut self, view: &View<'_>) {
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
                format!("it leaves {name} at {now}; it was {before}")
            } else {
                format!("it leaves the gains of {name} changed")
            };
            self.round_findings.add(Finding {
                who: name.clone(),
                value: Some(now.0),
                limit: Some(before.0),
                ..Finding::new(
                    Rule::Settings,
                    sentence,
                    format!("put {name} back before you end"),
                )
            });
        }
    }

    /// One play is over. Whether there is another.
    fn round_is_over(&mut self, view: &View<'_>) -> ControlFlow<()> {
        self.compare_settings(view);
        let found = std::mem::take(&mut self.round_findings);
        if self.round > 1 {
            let new = found.iter().filter(|it| it.severity == Severity::Failure);
            let new: Vec<_> = new
                .filter(|it| !self.outcome.findings.has(it.rule, &it.who))
                .collect();
            if let Some(first) = new.first() {
                let sentence = format!("the second time {}", first.sentence);
                let fix = format!("begin as if nothing had been before; {}", first.fix);
                let repeat = Finding {
                    at: first.at,
                    ..Finding::new(Rule::Repeat, sentence, fix)
                };
                self.outcome.findings.add(repeat);
            }
        } else {
            self.outcome.findings.join(found);
        }
        if self.round >= self.times {
            return ControlFlow::Break(());
        }
        self.round += 1;
        match self.enter() {
            Ok(()) => ControlFlow::Continue(()),
            Err(finding) => {
                let sentence = format!("the second time it does not come in: {}", finding.sentence);
                self.outcome
                    .findings
                    .add(Finding::new(Rule::Repeat, sentence, finding.fix));
                ControlFlow::Break(())
            }
        }
    }

    fn hang(&mut self, at: f64) {
        let sentence = format!(
            "the check was given up after {} of the show, because its time was over",
            seconds(at)
        );
        let fix = "give it more time with --within, or look at what takes it so long";
        self.add(Finding {
            at: Some(at),
            ..Finding::new(Rule::Hang, sentence, fix)
        });
    }
}

impl Watcher for Rehearsal<'_> {
    fn watch(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let view = &moment.view;
        let Some((id, report)) = self.guest.as_ref().map(|it| (it.0, Arc::clone(&it.1))) else {
            return match self.phase {
                Phase::After(until) if view.now < until => ControlFlow::Continue(()),
                _ => self.round_is_over(view),
            };
        };
        self.outcome.simulated += view.elapsed.seconds();
        let life = report.life();
        if matches!(self.phase, Phase::Waiting) {
            let here = moment.guests > 0 && view.state == State::Running;
            if matches!(life, Life::Loaded | Life::Armed) || !here {
                self.waited += 1;
                if self.waited > BOOT_MAX {
                    self.hang(0.0);
                    return ControlFlow::Break(());
                }
                self.make_ready(view);
                return ControlFlow::Continue(());
            }
            self.waited = 0;
            self.begun = view.now;
            self.phase = Phase::Playing;
        }
        self.outcome.spent.0 += moment.hooks.as_nanos() as f64;
        self.judge(view);
        let at = self.since(view.now);
        if moment.guests == 0 {
            self.close(view.now);
            self.phase = Phase::After(view.now + cycle::Span::from_nanos((AFTER * 1e9) as u64));
            return ControlFlow::Continue(());
        }
        if at >= self.lasting && !self.stopped {
            self.stopped = true;
            // It may be about to go by itself.
            let _ = self.company.director().end(id);
        }
        // A clock is asked only now and then.
        if view.turn.is_multiple_of(64) && Clock::now() >= self.until {
            self.hang(at);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// What a show must leave as it was: stiffnesses, and gains.
fn settings(view: &View<'_>) -> Vec<(f64, Gains)> {
    let of = |it: &cycle::Track| (it.held, it.gains);
    view.tracks.iter().map(of).collect()
}
