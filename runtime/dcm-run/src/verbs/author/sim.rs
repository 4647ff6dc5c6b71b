//! `dcm-run sim`: does to a simulated body what a person would do to a real one.
//! A loop with real boards refuses it.

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;
use protocol::Ask;
use serde_json::json;

use crate::session::connect_local;
use crate::session::robot_args::LocalRobotArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::candidates;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Works only on the robot's machine. A script does the same: `dcm-run run --script FILE`.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: SimVerb,
}

#[derive(Debug, Subcommand)]
enum SimVerb {
    /// Set what a sensor reads from now on: a button, a bumper, a distance, a battery.
    Give {
        /// The sensor.
        #[arg(add = ArgValueCandidates::new(candidates::keys))]
        sensor: String,
        /// The value.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::value)]
        value: f64,
        /// The duration of the change.
        #[arg(long, value_name = "TIME", value_parser = words::span, default_value = "0")]
        over: Span,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Push a joint, until it is pushed with 0.
    Push {
        /// The joint.
        #[arg(add = ArgValueCandidates::new(candidates::actuators))]
        actuator: String,
        /// The torque, N·m.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::number)]
        torque: f64,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Unplug a board.
    Unplug {
        /// The board.
        #[arg(add = ArgValueCandidates::new(candidates::boards))]
        board: String,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Plug a board in again.
    Plug {
        /// The board.
        #[arg(add = ArgValueCandidates::new(candidates::boards))]
        board: String,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Make turns, in a loop started with `--step`.
    Step {
        /// The number of turns.
        #[arg(default_value = "1")]
        turns: u64,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let (local, ask, said) = match &args.verb {
        SimVerb::Give {
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
        SimVerb::Push {
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
        SimVerb::Unplug { board, local } => {
            (local, plug(board, true), format!("{board} is unplugged"))
        }
        SimVerb::Plug { board, local } => {
            (local, plug(board, false), format!("{board} is plugged in"))
        }
        SimVerb::Step { turns, local } => (
            local,
            Ask::Step { turns: *turns },
            format!("{} requested", words::counted(*turns, "turn")),
        ),
    };
    let reply = connect_local(local, "the simulated body")?.ask(ask)?;
    output.print(json!({ "told": reply }), said)
}

fn plug(board: &str, silent: bool) -> Ask {
    Ask::Silence {
        board: board.to_owned(),
        silent,
    }
}
