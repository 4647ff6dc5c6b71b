//! `dcm-run sim`: does to a simulated body what a person would do to a real one.
//! A loop with real boards refuses it.

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
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
    /// Push a joint, until it is pushed with 0; or, with physics, a link for a time: `push torso 20N 100ms left`.
    Push {
        /// The joint or the link.
        #[arg(value_name = "NAME", add = ArgValueCandidates::new(candidates::actuators))]
        name: String,
        /// The torque, N·m; for a link the force, N.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::force)]
        amount: f64,
        /// How long a link is pushed.
        #[arg(value_name = "TIME", value_parser = words::span)]
        lasts: Option<Span>,
        /// Where to.
        #[arg(value_enum, default_value_t)]
        direction: Direction,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Lift the body off the floor and hold it there, with physics.
    Lift {
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Let go of the body.
    Drop {
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Change the floor, with physics.
    Floor {
        #[command(subcommand)]
        change: FloorChange,
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

#[derive(Debug, Subcommand)]
enum FloorChange {
    /// Tilt it.
    Tilt {
        /// By how much it rises ahead of where the body faced at the start, such as 5deg.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::value)]
        angle: f64,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
}

/// The direction of a push, as the body faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Direction {
    /// Ahead.
    #[default]
    Forward,
    /// Backwards.
    Back,
    /// To its left.
    Left,
    /// To its right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

impl Direction {
    /// This force, ahead, to the left and up.
    pub(crate) fn of(self, force: f64) -> [f64; 3] {
        match self {
            Direction::Forward => [force, 0.0, 0.0],
            Direction::Back => [-force, 0.0, 0.0],
            Direction::Left => [0.0, force, 0.0],
            Direction::Right => [0.0, -force, 0.0],
            Direction::Up => [0.0, 0.0, force],
            Direction::Down => [0.0, 0.0, -force],
        }
    }
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
            name,
            amount,
            lasts: Some(lasts),
            direction,
            local,
        } => {
            let ask = Ask::PushLink {
                link: name.clone(),
                force: direction.of(*amount),
                for_ns: lasts.nanos(),
            };
            let lasts = words::time(*lasts);
            (
                local,
                ask,
                format!("{name} is pushed with {amount} N for {lasts}"),
            )
        }
        SimVerb::Push {
            name,
            amount,
            lasts: None,
            local,
            ..
        } => {
            let ask = Ask::Push {
                actuator: name.clone(),
                torque: *amount,
            };
            (local, ask, format!("{name} is pushed with {amount} N·m"))
        }
        SimVerb::Lift { local } => {
            let ask = Ask::Lift { held: true };
            (local, ask, "the body is held above the floor".to_owned())
        }
        SimVerb::Drop { local } => {
            let ask = Ask::Lift { held: false };
            (local, ask, "nobody holds the body".to_owned())
        }
        SimVerb::Floor {
            change: FloorChange::Tilt { angle, local },
        } => {
            let ask = Ask::Floor { tilt: *angle };
            (local, ask, format!("the floor is tilted by {angle} rad"))
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
