//! Plays a show in virtual time before it moves a robot, and judges everything that it would send.
//!
//! `postures` lists the postures to start from; `trials` plays the show from each of them. `simulation` is one such
//! run, in the loop of `robot::live`, and asks the judges: `trajectory` (ranges, velocities, accelerations, couplings),
//! `taken_commands` and `key_gaps` (timing), `collision` (self-collision), `balance` (support polygon, zero-moment
//! point), `fall` and `slip` (of a body with weight), `motor_strain`, `limp_joints`, and `simulation::side_effects` for
//! the rest. `summary` judges all runs together, `unjudged` lists what could not be judged. `rule` has the rules,
//! `finding` the findings and the verdict.
//! Called by the command line: by `check`, and before `run`.
//! The same show has the same verdict everywhere, and there is a verdict within the time limit.

mod balance;
mod collision;
mod fall;
mod finding;
mod format;
mod joint_history;
mod key_gaps;
mod kinematics;
mod limited_move;
mod limp_joints;
mod motor_strain;
mod polygon;
mod postures;
mod rounding;
mod rule;
mod simulation;
mod slip;
mod summary;
mod support_polygon;
mod taken_commands;
mod time_limit;
mod trajectory;
mod trials;
mod unjudged;

use std::sync::Arc;
use std::time::{Duration, Instant};

use description::Robot;
use guests::{Cache, CodeForm, Compiler, LoadOptions, WasiGrant};

pub use finding::{CheckFacts, CheckFinding, Findings, HookStats, PlaySummary};
pub use finding::{SavedFacts, SavedFinding, SavedVerdict, Verdict};
pub use joint_history::JointHistory;
pub use polygon::convex_hull;
pub use rule::{Rule, Severity};

use time_limit::TimeLimit;
use trials::Trials;
use unjudged::unjudged;

/// The choreography that is checked.
#[derive(Clone, Copy, Debug)]
pub struct CheckInput<'s> {
    /// The name under which it is loaded; it decides what it is granted.
    pub name: &'s str,
    /// Its bytes.
    pub bytes: &'s [u8],
}

/// How it is checked.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Priority, weight, mask and parameters, as it would be run.
    pub load: LoadOptions,
    /// The form. Default: the description's.
    pub form: Option<CodeForm>,
    /// How long a show is played at most, s of the robot's time. Default: until it ends; a show without an end is
    /// played for a fixed time.
    pub play_for: Option<f64>,
    /// How long the check may take, by the clock, beside compiling.
    pub time_limit: Duration,
    /// How many random postures it is tried from.
    pub random_postures: usize,
    /// The seed of the random postures.
    pub seed: u64,
    /// Rules that are not judged.
    pub allowed: Vec<Rule>,
    /// Whether warnings count as failures.
    pub strict: bool,
    /// What compiles guests. Default: this process.
    pub compiler: Compiler,
    /// Machine code that was compiled before. Default: what this check has compiled.
    pub cache: Cache,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            load: LoadOptions::default(),
            form: None,
            play_for: None,
            time_limit: Duration::from_secs(60),
            random_postures: 3,
            seed: 1,
            allowed: Vec::new(),
            strict: false,
            compiler: Compiler::here(),
            cache: Cache::in_memory(),
        }
    }
}

/// A verdict, and what is needed to draw it.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The verdict.
    pub verdict: Verdict,
    /// What was commanded and sent, from the first posture.
    pub history: JointHistory,
}

/// Checks a show for a robot.
///
/// # Errors
/// A sentence: this machine cannot check at all. What is wrong with the show is in the verdict.
pub fn check(
    robot: &Arc<Robot>,
    input: &CheckInput<'_>,
    options: &CheckOptions,
) -> Result<CheckReport, String> {
    let began = Instant::now();
    let everything = WasiGrant {
        clocks: true,
        random: true,
    };
    let component = guests::check(input.bytes, everything).ok();
    let until = TimeLimit::of(options.time_limit);
    let mut trials = Trials::run(robot, input, options, component.as_ref(), until)?;
    summary::judge(robot, component.as_ref(), &mut trials);
    let findings = kept_findings(&trials, options);
    let unjudged = unjudged(robot, &trials.total, component.as_ref(), options);
    let loading = trials.total.loading;
    let facts = summary::facts(input, component.as_ref(), &mut trials);
    let verdict = Verdict {
        show: input.name.to_owned(),
        robot: robot.name.clone(),
        passes: findings
            .iter()
            .all(|finding| finding.severity != Severity::Failure),
        horizon: (trials.was_played && !trials.ends).then_some(trials.play_for),
        unjudged,
        findings,
        facts: CheckFacts {
            took: began.elapsed().saturating_sub(loading).as_secs_f64(),
            ..facts
        },
    };
    Ok(CheckReport {
        history: drawn_history(&verdict.findings, trials.histories),
        verdict,
    })
}

/// The run that the first finding with an instant is about, if it was kept; the first run otherwise.
fn drawn_history(findings: &[CheckFinding], mut histories: Vec<JointHistory>) -> JointHistory {
    let timed = findings.iter().filter(|finding| finding.at.is_some());
    let mut starts = timed.filter_map(|finding| finding.starts.first());
    let place = starts.find_map(|start| histories.iter().position(|kept| kept.start == *start));
    histories.swap_remove(place.unwrap_or_default())
}

/// The findings of rules that are judged, with the severity that the options ask for.
fn kept_findings(trials: &Trials, options: &CheckOptions) -> Vec<CheckFinding> {
    let findings = trials.total.findings.clone().sorted().into_iter();
    let judged = findings.filter(|finding| !options.allowed.contains(&finding.rule));
    judged
        .map(|value| CheckFinding {
            severity: if options.strict {
                Severity::Failure
            } else {
                value.severity
            },
            ..value
        })
        .collect()
}
