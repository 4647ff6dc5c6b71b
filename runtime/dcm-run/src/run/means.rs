//! What a loop is run with, of what the command line says: real boards, and how time passes.
//! The law: what cannot go together is told before anything is opened.

use std::path::PathBuf;

use anyhow::{Result, bail};
use description::Robot;
use robot::boards::{Opened, open};
use robot::live::Tempo;

use super::Args;

/// The boards that are not simulated, as far as there are such.
pub(super) fn opened(args: &Args, robot: &Robot) -> Result<Opened> {
    let Some(real) = robot
        .boards
        .iter()
        .find(|it| it.is_real())
        .filter(|_| !args.driven.sim)
    else {
        return Ok(Opened::default());
    };
    if args.speed.is_some() || args.fast || args.step {
        bail!(
            "the board `{}` of this robot is real, and lives by the clock; fix: simulate it, `--sim`, or leave out \
             --speed, --fast and --step",
            real.name
        );
    }
    let taps = args
        .tap
        .iter()
        .map(|it| tap(it, robot))
        .collect::<Result<Vec<_>>>()?;
    open(robot, &taps).map_err(|wrong| {
        anyhow::anyhow!("{wrong}\nwithout this hardware: `--sim` simulates the robot")
    })
}

/// A board that is listened to, and the file.
fn tap(text: &str, robot: &Robot) -> Result<(String, PathBuf)> {
    let Some((name, file)) = text.split_once('=') else {
        bail!("--tap is a board and a file: `--tap {text}=file.tap`");
    };
    match robot.boards.iter().find(|it| it.name == name) {
        Some(board) if board.bus().is_some() => Ok((name.to_owned(), PathBuf::from(file))),
        Some(_) => bail!("the board `{name}` is on no bus that could be listened to"),
        None => {
            let names: Vec<_> = robot.boards.iter().map(|it| it.name.as_str()).collect();
            bail!(
                "there is no board `{name}`; there are: {}",
                names.join(", ")
            )
        }
    }
}

/// How time passes.
pub(super) fn tempo(args: &Args) -> Result<Tempo> {
    match args.speed {
        Some(speed) if !(0.001..=1000.0).contains(&speed) => {
            bail!("--speed is a number from 0.001 to 1000; as fast as it can is --fast")
        }
        Some(speed) => Ok(Tempo::Real(speed)),
        None if args.fast => Ok(Tempo::Fast),
        None if args.step => Ok(Tempo::Step),
        None => Ok(Tempo::Real(1.0)),
    }
}
