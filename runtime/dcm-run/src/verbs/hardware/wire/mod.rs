//! `dcm-run wire`: probes, dumps, calibrates and simulates servo boards, without a loop.
//!
//! One file for each subcommand. Each holds the board's lock, so that none runs beside a loop.

mod calibrate;
mod dump;
mod probe;
mod simulate;

use anyhow::{Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use description::{BoardSpec, Driver, Robot, RobotSource, load, no_such};

use crate::text::output::{VerbOutcome, VerbOutput};

#[derive(Debug, ClapArgs)]
#[command(after_help = "None of these gives force to a motor.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: WireVerb,
}

#[derive(Debug, Subcommand)]
enum WireVerb {
    /// Ask a board for its table, and compare it with the description.
    Probe(probe::Args),
    /// Print the frames of a limp board, or of a file that `run --tap` wrote.
    Dump(dump::Args),
    /// Find a joint's offset and range while you move it by hand; `--yes` writes them.
    Calibrate(calibrate::Args),
    /// Simulate a servo board on a socket: the reference firmware with the simulated body.
    Simulate(simulate::Args),
}

/// The board.
#[derive(Debug, ClapArgs)]
struct BoardArgs {
    /// The robot: a file, or a shipped robot.
    robot: String,
    /// The board; default: the only servo board.
    #[arg(long, short, value_name = "NAME")]
    board: Option<String>,
}

impl BoardArgs {
    /// The robot, and the number of the servo board.
    fn servo(&self) -> Result<(Robot, usize)> {
        let robot = load(&RobotSource::of(&self.robot))?;
        let speaks = |spec: &BoardSpec| matches!(spec.driver, Driver::Servo { .. });
        let meant = |spec: &BoardSpec| match &self.board {
            Some(name) => spec.name == *name,
            None => speaks(spec),
        };
        let Some(place) = robot.boards.iter().position(meant) else {
            let names = robot.boards.iter().map(|board| board.name.as_str());
            match &self.board {
                Some(name) => bail!(no_such("board", name, names)),
                None => bail!(
                    "{} has no servo board; fix: name a robot that has one, such as desk: `dcm-run config show ROBOT \
                     boards` lists a robot's boards",
                    robot.name
                ),
            }
        };
        if !speaks(&robot.boards[place]) {
            let name = &robot.boards[place].name;
            let others = robot.boards.iter().filter(|board| speaks(board));
            let others: Vec<_> = others.map(|value| value.name.as_str()).collect();
            let fix = match others.as_slice() {
                [] => "name a robot that has one".to_owned(),
                others => format!("--board {}", others.join(" or --board ")),
            };
            bail!("the board `{name}` is not a servo board: it has another driver; fix: {fix}");
        }
        Ok((robot, place))
    }
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    match &args.verb {
        WireVerb::Probe(args) => probe::run(args, output),
        WireVerb::Dump(args) => dump::run(args, output),
        WireVerb::Calibrate(args) => calibrate::run(args, output),
        WireVerb::Simulate(args) => simulate::run(args, output),
    }
}
