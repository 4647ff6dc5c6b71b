//! A simulation: a show played from one posture, in the very loop that plays it on a robot, in virtual time.
//! Made for each posture; it watches every turn and asks all judges.
//! What it sees is what `run --sim` sends from there, bit for bit.

mod body_checks;
mod rounds;
mod side_effects;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use cycle::{Gains, Instant, State, View};
use guests::{GuestId, GuestLife, GuestReport, HOOKS, HookUsage, World};
use parry3d_f64::math::Pose;

use crate::balance::{BalanceMonitor, BalanceSummary};
use crate::collision::CollisionDetector;
use crate::fall::FallMonitor;
use crate::finding::{CheckFinding, Findings, PlaySummary};
use crate::joint_history::JointHistory;
use crate::key_gaps::KeyGaps;
use crate::kinematics::KinematicTree;
use crate::limp_joints::LimpJoints;
use crate::motor_strain::MotorStrain;
use crate::postures::StartPosture;
use crate::rule::Rule;
use crate::slip::SlipMonitor;
use crate::taken_commands;
use crate::time_limit::TimeLimit;
use crate::trajectory::{TrajectoryJudge, TurnSample};
use crate::{CheckInput, CheckOptions};
use robot::guest_service::GuestService;
use robot::live::{TurnMoment, TurnWatcher};

/// After so many turns a body that has not started never will.
const BOOT_MAX: u64 = 20_000;

/// Everything that is known after a simulation.
#[derive(Debug, Default)]
pub(super) struct SimulationResult {
    pub(super) findings: Findings,
    pub(super) plays: Vec<PlaySummary>,
    pub(super) hooks: [HookUsage; HOOKS],
    /// Fuel that a call is granted.
    pub(super) fuel_limit: u64,
    /// How it reached sensors and commands.
    pub(super) form: &'static str,
    /// It is a score: it runs beside the turn.
    pub(super) is_score: bool,
    /// Time in hooks by the clock, ns.
    pub(super) hook_time: f64,
    pub(super) simulated: f64,
    /// How long it took to load it, mostly to compile it.
    pub(super) loading: Duration,
    /// Anything of the body was driven.
    pub(super) moved: bool,
    pub(super) balance: BalanceSummary,
    /// A joint that carries the body was limp when a show ended, and since when, s.
    pub(super) limp: Option<(f64, String)>,
    /// When the runtime stopped the body first, on the show's clock, s.
    pub(super) body_stopped: Option<f64>,
    /// Names that it asked for and that this robot does not have.
    pub(super) unknown_names: Vec<String>,
    pub(super) unknown_sensors: Vec<String>,
    /// An actuator for which it asked is there.
    pub(super) found_actuator: bool,
    pub(super) history: JointHistory,
}

/// The rules about trajectories.
const TRAJECTORY_RULES: [Rule; 5] = [
    Rule::Range,
    Rule::Velocity,
    Rule::Acceleration,
    Rule::Coupled,
    Rule::Reach,
];

/// The phase of a simulation.
pub(super) enum SimulationPhase {
    /// The guest waits for the body.
    Waiting,
    Playing,
    /// The show is over; the body is watched until this instant.
    After(Instant),
}

/// How a show is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaySettings {
    /// How long at most, s.
    pub(super) longest: f64,
    /// How many times in a row.
    pub(super) times: u32,
    /// When the check must be over.
    pub(super) until: TimeLimit,
    /// How long it plays before the 0 of its own clock, s.
    pub(super) lead: f64,
}

pub(super) struct Simulation<'r> {
    pub(super) input: &'r CheckInput<'r>,
    pub(super) options: &'r CheckOptions,
    pub(super) start: &'r StartPosture,
    pub(super) service: &'r GuestService,
    pub(super) settings: PlaySettings,
    pub(super) guest: Option<(GuestId, Arc<GuestReport>)>,
    pub(super) phase: SimulationPhase,
    /// Turns without the show.
    pub(super) waited: u64,
    /// The instant of its first turn.
    pub(super) begun: Instant,
    pub(super) stopped: bool,
    pub(super) round: u32,
    pub(super) before: Vec<(f64, Gains)>,
    pub(super) last: Vec<f64>,
    /// How far each actuator has moved in this turn.
    pub(super) moved: Vec<f64>,
    pub(super) poses: Vec<Pose>,
    pub(super) kinematics: Option<KinematicTree>,
    pub(super) collision: CollisionDetector,
    pub(super) balance: Option<BalanceMonitor>,
    pub(super) fall: Option<FallMonitor>,
    pub(super) slip: Option<SlipMonitor>,
    pub(super) strain: MotorStrain,
    pub(super) limp: LimpJoints,
    /// When the body moved last, on the show's clock, s.
    pub(super) moved_at: f64,
    /// The balance was judged since the show began.
    pub(super) looked: bool,
    pub(super) stood: bool,
    pub(super) trajectory: TrajectoryJudge,
    pub(super) gaps: KeyGaps,
    /// Any of the rules about trajectories is judged.
    pub(super) follows: bool,
    pub(super) events: (u64, f64),
    pub(super) round_findings: Findings,
    pub(super) result: SimulationResult,
}

impl<'r> Simulation<'r> {
    pub(super) fn new(
        input: &'r CheckInput<'r>,
        options: &'r CheckOptions,
        start: &'r StartPosture,
        service: &'r GuestService,
        settings: PlaySettings,
    ) -> Self {
        let robot = &*start.robot;
        let judges = |rule: Rule| !options.allowed.contains(&rule);
        Simulation {
            input,
            options,
            start,
            service,
            settings,
            guest: None,
            phase: SimulationPhase::Waiting,
            waited: 0,
            begun: Instant::ZERO,
            stopped: false,
            round: 1,
            before: Vec::new(),
            last: Vec::new(),
            moved: Vec::new(),
            poses: Vec::new(),
            kinematics: KinematicTree::of(robot),
            collision: if judges(Rule::Touch) {
                CollisionDetector::of(robot)
            } else {
                CollisionDetector::none()
            },
            balance: BalanceMonitor::of(robot)
                .filter(|_| judges(Rule::Balance) || judges(Rule::Tipping))
                .filter(|_| !start.is_random),
            fall: None,
            slip: None,
            strain: MotorStrain::default(),
            limp: LimpJoints::of(robot),
            follows: TRAJECTORY_RULES.into_iter().any(judges),
            moved_at: 0.0,
            looked: false,
            stood: false,
            trajectory: TrajectoryJudge::of(robot),
            gaps: KeyGaps::of(robot),
            events: (0, 0.0),
            round_findings: Findings::default(),
            result: SimulationResult::default(),
        }
    }

    /// Loads the show as a guest.
    pub(super) fn enter(&mut self) -> Result<(), Box<CheckFinding>> {
        let load = self.options.load.clone();
        let entered = self
            .service
            .load(self.input.bytes, Some(self.input.name), load);
        let refused = |error: guests::GuestError| {
            let rule = match error {
                guests::GuestError::Failed(_) => Rule::Fault,
                _ => Rule::Contract,
            };
            let text = error.to_string();
            let (sentence, fix) = text.split_once("; fix: ").unwrap_or((&text, rule.advice()));
            Box::new(CheckFinding::new(rule, sentence, fix))
        };
        let entered = entered.map_err(refused)?;
        self.result.loading += entered.took;
        self.settings.until = self.settings.until.later(entered.took);
        let report = self.service.manager().report(entered.id).map_err(refused)?;
        let all = self.service.list();
        let own = all.iter().find(|item| item.id == entered.id);
        self.result.fuel_limit = own.map_or(0, |facts| facts.fuel);
        self.result.is_score = entered.world == World::Score;
        self.result.form = entered.form.name();
        self.guest = Some((entered.id, report));
        self.stopped = false;
        self.phase = SimulationPhase::Waiting;
        Ok(())
    }

    pub(super) fn end(mut self) -> SimulationResult {
        self.result.findings.join(self.round_findings);
        self.result.found_actuator = self.service.manager().guest_body().has_found();
        let body = self.service.manager().guest_body();
        self.result.unknown_names = body.unknown();
        self.result.unknown_sensors = body.unknown_sensors();
        self.result
    }

    /// Ends the show.
    pub(super) fn stop_playing(&mut self) {
        if let Some((id, _)) = self.guest.as_ref().filter(|_| !self.stopped) {
            self.stopped = true;
            // It may be about to go by itself.
            let _ = self.service.manager().end(*id);
        }
    }

    /// How long it has played, s.
    fn played(&self, now: Instant) -> f64 {
        (now - self.begun).seconds()
    }

    /// When it begins on its own clock, s. Not negated, because that would print as -0.
    fn begins_at(&self) -> f64 {
        0.0 - self.settings.lead
    }

    /// The time of the show's own clock, s: its 0 comes after its lead.
    fn clock(&self, now: Instant) -> f64 {
        self.played(now) - self.settings.lead
    }

    pub(super) fn add(&mut self, finding: CheckFinding) {
        self.round_findings.add(finding);
    }

    /// Notes how everything is before the show. It may begin in the next turn.
    fn make_ready(&mut self, view: &View<'_>) {
        self.trajectory.begin(view.tracks);
        self.gaps.begin();
        self.collision.begin();
        self.moved_at = self.begins_at();
        self.looked = false;
        self.stood = false;
        if let Some(balance) = &mut self.balance {
            balance.begin();
        }
        self.limp.begin();
        self.strain.begin(view);
        self.last = view.tracks.iter().map(|track| track.sent).collect();
        self.before = side_effects::settings(view);
        self.events = (self.service.manager().guest_body().posted(), self.moved_at);
    }

    /// Judges a turn in which it plays.
    fn judge(&mut self, view: &View<'_>) {
        let robot = &*self.start.robot;
        let at = self.clock(view.now);
        let now = TurnSample {
            at,
            begun: self.begins_at(),
            elapsed: view.elapsed.seconds(),
            tracks: view.tracks,
        };
        if self.follows {
            self.trajectory.turn(robot, now, &mut self.round_findings);
        }
        taken_commands::taken(
            robot,
            view.taken,
            (at, (self.begun, self.settings.lead)),
            &mut self.gaps,
            &mut self.round_findings,
        );
        self.result.moved |=
            view.tracks.iter().any(|track| track.coverage > 0.0) || !view.fires.is_empty();
        if self.round == 1 && !self.start.is_random {
            self.result.history.turn(view.turn, at, view.tracks);
        }
        self.judge_strain(view, at);
        self.judge_body(view, at);
        self.count_events(at);
    }

    /// The show has ended: judges its figures.
    fn close(&mut self, now: Instant) {
        let lasted = self.played(now);
        let robot = Arc::clone(&self.start.robot);
        self.trajectory.end(&robot, &mut self.round_findings);
        self.result.limp = self
            .result
            .limp
            .take()
            .or_else(|| self.limp.is_limp(&robot));
        let Some((_, report)) = self.guest.take() else {
            return;
        };
        let figures = side_effects::settled(&report);
        self.result.plays.push(PlaySummary {
            start: self.start.name.clone(),
            lasted,
            ended: !self.stopped || self.result.body_stopped.is_some(),
            commands: figures.commands,
        });
        for (all, one) in self.result.hooks.iter_mut().zip(&figures.hooks) {
            all.calls += one.calls;
            all.total += one.total;
            all.most = all.most.max(one.most);
        }
        self.judge_figures(&figures, self.clock(now));
    }

    fn did_not_come_in(&mut self, end: guests::End) {
        let sentence = format!("it is not admitted: {}", end.words());
        let fix = "the robot has no room for it: raise `commands` or `lanes` under `[loop]`";
        self.add(CheckFinding::new(Rule::Fault, sentence, fix));
    }
}

impl TurnWatcher for Simulation<'_> {
    fn watch(&mut self, moment: &TurnMoment<'_>) -> ControlFlow<()> {
        let view = &moment.view;
        self.look_for_falls(moment);
        let Some(report) = self.guest.as_ref().map(|(_, report)| Arc::clone(report)) else {
            return match self.phase {
                SimulationPhase::After(until) if view.now < until => ControlFlow::Continue(()),
                _ => self.round_is_over(view),
            };
        };
        self.result.simulated += view.elapsed.seconds();
        let life = report.life();
        if matches!(self.phase, SimulationPhase::Waiting) {
            let here = moment.guests > 0 && view.state == State::Running;
            if life == GuestLife::Gone {
                self.did_not_come_in(report.end());
                return ControlFlow::Break(());
            }
            if matches!(life, GuestLife::Loaded | GuestLife::Armed) || !here {
                self.waited += 1;
                if self.waited > BOOT_MAX {
                    self.add(side_effects::hang(0.0, 0.0));
                    return ControlFlow::Break(());
                }
                self.make_ready(view);
                self.begin_falls(moment);
                return ControlFlow::Continue(());
            }
            self.waited = 0;
            self.begun = view.now;
            self.phase = SimulationPhase::Playing;
        }
        self.result.hook_time += moment.hooks.as_nanos() as f64;
        self.judge(view);
        let at = self.clock(view.now);
        if moment.guests == 0 {
            self.close(view.now);
            self.phase = SimulationPhase::After(view.now + self.watched_after());
            return ControlFlow::Continue(());
        }
        if self.played(view.now) >= self.settings.longest {
            self.stop_playing();
        }
        if report.is_given_up() {
            self.add(side_effects::endless(at));
            return ControlFlow::Break(());
        }
        // A clock is asked only now and then.
        if view.turn.is_multiple_of(64) && self.settings.until.is_over() {
            self.add(side_effects::hang(at, self.played(view.now)));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
