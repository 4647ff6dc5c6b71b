//! Tells before it moves: plays a show in virtual time, from several postures, and judges all that it would send.
//!
//! `start` says from where, `rehearsal` plays it in the very loop of `live` and asks the judges: `course` (ranges,
//! speeds, first keys, lateness), `stance` (`touch` and `balance`, on a `skeleton`), `aftermath` for the rest.
//! `rule` names what is judged, `finding` what was found. Used by the command line: by itself, and before `run`.
//! The law: one verdict everywhere; and there always is one, within its time.

mod aftermath;
mod balance;
mod course;
mod finding;
mod gap;
mod hull;
mod limp;
mod rehearsal;
mod rule;
mod skeleton;
mod stance;
mod start;
mod strip;
mod taken;
mod touch;
mod unjudged;
mod words;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use guests::{CodeForm, HOOKS, Hook, HookUsage, LoadOptions, THINKING, WasiGrant, World};

pub use finding::{Facts, Finding, Findings, HookUse, Play, Verdict};
pub use rule::{Rule, Severity};
pub use strip::Strip;

use description::Robot;
use rehearsal::{Outcome, Rehearsal};
use robot::guest_policy::code_form;
use robot::guest_service::{GuestService, GuestServiceSettings};
use robot::live::{Control, LoopSetup, Tempo, event_channel, live, private_page, request_channel};
use start::Start;
use unjudged::{listed, unjudged, waits_for_something};

/// What is checked.
#[derive(Clone, Copy, Debug)]
pub struct Show<'s> {
    /// The name under which it is brought, which decides what it is granted.
    pub name: &'s str,
    /// Its bytes.
    pub bytes: &'s [u8],
}

/// How it is checked.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Priority, weight, mask and parameters, as it would be run.
    pub wishes: LoadOptions,
    /// The form; what the description says if it is not said.
    pub form: Option<CodeForm>,
    /// How long a show is played at most, s of the robot's time; if it is not said, until it ends, and as long as
    /// is usual for one that has no end.
    pub lasting: Option<f64>,
    /// How long the check may take, by the clock.
    pub within: Duration,
    /// Postures by chance.
    pub chances: usize,
    /// Their seed.
    pub seed: u64,
    /// Rules that are not judged.
    pub allowed: Vec<Rule>,
    /// Whether warnings count as failures.
    pub strict: bool,
    /// The program that compiles in a child; this process if it is not said.
    pub compiler: Option<PathBuf>,
    /// The folder of machine code that was made before.
    pub code: Option<PathBuf>,
}

impl Default for Terms {
    fn default() -> Self {
        Terms {
            wishes: LoadOptions::default(),
            form: None,
            lasting: None,
            within: Duration::from_secs(60),
            chances: 3,
            seed: 1,
            allowed: Vec::new(),
            strict: false,
            compiler: None,
            code: None,
        }
    }
}

/// How long a show is played that says that it has no end; that is called in every turn, and does not say so; that
/// goes on by itself, and may end at any time, s.
const LASTING: [f64; 3] = [180.0, 600.0, 7200.0];

/// How long a show that does not end is played from any posture but the first, s.
const LASTING_AGAIN: f64 = 20.0;

/// The part of its fuel that a hook may use without a word.
const FUEL_SHARE: f64 = 0.8;

/// A verdict, and what is needed to draw it.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The verdict.
    pub verdict: Verdict,
    /// What was commanded and sent, from the first posture.
    pub strip: Strip,
}

/// Checks a show for a robot.
///
/// # Errors
/// A sentence: this machine cannot check at all. What is wrong with the show is in the verdict.
pub fn check(robot: &Arc<Robot>, show: &Show<'_>, terms: &Terms) -> Result<Checked, String> {
    let began = Instant::now();
    let until = began + terms.within;
    let everything = WasiGrant {
        clocks: true,
        random: true,
        stdout: true,
        files: true,
    };
    let read = guests::check(show.bytes, everything).ok();
    let loops = read.as_ref().is_some_and(|it| it.manifest.loops);
    let is_score = read.as_ref().is_some_and(|it| it.world == World::Score);
    // A round and a bit more of what says how long it lasts: it may wait, or be late.
    let own = read
        .as_ref()
        .and_then(|it| it.manifest.lasts)
        .map_or(0.0, |it| it * 1.1 + 1.0);
    let usual: f64 = match (loops, is_score) {
        (true, _) => LASTING[0],
        (false, false) => LASTING[1],
        (false, true) => LASTING[2],
    };
    let lasting = terms.lasting.unwrap_or(usual.max(own));
    let all = start::starts(robot, terms.chances, terms.seed);
    // The first says how long it lasts, and whether it is worth while to try the others.
    let first = rehearse(show, terms, &all[0], (lasting, 2, until))?;
    let ends = first.plays.first().is_some_and(|it| it.ended);
    let again = if ends {
        lasting
    } else {
        lasting.min(LASTING_AGAIN.max(own))
    };
    // What did not come in, or was given up, needs no other posture to fail.
    let worth = !first.plays.is_empty();
    let in_time = Instant::now() < until;
    let rest = if worth && in_time { &all[1..] } else { &[] };
    let others = side_by_side(rest, |it| rehearse(show, terms, it, (again, 1, until)));
    let mut whole = Outcome::default();
    let mut strip = Strip::default();
    let outcomes = std::iter::once((&all[0], Ok(first))).chain(rest.iter().zip(others));
    for (start, outcome) in outcomes {
        let mut outcome = outcome?;
        if start.name == all[0].name {
            strip = std::mem::take(&mut outcome.strip);
        }
        whole.findings.join(of_start(start, outcome.findings));
        whole.plays.extend(outcome.plays);
        for (sum, one) in whole.hooks.iter_mut().zip(&outcome.hooks) {
            sum.calls += one.calls;
            sum.total += one.total;
            sum.most = sum.most.max(one.most);
        }
        whole.fuel = whole.fuel.max(outcome.fuel);
        whole.runs |= outcome.runs;
        whole.moved |= outcome.moved;
        whole.unknown = outcome.unknown;
        whole.found |= outcome.found;
        whole.stood.join(outcome.stood);
        whole.limp = whole.limp.or(outcome.limp);
        whole.form = outcome.form;
        whole.spent.0 += outcome.spent.0;
        whole.simulated += outcome.simulated;
    }
    if !ends && worth && !loops {
        let lasted = words::seconds(lasting);
        let sentence = format!("it has not ended after {lasted}, and does not say that it loops");
        let fix = "end it, or say `loops = true` in its manifest";
        whole.findings.add(Finding::new(Rule::Ends, sentence, fix));
    }
    if worth && !in_time && all.len() > 1 {
        let untried = all.len() - 1;
        let sentence = format!(
            "its time was over before {untried} of {} postures were tried",
            all.len()
        );
        let fix = "give it more time with --within";
        whole.findings.add(Finding::new(Rule::Hang, sentence, fix));
    }
    judge_fuel(&mut whole);
    if worth && !whole.moved && !waits_for_something(&whole, &read) {
        let missing = match whole.unknown.as_slice() {
            [] if whole.found => "no command to any of its actuators".to_owned(),
            [] => "it asks for no actuator".to_owned(),
            names => format!("{} does not have {}", robot.name, listed(names)),
        };
        let sentence = format!("it sends nothing: {missing}");
        let fix = "check it for the robot for which it is made, or use this robot's names";
        whole
            .findings
            .add(Finding::new(Rule::Nothing, sentence, fix));
    }
    let findings = whole.findings.clone().sorted();
    let allowed = |it: &Finding| terms.allowed.contains(&it.rule);
    let mut findings: Vec<_> = findings.into_iter().filter(|it| !allowed(it)).collect();
    if terms.strict {
        findings
            .iter_mut()
            .for_each(|it| it.severity = Severity::Failure);
    }
    let unjudged = unjudged(robot, &whole, &read, terms);
    let passes = findings.iter().all(|it| it.severity != Severity::Failure);
    let facts = Facts {
        digest: guests::digest(show.bytes),
        form: whole.form.to_owned(),
        uses: read.as_ref().map_or(Vec::new(), |it| it.imports.clone()),
        loops,
        lead: read.as_ref().and_then(|it| it.manifest.lead),
        hooks: hook_uses(&whole),
        fuel: whole.fuel,
        margin: whole.stood.margin.map(|it| it.0),
        moving_margin: whole.stood.moving.map(|it| it.0),
        tipping: whole.stood.tipped,
        leaning: whole.stood.leaned,
        plays: whole.plays,
        simulated: whole.simulated,
        took: began.elapsed().as_secs_f64(),
    };
    let verdict = Verdict {
        show: show.name.to_owned(),
        robot: robot.name.clone(),
        passes,
        horizon: (worth && !ends).then_some(lasting),
        unjudged,
        findings,
        facts,
    };
    Ok(Checked { verdict, strip })
}

/// Findings know their posture; what happens from one by chance is a warning.
fn of_start(start: &Start, findings: Findings) -> Findings {
    let mut own = Findings::default();
    for mut finding in findings.sorted() {
        finding.starts = vec![start.name.clone()];
        let of_place = matches!(
            finding.rule,
            Rule::Reach | Rule::Velocity | Rule::Touch | Rule::Coupled
        );
        if start.by_chance && of_place {
            finding.severity = Severity::Warning;
        }
        own.add(finding);
    }
    own
}

fn judge_fuel(whole: &mut Outcome) {
    for (hook, used) in Hook::ALL.into_iter().zip(whole.hooks) {
        let share = used.most as f64 / whole.fuel.max(1) as f64;
        let in_turn = matches!(hook, Hook::PreProcess | Hook::PostProcess | Hook::IsAlive);
        if in_turn && share > FUEL_SHARE && !whole.findings.has(Rule::Fuel, "") {
            let percent = (share * 100.0).round();
            let sentence = format!(
                "{} used {} of {} fuel in one call: {percent} %",
                hook.name(),
                used.most,
                whole.fuel
            );
            whole.findings.add(Finding {
                who: hook.name().to_owned(),
                value: Some(used.most as f64),
                limit: Some(whole.fuel as f64 * FUEL_SHARE),
                ..Finding::new(Rule::Fuel, sentence, Rule::Fuel.advice())
            });
        }
    }
}

fn hook_uses(whole: &Outcome) -> Vec<HookUse> {
    let turn_hooks = [Hook::PreProcess, Hook::PostProcess, Hook::IsAlive];
    // Of a score only `run` is called, beside the turn.
    let name = |hook: Hook| match hook {
        Hook::Start if whole.runs => "run",
        hook => hook.name(),
    };
    let fuel: u64 = turn_hooks
        .iter()
        .map(|it| whole.hooks[*it as usize].total)
        .sum();
    let ns = whole.spent.0 / fuel.max(1) as f64;
    let used = |hook: Hook, it: &HookUsage| HookUse {
        hook: name(hook).to_owned(),
        calls: it.calls,
        most: it.most,
        average: it.total as f64 / it.calls.max(1) as f64,
        most_us: turn_hooks
            .contains(&hook)
            .then_some(it.most as f64 * ns / 1e3),
    };
    let all: [HookUsage; HOOKS] = whole.hooks;
    let called = Hook::ALL.into_iter().zip(&all).filter(|it| it.1.calls > 0);
    called.map(|(hook, it)| used(hook, it)).collect()
}

/// Does it for each, on as many threads as there are processors.
fn side_by_side<'s, T: Send>(list: &'s [Start], work: impl Fn(&'s Start) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(0..list.len());
    let done = Mutex::new(Vec::new());
    let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(list.len()) {
            scope.spawn(|| {
                while let Some(place) = take() {
                    let it = work(&list[place]);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((place, it));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|it| it.0);
    done.into_iter().map(|it| it.1).collect()
}

/// Plays it from one posture, so many times.
fn rehearse(
    show: &Show<'_>,
    terms: &Terms,
    start: &Start,
    (lasting, times, until): (f64, u32, Instant),
) -> Result<Outcome, String> {
    let robot = Arc::clone(&start.robot);
    let page = private_page(&robot).map_err(|error| error.to_string())?;
    let manner = GuestServiceSettings {
        form: terms.form.unwrap_or_else(|| code_form(&robot)),
        lockstep: Some(THINKING.min(terms.within)),
        compiler: terms.compiler.clone(),
        code: terms.code.clone(),
    };
    let gathered = GuestService::start(&robot, page.window(), manner)?;
    let (_sender, requests) = request_channel();
    let (events, _news) = event_channel();
    let control = Control::default();
    let mut rehearsal = Rehearsal::new(
        show,
        terms,
        start,
        &gathered.service,
        (lasting, times, until),
    );
    if let Err(finding) = rehearsal.enter() {
        let mut outcome = rehearsal.end();
        outcome.findings.add(*finding);
        return Ok(outcome);
    }
    let setup = LoopSetup {
        page: Some(page),
        arm: true,
        scheduler: Some(gathered.scheduler),
        watcher: Some(&mut rehearsal),
        ..LoopSetup::bare(Tempo::Fast, requests, events, &control)
    };
    live(&robot, setup, |_| {}).map_err(|error| error.to_string())?;
    Ok(rehearsal.end())
}
