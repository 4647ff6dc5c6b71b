//! `arm`, `disarm`, `hold`, `resume`, `retreat`, `clear`, `estop`, `stop`: for the whole body.
//! `resume` and `stop` may name a guest; then they are for that guest alone.

use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use robot::states::table;
use serde_json::json;
use socket::{Ask, OperationWord, Told};

use crate::Outcome;
use crate::candidates;
use crate::connect::{RobotArgs, connect, press_stop};
use crate::guests;

#[derive(Debug, ClapArgs)]
#[command(after_help = format!("The loop answers with the state that the body is in now.\n\n{}", table()))]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = format!(
    "Without a guest it is for the whole body; the loop answers with the state that it is in now. Nothing catches \
     up: shows go on from where they are, what was commanded for a time that has passed is dropped, and the body \
     comes back at `safety.return-speed`.\n\n{}", table()))]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest that was paused: its name or number.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Without a guest the loop ends: the body goes to its safe pose and lets go. A guest's lane fades out. With \
    --soft the loop goes on: the body slows down within its limits, then the guest ends, or all of them.")]
pub(crate) struct QuitArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The guest: its name or number; `dcm-run ps` lists them.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: Option<String>,
    /// The body slows down first, and stays where it comes to rest.
    #[arg(long)]
    soft: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = format!(
    "Everyone may press it; it is released only by hand, and the body stays where it is.\n\n{}", table()))]
pub(crate) struct StopArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// Release it instead.
    #[arg(long)]
    release: bool,
}

pub(crate) fn run(args: &Args, word: OperationWord, json: bool) -> Result<Outcome> {
    ask(&args.which, Ask::Operate(word), json)
}

pub(crate) fn stop(args: &StopArgs, json: bool) -> Result<Outcome> {
    let word = if args.release {
        OperationWord::Release
    } else {
        OperationWord::Press
    };
    ask(&args.which, Ask::Operate(word), json)
}

pub(crate) fn resume(args: &ResumeArgs, json: bool) -> Result<Outcome> {
    match &args.guest {
        Some(guest) => guests::resume(&args.which, guest, json),
        None => ask(&args.which, Ask::Operate(OperationWord::Resume), json),
    }
}

pub(crate) fn quit(args: &QuitArgs, json: bool) -> Result<Outcome> {
    match (args.guest.as_deref(), args.soft) {
        (None, false) => ask(&args.which, Ask::Quit, json),
        (guest, soft) => guests::stop(&args.which, guest, soft, json),
    }
}

fn ask(which: &RobotArgs, ask: Ask, json: bool) -> Result<Outcome> {
    let (name, told) = if ask == Ask::Operate(OperationWord::Press) {
        press_stop(which)?
    } else {
        let mut connection = connect(which)?;
        let told = connection.ask(ask)?;
        (connection.name().to_owned(), told)
    };
    let mut out = anstream::stdout().lock();
    match (json, told) {
        (true, told) => writeln!(out, "{}", json!({ "name": name, "told": told }))?,
        (false, Told::State(state)) => writeln!(out, "{name} is {state}")?,
        (false, _) => writeln!(out, "{name} is going to its safe pose, and then stops")?,
    }
    Ok(Outcome::Done)
}
