//! `arm`, `disarm`, `hold`, `resume`, `retreat`, `clear`, `estop`, `stop`: operate the whole body.
//! `resume` and `stop` may name a guest; then they are for that guest alone. The law: the emergency stop takes the
//! shortest way.

use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use cycle::State;
use robot::states::{phrase, table};
use serde_json::json;
use socket::{Ask, Operation, ReplyBody};

use crate::VerbOutcome;
use crate::candidates;
use crate::connect::connect;
use crate::guests;
use crate::press::{press_stop, tell_if_it_waits};
use crate::robot_args::RobotArgs;

#[derive(Debug, ClapArgs)]
#[command(after_help = format!("Prints the new state of the body.\n\n{}", table()))]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = format!(
    "Without a guest, resumes the whole body and prints its new state. Shows continue from where they stopped, \
     commands whose time has passed are dropped, and the body returns at `safety.return-speed`.\n\n{}", table()))]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The paused guest, by name or number.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Without a guest the loop ends: the body goes to its safe pose and then limp. A guest's lane fades out. With --soft \
    the loop continues: the body slows down within its limits, then the guest ends, or all guests end.")]
pub(crate) struct QuitArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest, by name or number; `dcm-run ps` lists guests.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: Option<String>,
    /// Slow the body down first; it stays where it stops.
    #[arg(long)]
    soft: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = format!(
    "Anyone may press it. Only a person releases it; the body does not move then.\n\n{}", table()))]
pub(crate) struct StopArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// Release it instead.
    #[arg(long)]
    release: bool,
}

pub(crate) fn run(args: &Args, word: Operation, json: bool) -> Result<VerbOutcome> {
    ask(&args.which, Ask::Operate(word), json)
}

pub(crate) fn stop(args: &StopArgs, json: bool) -> Result<VerbOutcome> {
    let word = if args.release {
        Operation::Release
    } else {
        Operation::Press
    };
    ask(&args.which, Ask::Operate(word), json)
}

pub(crate) fn resume(args: &ResumeArgs, json: bool) -> Result<VerbOutcome> {
    match &args.guest {
        Some(guest) => guests::resume(&args.which, guest, json),
        None => ask(&args.which, Ask::Operate(Operation::Resume), json),
    }
}

pub(crate) fn quit(args: &QuitArgs, json: bool) -> Result<VerbOutcome> {
    match (args.guest.as_deref(), args.soft) {
        (None, false) => ask(&args.which, Ask::Quit, json),
        (guest, soft) => guests::stop(&args.which, guest, soft, json),
    }
}

fn ask(which: &RobotArgs, ask: Ask, json: bool) -> Result<VerbOutcome> {
    let (name, told) = if ask == Ask::Operate(Operation::Press) {
        let _waits = tell_if_it_waits();
        press_stop(which)?
    } else {
        let mut connection = connect(which)?;
        let told = connection.ask(ask)?;
        (connection.name().to_owned(), told)
    };
    let mut out = anstream::stdout().lock();
    match (json, told) {
        (true, told) => writeln!(out, "{}", json!({ "name": name, "told": told }))?,
        (false, ReplyBody::State(state)) => {
            let known: Option<&str> = State::of_name(&state).map(phrase);
            writeln!(out, "{name} is {}", known.unwrap_or(&state))?;
        }
        (false, _) => writeln!(out, "{name} goes to its safe pose and then stops")?,
    }
    Ok(VerbOutcome::Done)
}
