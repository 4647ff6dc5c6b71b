//! `dcm-run pending` and `dcm-run cancel`: the commands that wait, and the end of a request; and the wait of
//! `set --wait` and `pose goto --wait`.
//! Whoever waits is told how the request ended, also in the exit code.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;
use protocol::{Ask, RequestEnd, RequestProgress, TakenCommands, WaitingCommands};
use serde_json::json;

use crate::session::columns::TurnState;
use crate::session::readings::Readings;
use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, connect};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::candidates;

/// Erases what is left of the terminal's line.
const CLEAR: &str = "\x1b[K";

/// The width of the progress bar.
const BAR: usize = 30;

/// How long one question waits: so often the progress is drawn.
const QUESTION: Duration = Duration::from_millis(200);

/// How long the body may need for the rest of a motion, beyond what was foreseen; how often it is looked at; and how
/// far from its target it may be.
const LIMITED: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(10);
const NEAR: f64 = 1e-6;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Lists what clients have sent with `set`, `pose goto`, the API or the socket; `dcm-run ps` lists guests. REQUEST is \
    the number for `dcm-run cancel`. --json lists every command.")]
pub(crate) struct PendingArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// A lane of a client's own; default: the one that all clients share.
    #[arg(long, value_name = "LANE")]
    lane: Option<String>,
    /// Actuators or aliases; default: all for which commands wait.
    #[arg(add = ArgValueCandidates::new(candidates::actuators))]
    actuators: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Removes the commands of the request that wait; the joints stop where they are, within their limits. The commands \
    of other requests stay.")]
pub(crate) struct CancelArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The request's number, from `dcm-run pending` or from the answer to the request.
    request: u32,
}

pub(crate) fn pending(args: &PendingArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let of = args.actuators.clone();
    let lane = args.lane.clone();
    let waiting: Vec<WaitingCommands> = connection.get(Ask::Pending { of, lane })?;
    if !output.json && waiting.iter().all(|actuator| actuator.count == 0) {
        output.note(format!("no commands wait on {}", connection.name()))?;
        return Ok(VerbOutcome::Done);
    }
    let head = format!(
        "{:<24} {:>8} {:>12}  REQUEST",
        "ACTUATOR", "COMMANDS", "VALUE NOW"
    );
    output.list(&waiting, &head, "", |waiting| {
        let tickets: BTreeSet<_> = waiting.commands.iter().map(|one| one.ticket).collect();
        let tickets: Vec<_> = tickets.iter().map(u32::to_string).collect();
        let (name, count, value) = (&waiting.actuator, waiting.count, waiting.value);
        format!(
            "{name:<24} {count:>8} {value:>12.4}  {}",
            tickets.join(", ")
        )
    })
}

pub(crate) fn cancel(args: &CancelArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let ticket = args.request;
    let ended: Vec<RequestProgress> = connection.get(Ask::Cancel { ticket })?;
    output.list(&ended, "", "", |request| {
        format!("request {ticket}: {}", request.sentence())
    })
}

/// A request whose end is waited for.
pub(crate) struct AwaitedMotion<'a> {
    /// The robot.
    pub(crate) which: &'a RobotArgs,
    /// What moves: actuators or aliases.
    pub(crate) names: Vec<String>,
    /// The time that it was given.
    pub(crate) within: Span,
}

/// Waits until the request that was answered so has ended, and the body is there; says how it ended.
pub(crate) fn wait(
    motion: &AwaitedMotion<'_>,
    connection: &mut RobotConnection,
    taken: &TakenCommands,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let TakenCommands {
        ticket,
        needs_ns,
        followed,
        ..
    } = taken;
    if !followed {
        bail!(
            "request {ticket} was accepted, and cannot be waited for: too many others are on their way; fix: wait for \
             some of them, `dcm-run pending` lists them"
        );
    }
    let begun = Instant::now();
    // A joint at its limits needs longer than it was given.
    let all = Duration::from_nanos(motion.within.nanos().max(*needs_ns));
    let display = MotionDisplay {
        begun,
        all,
        is_shown: !output.json && std::io::stderr().is_terminal(),
    };
    let ended = loop {
        let ask = Ask::Progress {
            tickets: vec![*ticket],
            wait_ns: u64::try_from(QUESTION.as_nanos()).unwrap_or(u64::MAX),
        };
        let found: Vec<RequestProgress> = connection.get(ask)?;
        display.draw();
        if let Some(ended) = found.into_iter().find(|args| args.end.is_some()) {
            break ended;
        }
    };
    let arrived = matches!(ended.end, Some(RequestEnd::Arrived | RequestEnd::Clipped));
    let is_there = !arrived || wait_for_limits(motion, begun + all + LIMITED, || display.draw())?;
    drop(display);
    print_end(&ended, is_there, begun, output)?;
    Ok(match arrived && is_there {
        true => VerbOutcome::Done,
        false => VerbOutcome::Stops,
    })
}

/// Waits until the limits of the body have let it follow, at the latest until this instant. Returns whether they have.
fn wait_for_limits(motion: &AwaitedMotion<'_>, until: Instant, draw: impl Fn()) -> Result<bool> {
    let mut readings = Readings::open(motion.which)?;
    let keys = |what| {
        motion
            .names
            .iter()
            .map(|name| format!("{name}.{what}"))
            .collect::<Vec<_>>()
    };
    let commanded = readings.find(&keys("commanded"))?;
    let limited = readings.find(&keys("limited"))?;
    let is_there = |turn: &dyn TurnState| {
        let mut both = commanded.iter().zip(&limited);
        both.all(|(item, limited)| (item.read(turn) - limited.read(turn)).abs() <= NEAR)
    };
    while !readings.read_once(is_there)? {
        if Instant::now() > until {
            return Ok(false);
        }
        draw();
        std::thread::sleep(LOOK);
    }
    Ok(true)
}

/// The progress of a motion, on one line of a terminal; nothing elsewhere.
struct MotionDisplay {
    begun: Instant,
    all: Duration,
    is_shown: bool,
}

impl MotionDisplay {
    fn draw(&self) {
        if self.is_shown {
            let passed = self.begun.elapsed();
            let share = (passed.as_secs_f64() / self.all.as_secs_f64().max(1e-3)).min(1.0);
            let done = (share * BAR as f64).round() as usize;
            let (full, empty) = ("█".repeat(done), "░".repeat(BAR - done));
            anstream::eprint!("\r{full}{empty} {}{CLEAR}", whole_ms(passed));
        }
    }
}

impl Drop for MotionDisplay {
    fn drop(&mut self) {
        if self.is_shown {
            anstream::eprint!("\r{CLEAR}");
        }
    }
}

fn whole_ms(passed: Duration) -> String {
    let passed = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX);
    words::time(Span::from_millis(passed))
}

fn print_end(
    ended: &RequestProgress,
    is_there: bool,
    begun: Instant,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let line = match is_there {
        true => format!("{} after {}", ended.sentence(), whole_ms(begun.elapsed())),
        false => {
            let what = "its commands are executed, and limits of the body keep it from there";
            format!("did not arrive: {what} (`dcm-run joints`)")
        }
    };
    output.print(json!({ "ended": ended, "is_there": is_there }), line)
}
