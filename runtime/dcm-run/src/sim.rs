//! `dcm-run sim`: what a hand would do to a real robot, done to a simulated one.

use std::io::Write;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;
use serde_json::json;
use socket::Ask;

use crate::Outcome;
use crate::candidates;
use crate::connect::{LocalRobotArgs, connect_local};
use crate::words;

#[derive(Debug, ClapArgs)]
#[command(after_help = "The same can be written down ahead: `dcm-run run --script FILE`.")]
pub(crate) struct Args {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// A sensor reads this from now on: a button, a bumper, a distance, a battery.
    Give {
        /// The sensor.
        #[arg(add = ArgValueCandidates::new(candidates::keys))]
        sensor: String,
        /// What it reads.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::value)]
        value: f64,
        /// How long it takes to get there.
        #[arg(long, value_name = "TIME", value_parser = words::span, default_value = "0")]
        over: Span,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// A joint is pushed, until it is pushed with 0.
    Push {
        /// The joint.
        #[arg(add = ArgValueCandidates::new(candidates::actuators))]
        actuator: String,
        /// N·m.
        #[arg(allow_negative_numbers = true)]
        torque: f64,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// A board's plug is pulled.
    Unplug {
        /// The board.
        #[arg(add = ArgValueCandidates::new(candidates::boards))]
        board: String,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// A board's plug is put back.
    Plug {
        /// The board.
        #[arg(add = ArgValueCandidates::new(candidates::boards))]
        board: String,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// A loop that was started with `--step` makes so many turns.
    Step {
        /// Turns.
        #[arg(default_value = "1")]
        turns: u64,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let (local, ask, said) = match &args.deed {
        Deed::Give {
            sensor,
            value,
            over,
            local,
        } => {
            let ask = Ask::Give {
                sensor: sensor.clone(),
                value: *value,
                over_ns: over.nanos(),
            };
            (local, ask, format!("{sensor} reads {value}"))
        }
        Deed::Push {
            actuator,
            torque,
            local,
        } => {
            let ask = Ask::Push {
                actuator: actuator.clone(),
                torque: *torque,
            };
            (
                local,
                ask,
                format!("{actuator} is pushed with {torque} N·m"),
            )
        }
        Deed::Unplug { board, local } => {
            (local, plug(board, true), format!("{board} is unplugged"))
        }
        Deed::Plug { board, local } => {
            (local, plug(board, false), format!("{board} is plugged in"))
        }
        Deed::Step { turns, local } => (
            local,
            Ask::Step { turns: *turns },
            format!("{turns} turns to go"),
        ),
    };
    let told = connect_local(local)?.ask(ask)?;
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
