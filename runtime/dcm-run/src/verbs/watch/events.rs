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
    let of_guest = |entry: &LogEntry| args.guest.is_none() || entry.guest == args.guest;
    let wanted =
        |entry: &LogEntry| entry.target == BODY && entry.is_at_least(level) && of_guest(entry);
    let guest = args.guest.as_deref();
    print(&args.which, (args.follow, guest), wanted, |out, item| {
        if output.json {
            as_json(out, item)
        } else {
            print_event(out, item)
        }
    })
}

/// Prints the log.
pub(crate) fn logs(args: &LogsArgs, output: VerbOutput) -> Result<VerbOutcome> {
    let level = if args.verbose { "debug" } else { &args.level };
    let colours = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let wanted = |entry: &LogEntry| {
        let of_guest = args.guest.is_none() || entry.guest == args.guest;
        let is_line =
            args.lines_of.is_none() || (entry.guest == args.lines_of && entry.event == "said");
        entry.is_at_least(level) && of_guest && is_line
    };
    let guest = args.guest.as_deref().or(args.lines_of.as_deref());
    print(
        &args.which,
        (args.follow, guest),
        wanted,
        |out, item| match output.json {
            true => as_json(out, item),
            false => writeln!(out, "{}", logging::text(item, colours)),
        },
    )
}

/// Prints the wanted entries. A guest that is named, and of which nothing is known, is an error, unless one waits for
/// it by following.
fn print(
    which: &RobotArgs,
    (follow, guest): (bool, Option<&str>),
    wanted: impl Fn(&LogEntry) -> bool,
    print_entry: impl Fn(&mut dyn Write, &LogEntry) -> io::Result<()>,
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
        is_known |= events.iter().any(|event| event.guest.as_deref() == guest);
        for event in events.iter().filter(|event| wanted(event)) {
            print_entry(&mut out, event)?;
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
        Ok(all) if all.iter().all(|item| item.name != guest) => {
            Err(no_guest(guest, all.iter().map(|item| item.name.as_str())))
        }
        // A loop that cannot load guests has none to list.
        _ => Ok(()),
    }
}

fn as_json(out: &mut dyn Write, entry: &LogEntry) -> io::Result<()> {
    writeln!(out, "{}", with_numbers(json!(entry)))
}

fn print_event(out: &mut dyn Write, entry: &LogEntry) -> io::Result<()> {
    let at = entry.at_ns as f64 / 1e9;
    let style = match entry.level.as_str() {
        "error" => words::BAD,
        "warn" => words::ODD,
        _ => words::BOLD,
    };
    writeln!(out, "{at:>9.3} s  {}", words::paint(style, &entry.text))
}
