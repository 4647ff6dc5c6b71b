//! `events` and `logs`: what happens to a robot's body, and what guests say.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;
use socket::{Ask, CallError, Happened, Told};

use crate::Outcome;
use crate::reach::{Which, line};
use crate::words;

/// How often it is asked for more.
const LOOK: Duration = Duration::from_millis(100);

/// Without --follow: what is still known of this run, and nothing more.
#[derive(Debug, ClapArgs)]
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
        let (next, happened) = match line.ask(Ask::Chronicle { since })? {
            Told::Chronicle { next, happened } => (next, happened),
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
            (true, true) => std::thread::sleep(LOOK),
            _ => {}
        }
    }
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
