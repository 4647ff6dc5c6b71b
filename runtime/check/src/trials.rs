//! Plays a show from every start posture, the first alone and the others side by side, and adds up what was found.
//! Called once for a check.
//! The sum depends on no thread; it is added up in the order of the postures.

use std::sync::{Arc, Mutex, PoisonError};

use description::Robot;
use guests::{CheckedComponent, THINKING, World};
use robot::guest_policy::code_form;
use robot::guest_service::{GuestService, GuestServiceSettings};
use robot::live::{Control, LoopSetup, Tempo, event_channel, live, private_page, request_channel};

use super::finding::Findings;
use super::joint_history::JointHistory;
use super::postures::{StartPosture, start_postures};
use super::rule::{Rule, Severity};
use super::simulation::{PlaySettings, Simulation, SimulationResult};
use super::time_limit::TimeLimit;
use super::{CheckInput, CheckOptions};

/// How long a show is played that has no end, s: one that says that it loops; one that is called in every turn and
/// does not say so; a score, which goes on by itself and may end at any time.
const PLAY_FOR: [f64; 3] = [180.0, 600.0, 7200.0];

/// How long a show that does not end is played from any posture but the first, s.
const PLAY_AGAIN_FOR: f64 = 20.0;

/// What came of all runs.
#[derive(Debug)]
pub(super) struct Trials {
    /// The sum over all postures.
    pub(super) total: SimulationResult,
    /// What was commanded and sent, from each posture that is not random.
    pub(super) histories: Vec<JointHistory>,
    /// It came in, and was played at least once.
    pub(super) was_played: bool,
    /// It ended by itself in its first run.
    pub(super) ends: bool,
    /// How long the first run lasts at most, s.
    pub(super) play_for: f64,
    /// How many postures there are.
    pub(super) postures: usize,
    /// The time was over before any but the first was tried.
    pub(super) out_of_time: bool,
}

impl Trials {
    /// Plays it from everywhere, until the clock says `until`; loading it takes none of that time.
    pub(super) fn run(
        robot: &Arc<Robot>,
        input: &CheckInput<'_>,
        options: &CheckOptions,
        component: Option<&CheckedComponent>,
        until: TimeLimit,
    ) -> Result<Trials, String> {
        // A round and a bit more of what says how long it lasts: it may wait, or be late.
        let own = component
            .and_then(|component| component.manifest.lasts)
            .map_or(0.0, |value| value * 1.1 + 1.0);
        let play_for = options.play_for.unwrap_or(usual_time(component).max(own));
        let all = start_postures(robot, options.random_postures, options.seed);
        // The first says how long it lasts, and whether it is worth while to try the others.
        let mut settings = PlaySettings {
            longest: play_for,
            times: 2,
            until,
            lead: component
                .and_then(|component| component.manifest.lead)
                .unwrap_or(0.0),
        };
        let first = simulate(input, options, &all[0], settings)?;
        // Whatever is loaded again comes out of the cache.
        let loading = first.loading;
        settings.until = until.later(loading);
        settings.times = 1;
        let ends = first.plays.first().is_some_and(|summary| summary.ended);
        if !ends {
            settings.longest = play_for.min(PLAY_AGAIN_FOR.max(own));
        }
        // What did not come in, or was given up, needs no other posture to fail.
        let was_played = !first.plays.is_empty();
        let in_time = !settings.until.is_over();
        let rest = if was_played && in_time {
            &all[1..]
        } else {
            &[]
        };
        let others = side_by_side(rest, |value| simulate(input, options, value, settings));
        let mut trials = Trials {
            total: SimulationResult {
                loading,
                ..SimulationResult::default()
            },
            histories: Vec::new(),
            was_played,
            ends,
            play_for,
            postures: all.len(),
            out_of_time: was_played && !in_time && all.len() > 1,
        };
        trials.add(&all[0], first);
        for (start, result) in rest.iter().zip(others) {
            trials.add(start, result?);
        }
        Ok(trials)
    }

    /// Adds what came of one posture.
    fn add(&mut self, start: &StartPosture, result: SimulationResult) {
        let total = &mut self.total;
        total.findings.join(of_posture(start, result.findings));
        total.plays.extend(result.plays);
        for (sum, one) in total.hooks.iter_mut().zip(&result.hooks) {
            sum.calls += one.calls;
            sum.total += one.total;
            sum.most = sum.most.max(one.most);
        }
        total.fuel_limit = total.fuel_limit.max(result.fuel_limit);
        total.is_score |= result.is_score;
        total.moved |= result.moved;
        total.unknown_names = result.unknown_names;
        total.unknown_sensors = result.unknown_sensors;
        total.found_actuator |= result.found_actuator;
        total.balance.join(result.balance);
        total.limp = total.limp.take().or(result.limp);
        total.body_stopped = total.body_stopped.or(result.body_stopped);
        total.form = result.form;
        total.hook_time += result.hook_time;
        total.simulated += result.simulated;
        if !start.is_random {
            let mut history = result.history;
            history.start.clone_from(&start.name);
            self.histories.push(history);
        }
    }
}

/// How long a show is played that says nothing else, s.
fn usual_time(component: Option<&CheckedComponent>) -> f64 {
    let loops = component.is_some_and(|component| component.manifest.loops);
    let is_score = component.is_some_and(|component| component.world == World::Score);
    match (loops, is_score) {
        (true, _) => PLAY_FOR[0],
        (false, false) => PLAY_FOR[1],
        (false, true) => PLAY_FOR[2],
    }
}

/// Findings of one posture. What depends on where the body stands is only a warning from a random posture.
fn of_posture(start: &StartPosture, findings: Findings) -> Findings {
    let mut own = Findings::default();
    for mut finding in findings.sorted() {
        finding.starts = vec![start.name.clone()];
        let depends_on_posture = matches!(
            finding.rule,
            Rule::Reach | Rule::Velocity | Rule::Touch | Rule::Coupled
        );
        if start.is_random && depends_on_posture {
            finding.severity = Severity::Warning;
        }
        own.add(finding);
    }
    own
}

/// Calls `simulate` for each posture, on as many threads as there are processors; the results in the order of the list.
fn side_by_side<'s, T: Send>(
    list: &'s [StartPosture],
    simulate: impl Fn(&'s StartPosture) -> T + Sync,
) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(0..list.len());
    let done = Mutex::new(Vec::new());
    let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(list.len()) {
            scope.spawn(|| {
                while let Some(place) = take() {
                    let result = simulate(&list[place]);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((place, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|pair| pair.0);
    done.into_iter().map(|pair| pair.1).collect()
}

/// Plays it from one posture.
fn simulate(
    input: &CheckInput<'_>,
    options: &CheckOptions,
    start: &StartPosture,
    play_settings: PlaySettings,
) -> Result<SimulationResult, String> {
    let robot = Arc::clone(&start.robot);
    let page = private_page(&robot).map_err(|error| error.to_string())?;
    let settings = GuestServiceSettings {
        form: options.form.unwrap_or_else(|| code_form(&robot)),
        // Half of the time, so that a score that never sleeps is told from a check that takes too long.
        lockstep: Some(THINKING.min(options.time_limit / 2)),
        logged: false,
        compiler: options.compiler.clone(),
        cache: options.cache.clone(),
    };
    let started = GuestService::start(&robot, page.window(), settings)?;
    let (_sender, requests) = request_channel();
    let (events, _news) = event_channel();
    let control = Control::default();
    // A random posture rarely stands, so there the body floats.
    let body = match start.is_random {
        true => None,
        false => robot.rigid_robot().map_err(|error| error.to_string())?,
    };
    let mut simulation = Simulation::new(input, options, start, &started.service, play_settings);
    if let Some(body) = &body {
        simulation.watch_for_falls(body);
    }
    if let Err(finding) = simulation.enter() {
        let mut result = simulation.end();
        result.findings.add(*finding);
        return Ok(result);
    }
    let setup = LoopSetup {
        physics: body,
        page: Some(page),
        arm: true,
        scheduler: Some(started.scheduler),
        watcher: Some(&mut simulation),
        ..LoopSetup::bare(Tempo::Fast, requests, events, &control)
    };
    live(&robot, setup, |_| {}).map_err(|error| error.to_string())?;
    Ok(simulation.end())
}
