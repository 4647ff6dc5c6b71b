//! `events` and `logs`: the events of a robot's body, and the whole log. With --follow, both keep following a server
//! that is restarted.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args as ClapArgs;
use logging::BODY;
use protocol::exact_integer::with_numbers;
use protocol::{Ask, Guest, LogEntries, LogEntry};
use serde_json::json;

use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, connect};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::play::guests::no_guest;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Without --follow, prints the entries of this run that are still stored.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
    /// Keep printing new entries until interrupted.
    #[arg(long, short)]
    follow: bool,
    /// Print details as well.
    #[arg(long, short)]
    verbose: bool,
    /// Print only the events of this guest's lane.
    #[arg(value_name = "GUEST")]
    guest: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Without --follow, prints the entries of this run that are still stored: the last 4,096 of the body, \
    the guests, the loop and the robot's server. Those of the server that are less than `info` are not kept."
)]
pub(crate) struct LogsArgs {
    #[command(flatten)]
    which: RobotArgs,
    /// Keep printing new entries until interrupted.
    #[arg(long, short)]
    follow: bool,
    /// Print entries of this level and above.
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = LogEntry::LEVELS)]
    level: String,
    /// Print details as well: --level debug.
    #[arg(long, short, conflicts_with = "level")]
    verbose: bool,
    /// Print only what this guest writes, and what concerns it.
    #[arg(long, value_name = "GUEST")]
    guest: Option<String>,
    /// Print only the lines of this guest.
    #[arg(value_name = "GUEST", conflicts_with = "guest")]
    lines_of: Option<String>,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let level = if args.verbose { "debug" } else { "info" };
    let of_guest = |it: &LogEntry| args.guest.is_none() || it.guest == args.guest;
    let wanted = |it: &LogEntry| it.target == BODY && it.is_at_least(level) && of_guest(it);
    let guest = args.guest.as_deref();
    print(&args.which, (args.follow, guest), wanted, |out, it| {
        if output.json {
            as_json(out, it)
        } else {
            tell(out, it)
        }
    })
}

/// Prints the log.
pub(crate) fn logs(args: &LogsArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let level = if args.verbose { "debug" } else { &args.level };
    let colours = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let wanted = |it: &LogEntry| {
        let of_guest = args.guest.is_none() || it.guest == args.guest;
        let is_line = args.lines_of.is_none() || (it.guest == args.lines_of && it.event == "said");
        it.is_at_least(level) && of_guest && is_line
    };
    let guest = args.guest.as_deref().or(args.lines_of.as_deref());
    print(
        &args.which,
        (args.follow, guest),
        wanted,
        |out, it| match output.json {
            true => as_json(out, it),
            false => writeln!(out, "{}", logging::text(it, colours)),
        },
    )
}

/// Prints the wanted entries. A guest that is named, and of which nothing is known, is an error, unless one waits for
/// it by following.
fn print(
    which: &RobotArgs,
    (follow, guest): (bool, Option<&str>),
    wanted: impl Fn(&LogEntry) -> bool,
    tell: impl Fn(&mut dyn Write, &LogEntry) -> io::Result<()>,
) -> Result<VerbOutcome> {
    let mut connection = connect(which)?;
    let mut since = 0;
    let mut is_known = guest.is_none() || follow;
    loop {
        let LogEntries { next, events } = match connection.get(Ask::Events { since }) {
            Err(error) if follow => {
                connection = connection.reconnect(which, error)?;
                continue;
            }
            log => log?,
        };
        let is_end = events.is_empty();
        since = next;
        let mut out = anstream::stdout().lock();
        is_known |= events.iter().any(|it| it.guest.as_deref() == guest);
        for it in events.iter().filter(|it| wanted(it)) {
            tell(&mut out, it)?;
        }
        out.flush()?;
        drop(out);
        match (is_end, follow) {
            (true, false) if is_known => return Ok(VerbOutcome::Done),
            (true, false) => {
                exists(&mut connection, guest.unwrap_or_default())?;
                return Ok(VerbOutcome::Done);
            }
            (true, true) => std::thread::sleep(connection.poll_interval()),
            _ => {}
        }
    }
}

/// Fails if there is and was no such guest.
fn exists(connection: &mut RobotConnection, guest: &str) -> Result<()> {
    match connection.get::<Vec<Guest>>(Ask::Guests) {
        Ok(all) if all.iter().all(|it| it.name != guest) => {
            Err(no_guest(guest, all.iter().map(|it| it.name.as_str())))
        }
        // A loop that cannot load guests has none to list.
        _ => Ok(()),
    }
}

fn as_json(out: &mut dyn Write, it: &LogEntry) -> io::Result<()> {
    writeln!(out, "{}", with_numbers(json!(it)))
}

fn tell(out: &mut dyn Write, it: &LogEntry) -> io::Result<()> {
    let at = it.at_ns as f64 / 1e9;
    let style = match it.level.as_str() {
        "error" => words::BAD,
        "warn" => words::ODD,
        _ => words::BOLD,
    };
    writeln!(out, "{at:>9.3} s  {}", words::paint(style, &it.text))
}
