//! `arm`, `disarm`, `hold`, `resume`, `retreat`, `clear`, `estop`, `stop`: operate the whole body.
//! `resume` and `stop` may name a guest; then they are for that guest alone. The emergency stop takes the
//! shortest way.

use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use cycle::State;
use printable::printable;
use protocol::{Ask, Guest, Operation, ReplyBody, WaitingCommands};
use robot::states::{phrase, table};
use serde_json::json;

use crate::session::press::{press_stop, warn_while_waiting};
use crate::session::robot_args::{LocalRobotArgs, RobotArgs};
use crate::session::{RobotConnection, connect, connect_local};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::verbs::candidates;
use crate::verbs::play::guests;
use crate::verbs::watch::ps::played;

#[derive(Debug, ClapArgs)]
#[command(after_help = format!("Prints the new state of the body.\n\n{}", table()))]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = format!(
    "Without a guest, resumes the whole body and prints its new state, and which guests continue. Shows continue from \
     where they stopped, commands whose time has passed are dropped, and the body returns at `safety.return-speed`. \
     Guests that were paused stay paused: those that played when the body lost its force are, too.\n\n{}", table()))]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// The paused guest, by name or number.
    #[arg(add = ArgValueCandidates::new(candidates::guests))]
    guest: Option<String>,
    /// Resume all paused guests as well.
    #[arg(long, conflicts_with = "guest")]
    all: bool,
    /// Resume the body alone: guests that play are paused. Moves of clients continue.
    #[arg(long, conflicts_with_all = ["guest", "all"])]
    body: bool,
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

pub(crate) fn run(args: &Args, word: Operation, output: VerbOutput) -> Result<VerbOutcome> {
    ask(&args.which, Ask::Operate(word), output)
}

pub(crate) fn stop(args: &StopArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let word = if args.release {
        Operation::Release
    } else {
        Operation::Press
    };
    ask(&args.which, Ask::Operate(word), output)
}

pub(crate) fn resume(args: &ResumeArgs, output: VerbOutput) -> Result<VerbOutcome> {
    match &args.guest {
        Some(guest) => guests::resume(&args.which, guest, output),
        None => resume_body(args, output),
    }
}

/// Gives the body force, and lists the guests that are paused: they do not move it.
pub(crate) fn arm(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let (reply, guests) = let_move(&mut connection, Operation::Arm)?;
    print_change(&mut connection, &reply, &guests, output)
}

/// Gives the body force, or lets it follow its lanes again: its new state, and the guests.
fn let_move(
    connection: &mut RobotConnection,
    operation: Operation,
) -> Result<(ReplyBody, Vec<Guest>)> {
    Ok(match connection.ask(Ask::Operate(operation))? {
        ReplyBody::MayMove { state, guests } => (ReplyBody::State(state), guests),
        other => (other, Vec::new()),
    })
}

/// The actuators that clients' commands still move.
fn moved_by_clients(connection: &mut RobotConnection) -> Vec<String> {
    let (of, lane) = (Vec::new(), None);
    let waiting: Vec<WaitingCommands> = connection
        .get(Ask::Pending { of, lane })
        .unwrap_or_default();
    let moved = waiting.into_iter().filter(|args| args.count > 0);
    moved.map(|args| args.actuator).collect()
}

fn resume_body(args: &ResumeArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    if !(args.all || args.body) {
        let (reply, guests) = let_move(&mut connection, Operation::Resume)?;
        return print_change(&mut connection, &reply, &guests, output);
    }
    let mut guests = guests::listed(&mut connection)?;
    let moving = connection.state();
    let moving = moving.filter(|state| matches!(state, State::Armed | State::Running));
    if args.body && moving.is_none() {
        change_life(
            &mut connection,
            &mut guests,
            &["running", "armed"],
            "paused",
        );
    }
    let reply = match moving {
        Some(state) if args.all => ReplyBody::State(state.name().to_owned()),
        _ => let_move(&mut connection, Operation::Resume)?.0,
    };
    if args.all {
        change_life(&mut connection, &mut guests, &["paused"], "running");
    }
    print_change(&mut connection, &reply, &guests, output)
}

/// Pauses or resumes all guests that are in some parts of their life. One may have ended since they were listed.
fn change_life(connection: &mut RobotConnection, guests: &mut [Guest], from: &[&str], to: &str) {
    for guest in guests {
        if !from.contains(&guest.life.as_str()) {
            continue;
        }
        let id = guest.id.to_string();
        let ask = match to {
            "paused" => Ask::Pause { guest: id },
            _ => Ask::ResumeGuest { guest: id },
        };
        match connection.ask(ask) {
            Ok(_) => to.clone_into(&mut guest.life),
            Err(error) => anstream::eprintln!("warning: {}: {error}", guest.name),
        }
    }
}

/// Prints the new state of the body, and who moves it: which guests continue, wait or are paused, and which actuators
/// clients move.
fn print_change(
    connection: &mut RobotConnection,
    reply: &ReplyBody,
    guests: &[Guest],
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let moved = moved_by_clients(connection);
    let name = connection.name();
    let of = |life: &'static str| guests.iter().filter(move |guest| guest.life == life);
    let names = |life| -> Vec<_> { of(life).map(|guest| guest.name.as_str()).collect() };
    let (playing, waiting) = (names("running"), names("armed"));
    let mut out = anstream::stdout().lock();
    if output.json {
        let paused: Vec<_> = of("paused").collect();
        let line = json!({
            "name": name,
            "told": reply,
            "playing": playing,
            "waiting": waiting,
            "paused": paused,
            "moved": moved,
        });
        writeln!(out, "{line}")?;
        return Ok(VerbOutcome::Done);
    }
    let mut line = sentence(name, reply);
    if !playing.is_empty() {
        line += &format!("; playing: {}", playing.join(", "));
    }
    if !waiting.is_empty() {
        line += &format!("; starting when the body runs: {}", waiting.join(", "));
    }
    if !moved.is_empty() {
        line += &format!("; moved by clients: {}", moved.join(", "));
    }
    let paused: Vec<_> = of("paused")
        .map(|guest| format!("{} at {}", guest.name, played(guest)))
        .collect();
    if !paused.is_empty() {
        let list = paused.join(", ");
        line += &format!("; paused: {list}; `resume NAME` or `resume --all` continues");
    }
    writeln!(out, "{line}")?;
    Ok(VerbOutcome::Done)
}

/// The body's new state.
fn sentence(name: &str, reply: &ReplyBody) -> String {
    match reply {
        ReplyBody::State(state) => {
            let known: Option<&str> = State::of_name(state).map(phrase);
            printable(&format!("{name} is {}", known.unwrap_or(state))).into_owned()
        }
        _ => format!("{name} goes to its safe pose and then stops"),
    }
}

pub(crate) fn quit(args: &QuitArgs, output: VerbOutput) -> Result<VerbOutcome> {
    match (args.guest.as_deref(), args.soft) {
        (None, false) => {
            let robot = args.which.robot.clone();
            let mut caller = connect_local(&LocalRobotArgs { robot }, "the process of its loop")?;
            let reply = caller.ask(Ask::Quit)?;
            print_reply(&caller.here.name, &reply, output)
        }
        (guest, soft) => guests::stop(&args.which, guest, soft, output),
    }
}

fn ask(which: &RobotArgs, ask: Ask, output: VerbOutput) -> Result<VerbOutcome> {
    let (name, reply) = if ask == Ask::Operate(Operation::Press) {
        let _waits = warn_while_waiting();
        press_stop(which)?
    } else {
        let mut connection = connect(which)?;
        let reply = connection.ask(ask)?;
        (connection.name().to_owned(), reply)
    };
    print_reply(&name, &reply, output)
}

fn print_reply(name: &str, reply: &ReplyBody, output: VerbOutput) -> Result<VerbOutcome> {
    output.print(
        json!({ "name": name, "told": reply }),
        sentence(name, reply),
    )
}
