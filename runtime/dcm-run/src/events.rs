//! `events` and `logs`: the events of a robot's body, and the guests' log messages.
//! The law: with --follow, a server that is restarted is followed on.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;
use socket::{Ask, CallError, Happened, ReplyBody};

use crate::VerbOutcome;
use crate::connect::{RobotConnection, connect};
use crate::robot_args::RobotArgs;
use crate::words;

/// The polling interval of a loop, and of a server, for which each request is a connection.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
const POLL_INTERVAL_SERVER: Duration = Duration::from_millis(250);

/// How long a server may be unreachable: it is restarted when it dies.
const AWAY: Duration = Duration::from_secs(15);

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
    /// Print only the entries of this guest.
    #[arg(value_name = "GUEST")]
    guest: Option<String>,
}

pub(crate) fn run(args: &Args, logs: bool, json: bool) -> Result<VerbOutcome> {
    let mut connection = connect(&args.which)?;
    let mut since = 0;
    loop {
        let told = match connection.ask(Ask::Events { since }) {
            Err(error) if args.follow && matches!(connection, RobotConnection::Server(..)) => {
                connection = again(&args.which, error)?;
                continue;
            }
            told => told?,
        };
        let (next, happened) = match told {
            ReplyBody::Events { next, happened } => (next, happened),
            other => return Err(CallError::Unexpected(format!("{other:?}")).into()),
        };
        let is_end = happened.is_empty();
        since = next;
        let mut out = anstream::stdout().lock();
        for it in &happened {
            if it.guest.is_some() == logs && wanted(it, args) {
                tell(&mut out, it, json)?;
            }
        }
        out.flush()?;
        drop(out);
        match (is_end, args.follow) {
            (true, false) => return Ok(VerbOutcome::Done),
            (true, true) if matches!(connection, RobotConnection::Server(..)) => {
                std::thread::sleep(POLL_INTERVAL_SERVER);
            }
            (true, true) => std::thread::sleep(POLL_INTERVAL),
            _ => {}
        }
    }
}

/// Connects again after the robot did not answer.
fn again(which: &RobotArgs, error: anyhow::Error) -> Result<RobotConnection> {
    let begun = Instant::now();
    while begun.elapsed() < AWAY {
        std::thread::sleep(POLL_INTERVAL_SERVER);
        if let Ok(connection) = connect(which) {
            return Ok(connection);
        }
    }
    Err(error)
}

fn wanted(it: &Happened, args: &Args) -> bool {
    let of_guest = args
        .guest
        .as_ref()
        .is_none_or(|guest| it.guest.as_ref() == Some(guest));
    of_guest && (args.verbose || it.level != "detail")
}

fn tell(out: &mut impl Write, it: &Happened, json: bool) -> Result<()> {
    if json {
        writeln!(out, "{}", json!(it))?;
        return Ok(());
    }
    let at = it.at_ns as f64 / 1e9;
    let style = if it.level == "warning" {
        words::ODD
    } else {
        words::BOLD
    };
    match &it.guest {
        Some(guest) => writeln!(
            out,
            "{at:>9.3} s  {}: {}",
            words::paint(style, guest),
            it.text
        )?,
        None => writeln!(out, "{at:>9.3} s  {}", words::paint(style, &it.text))?,
    }
    Ok(())
}
