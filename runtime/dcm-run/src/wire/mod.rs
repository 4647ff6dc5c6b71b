//! `dcm-run wire`: what is on a robot's buses, without a loop: who answers, what crosses, where joints stand.
//!
//! One file for each deed. All of them hold the board's lock, so none runs beside a loop.

mod calibrate;
mod dump;
mod probe;
mod simulate;

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use description::{BoardSpec, Driver, Robot, RobotSource, load};

use crate::Outcome;

#[derive(Debug, ClapArgs)]
#[command(after_help = "No motor gets force by any of these.")]
pub(crate) struct Args {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Asks a board what it is, and compares its table with the description.
    Probe(probe::Args),
    /// Prints what crosses: of a board that nobody drives, limp; or of a file that `run --tap` wrote.
    Dump(dump::Args),
    /// Finds a joint's offset and range while you move it by hand; writes them with `--yes`.
    Calibrate(calibrate::Args),
    /// Is a servo board: the reference firmware with the simulated body, on a socket, for people who write a host
    /// or have no board yet.
    Simulate(simulate::Args),
}

/// Which board is meant.
#[derive(Debug, ClapArgs)]
struct Meant {
    /// The robot: a file, or the name of a shipped one.
    robot: String,
    /// The board; not needed where there is one that speaks the board protocol.
    #[arg(long, short, value_name = "NAME")]
    board: Option<String>,
}

impl Meant {
    /// The robot, and the number of the servo board.
    fn servo(&self) -> Result<(Robot, usize)> {
        let robot = load(&RobotSource::of(&self.robot))?;
        let speaks = |it: &BoardSpec| matches!(it.driver, Driver::Servo { .. });
        let meant = |it: &BoardSpec| match &self.board {
            Some(name) => it.name == *name,
            None => speaks(it),
        };
        let Some(place) = robot.boards.iter().position(meant) else {
            let names: Vec<_> = robot.boards.iter().map(|it| it.name.as_str()).collect();
            match &self.board {
                Some(name) => bail!(
                    "there is no board `{name}`; there are: {}",
                    names.join(", ")
                ),
                None => bail!("{} has no board that speaks the board protocol", robot.name),
            }
        };
        if !speaks(&robot.boards[place]) {
            let name = &robot.boards[place].name;
            bail!("the board `{name}` does not speak the board protocol: its driver is another");
        }
        Ok((robot, place))
    }
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    match &args.deed {
        Deed::Probe(args) => probe::run(args, json),
        Deed::Dump(args) => dump::run(args, json),
        Deed::Calibrate(args) => calibrate::run(args, json),
        Deed::Simulate(args) => simulate::run(args, json),
    }
}
