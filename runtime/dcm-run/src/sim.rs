//! `dcm-run sim`: what a hand would do to a real robot, done to a simulated one.

use std::io::Write;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use cycle::Span;
use serde_json::json;
use socket::Ask;

use crate::Outcome;
use crate::reach::{Which, caller};
use crate::words;

/// The same can be written down ahead: `dcm-run run --script FILE`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// A sensor reads this from now on: a button, a bumper, a distance, a battery.
    Give {
        /// The sensor.
        sensor: String,
        /// What it reads.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::value)]
        value: f64,
        /// How long it takes to get there.
        #[arg(long, value_name = "TIME", value_parser = words::span, default_value = "0")]
        over: Span,
        #[command(flatten)]
        which: Which,
    },
    /// A joint is pushed, until it is pushed with 0.
    Push {
        /// The joint.
        actuator: String,
        /// N·m.
        #[arg(allow_negative_numbers = true)]
        torque: f64,
        #[command(flatten)]
        which: Which,
    },
    /// A board's plug is pulled.
    Unplug {
        /// The board.
        board: String,
        #[command(flatten)]
        which: Which,
    },
    /// A board's plug is put back.
    Plug {
        /// The board.
        board: String,
        #[command(flatten)]
        which: Which,
    },
    /// A loop that was started with `--step` makes so many turns.
    Step {
        /// Turns.
        #[arg(default_value = "1")]
        turns: u64,
        #[command(flatten)]
        which: Which,
    },
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let (which, ask, said) = match &args.deed {
        Deed::Give {
            sensor,
            value,
            over,
            which,
        } => {
            let ask = Ask::Give {
                sensor: sensor.clone(),
                value: *value,
                over_ns: over.nanos(),
            };
            (which, ask, format!("{sensor} reads {value}"))
        }
        Deed::Push {
            actuator,
            torque,
            which,
        } => {
            let ask = Ask::Push {
                actuator: actuator.clone(),
                torque: *torque,
            };
            (
                which,
                ask,
                format!("{actuator} is pushed with {torque} N·m"),
            )
        }
        Deed::Unplug { board, which } => {
            (which, plug(board, true), format!("{board} is unplugged"))
        }
        Deed::Plug { board, which } => {
            (which, plug(board, false), format!("{board} is plugged in"))
        }
        Deed::Step { turns, which } => (
            which,
            Ask::Step { turns: *turns },
            format!("{turns} turns to go"),
        ),
    };
    let told = caller(which)?.ask(ask)?;
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", json!({ "told": told }))?;
    } else {
        writeln!(out, "{said}")?;
    }
    Ok(Outcome::Done)
}

fn plug(board: &str, silent: bool) -> Ask {
    Ask::Silence {
        board: board.to_owned(),
        silent,
    }
}
