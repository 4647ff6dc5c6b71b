//! Opens the boards and chooses how time passes, from the command line. Called by `run`.
//! Contradictory options are refused before anything is opened.

use std::path::PathBuf;

use anyhow::{Result, bail};
use description::{RigidBodyError, Robot, no_such};
use drivers::sim::RigidRobot;
use robot::boards::{Opened, open};
use robot::live::Tempo;

use super::Args;

/// Opens the boards that are not simulated.
pub(super) fn opened(args: &Args, robot: &Robot) -> Result<Opened> {
    let Some(real) = robot
        .boards
        .iter()
        .find(|board| board.is_real())
        .filter(|_| !args.driven.sim)
    else {
        return Ok(Opened::default());
    };
    if args.speed.is_some() || args.fast || args.step {
        bail!(
            "the board `{}` is real and needs real time; fix: simulate the robot, `--sim`, or omit --speed, --fast and \
             --step",
            real.name
        );
    }
    let taps = args
        .tap
        .iter()
        .map(|item| tap(item, robot))
        .collect::<Result<Vec<_>>>()?;
    open(robot, &taps)
        .map_err(|wrong| anyhow::anyhow!("{wrong}\nto run without this hardware: --sim"))
}

/// A board whose transfers are written, and the file.
fn tap(text: &str, robot: &Robot) -> Result<(String, PathBuf)> {
    let Some((name, file)) = text.split_once('=') else {
        bail!("--tap needs a board and a file; fix: `--tap {text}=file.tap`");
    };
    match robot.boards.iter().find(|board| board.name == name) {
        Some(board) if board.bus().is_some() => Ok((name.to_owned(), PathBuf::from(file))),
        Some(_) => bail!(
            "the board `{name}` has no bus to tap; fix: name a board on a bus: `dcm-run doctor` lists them"
        ),
        None => {
            let names = robot.boards.iter().map(|board| board.name.as_str());
            bail!(no_such("board", name, names))
        }
    }
}

/// How time passes.
pub(super) fn tempo(args: &Args) -> Result<Tempo> {
    match args.speed {
        Some(speed) if !(0.001..=1000.0).contains(&speed) => {
            bail!("--speed must be from 0.001 to 1000; fix: to run as fast as possible, use --fast")
        }
        Some(speed) => Ok(Tempo::Real(speed)),
        None if args.fast => Ok(Tempo::Fast),
        None if args.step => Ok(Tempo::Step),
        None => Ok(Tempo::Real(1.0)),
    }
}

/// The rigid bodies of a simulated robot, and lines about what they cost and what is odd about them.
pub(super) fn rigid_robot(robot: &Robot) -> Result<Option<(RigidRobot, Vec<String>)>> {
    let Some(body) = robot.rigid_robot()? else {
        return Ok(None);
    };
    let (each, step) = body.measure_step().map_err(RigidBodyError::Model)?;
    let mut lines = vec![format!(
        "physics: {} links; a step of {} ms takes {:.0} µs here, {:.1}% of the time",
        body.model.links.len(),
        step * 1e3,
        each * 1e6,
        100.0 * each / step
    )];
    for overlap in &body.overlaps {
        let [one, other] = overlap.links.map(|link| &body.model.links[link].name);
        lines.push(format!(
            "physics: `{one}` and `{other}` start {:.0} mm inside each other, and do not collide; fix: correct their \
             shapes in `[links]`",
            overlap.depth * 1e3
        ));
    }
    Ok(Some((body, lines)))
}
