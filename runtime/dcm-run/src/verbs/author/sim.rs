//! `dcm-run sim`: does to a simulated body what a person would do to a real one.
//! A loop with real boards refuses it.

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;
use protocol::Ask;
use serde_json::json;

use crate::session::connect_local;
use crate::session::robot_args::LocalRobotArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words::{self, BoxMass, PushAmount};
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
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::push)]
        amount: PushAmount,
        /// How long a link is pushed.
        #[arg(value_name = "TIME", value_parser = words::span)]
        lasts: Option<Span>,
        /// The direction.
        #[arg(value_enum, default_value_t)]
        direction: PushDirection,
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
        change: FloorVerb,
    },
    /// Put something on the floor, with physics.
    Put {
        #[command(subcommand)]
        obstacle: Obstacle,
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
enum FloorVerb {
    /// Tilt it.
    Tilt {
        /// By how much it rises ahead of where the body faced at the start, such as 5deg.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::value)]
        angle: f64,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Build steps ahead of the body: `floor steps 3 2cm 10cm`.
    Steps {
        /// How many.
        count: u8,
        /// The height of each.
        #[arg(value_parser = words::length)]
        height: f64,
        /// The depth of each.
        #[arg(value_parser = words::length)]
        depth: f64,
        /// How far the first one is ahead of the body's foremost point.
        #[arg(value_parser = words::length, default_value_t = STEPS_GAP)]
        gap: f64,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
    /// Take boxes and steps away.
    Empty {
        #[command(flatten)]
        local: LocalRobotArgs,
    },
}

#[derive(Debug, Subcommand)]
enum Obstacle {
    /// Put a box down in front of the body, on whatever is there: `put box 30x20x10cm 500g 40cm`.
    Box {
        /// Its length ahead, its width and its height.
        #[arg(value_parser = words::edges)]
        size: [f64; 3],
        /// Its mass, or `fixed` if it cannot move.
        #[arg(value_parser = words::mass)]
        mass: BoxMass,
        /// How far its middle is ahead of the body's first link.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::length)]
        ahead: f64,
        /// How far it is to its left.
        #[arg(allow_negative_numbers = true, allow_hyphen_values = true, value_parser = words::length,
              default_value = "0")]
        left: f64,
        #[command(flatten)]
        local: LocalRobotArgs,
    },
}

/// How far steps are ahead of the body's foremost point by default, m.
pub(crate) const STEPS_GAP: f64 = 0.05;

/// The direction of a push, as the body faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PushDirection {
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

impl PushDirection {
    /// This force, ahead, to the left and up.
    pub(crate) fn of(self, force: f64) -> [f64; 3] {
        match self {
            PushDirection::Forward => [force, 0.0, 0.0],
            PushDirection::Back => [-force, 0.0, 0.0],
            PushDirection::Left => [0.0, force, 0.0],
            PushDirection::Right => [0.0, -force, 0.0],
            PushDirection::Up => [0.0, 0.0, force],
            PushDirection::Down => [0.0, 0.0, -force],
        }
    }
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let (local, ask, done) = match &args.verb {
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
            lasts,
            direction,
            local,
        } => {
            let (ask, done) = push(name, *amount, *lasts, *direction)?;
            (local, ask, done)
        }
        SimVerb::Lift { local } => {
            let done = "the body is held above the floor";
            (local, Ask::Lift { held: true }, done.to_owned())
        }
        SimVerb::Drop { local } => {
            let done = "nobody holds the body";
            (local, Ask::Lift { held: false }, done.to_owned())
        }
        SimVerb::Floor { change } => change.request(),
        SimVerb::Put {
            obstacle:
                Obstacle::Box {
                    size,
                    mass,
                    ahead,
                    left,
                    local,
                },
        } => {
            let ask = Ask::PutBox {
                edges: *size,
                mass: mass.0,
                at: [*ahead, *left],
            };
            (local, ask, "the box is put down".to_owned())
        }
        SimVerb::Unplug { board, local } => {
            (local, plug(board, true), format!("{board} is unplugged"))
        }
        SimVerb::Plug { board, local } => {
            (local, plug(board, false), format!("{board} is plugged in"))
        }
        SimVerb::Step { turns, local } => {
            let done = format!("{} requested", words::counted(*turns, "turn"));
            (local, Ask::Step { turns: *turns }, done)
        }
    };
    let reply = connect_local(local, "the simulated body")?.ask(ask)?;
    output.print(json!({ "told": reply }), done)
}

impl FloorVerb {
    fn request(&self) -> (&LocalRobotArgs, Ask, String) {
        match self {
            FloorVerb::Tilt { angle, local } => {
                let done = format!("the floor tilts to {:.1}°", angle.to_degrees());
                (local, Ask::Floor { tilt: *angle }, done)
            }
            FloorVerb::Steps {
                count,
                height,
                depth,
                gap,
                local,
            } => {
                let ask = Ask::BuildSteps {
                    count: *count,
                    height: *height,
                    depth: *depth,
                    gap: *gap,
                };
                let steps = words::counted(u64::from(*count), "step");
                let done = format!("{steps} built, {:.0} cm ahead of the body", gap * 100.0);
                (local, ask, done)
            }
            FloorVerb::Empty { local } => {
                let done = "boxes and steps are taken away";
                (local, Ask::EmptyFloor, done.to_owned())
            }
        }
    }
}

/// The push of a link for a time, or of a joint.
fn push(
    name: &str,
    PushAmount { amount, is_force }: PushAmount,
    lasts: Option<Span>,
    direction: PushDirection,
) -> Result<(Ask, String)> {
    let Some(lasts) = lasts else {
        if is_force {
            bail!("a force needs a link and a time; fix: `dcm-run sim push torso 20N 100ms`");
        }
        let ask = Ask::Push {
            actuator: name.to_owned(),
            torque: amount,
        };
        return Ok((ask, format!("{name} is pushed with {amount} N·m")));
    };
    let ask = Ask::PushLink {
        link: name.to_owned(),
        force: direction.of(amount),
        for_ns: lasts.nanos(),
    };
    let lasts = words::time(lasts);
    Ok((ask, format!("{name} is pushed with {amount} N for {lasts}")))
}

fn plug(board: &str, silent: bool) -> Ask {
    Ask::Silence {
        board: board.to_owned(),
        silent,
    }
}
