//! `events` and `logs`: what happens to a robot's body, and what guests say.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;
use socket::{Ask, CallError, Happened, Told};

use crate::Outcome;
use crate::reach::{Line, Which, line};
use crate::words;

/// How often a loop is asked for more, and a server, for which each question is a connection.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
const LOOK_FAR: Duration = Duration::from_millis(250);

/// How long a server may be away: it is started again when it has gone.
const AWAY: Duration = Duration::from_secs(15);

#[derive(Debug, ClapArgs)]
#[command(after_help = "Without --follow: what is still known of this run, and nothing more.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Go on with what happens from now on, until it is interrupted.
    #[arg(long, short)]
    follow: bool,
    /// Also what matters little.
    #[arg(long, short)]
    verbose: bool,
    /// Of this guest alone.
    #[arg(value_name = "GUEST")]
    guest: Option<String>,
}

pub(crate) fn run(args: &Args, logs: bool, json: bool) -> Result<Outcome> {
    let mut line = line(&args.which)?;
    let mut since = 0;
    loop {
        let told = match line.ask(Ask::Events { since }) {
            Err(error) if args.follow && matches!(line, Line::Server(..)) => {
                line = again(&args.which, error)?;
                continue;
            }
            told => told?,
        };
        let (next, happened) = match told {
            Told::Events { next, happened } => (next, happened),
            other => return Err(CallError::Strange(format!("{other:?}")).into()),
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
            (true, false) => return Ok(Outcome::Done),
            (true, true) if matches!(line, Line::Server(..)) => std::thread::sleep(LOOK_FAR),
            (true, true) => std::thread::sleep(POLL_INTERVAL),
            _ => {}
        }
    }
}

/// The robot once more, after it did not answer.
fn again(which: &Which, error: anyhow::Error) -> Result<Line> {
    let begun = Instant::now();
    while begun.elapsed() < AWAY {
        std::thread::sleep(LOOK_FAR);
        if let Ok(line) = line(which) {
            return Ok(line);
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
