//! `dcm-run wire calibrate`: finds a joint's offset and range from its sensor while a person moves it.
//! Nothing is written without --yes.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use cycle::Span;
use description::{RobotSource, no_such, write};
use robot::boards::calibrate::{JointCalibration, JointReader, calibrate};
use serde_json::json;

use super::BoardArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;

/// The body is limp. First hold the joint at the position of `--at`: that gives its offset. Then move it from stop to
/// stop: that gives its range, less a margin. Nothing is written without `--yes`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// The joint.
    #[arg(long, short, value_name = "NAME")]
    joint: String,
    /// The position in which it is held.
    #[arg(long, value_name = "ANGLE", value_parser = words::value, default_value = "0", allow_hyphen_values = true)]
    at: f64,
    /// How long it is moved from stop to stop.
    #[arg(long = "for", value_name = "TIME", value_parser = words::duration, default_value = "10s")]
    lasting: Span,
    /// The distance between the range and the stops.
    #[arg(long, value_name = "ANGLE", value_parser = words::value, default_value = "1deg")]
    margin: f64,
    /// Write the result into the robot's local layer.
    #[arg(long, short)]
    yes: bool,
}

pub(super) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let (robot, board) = args.board.servo()?;
    let Some(joint) = robot.actuator(&args.joint) else {
        let joints = robot
            .actuators
            .iter()
            .filter(|actuator| actuator.motor.is_some());
        bail!(no_such(
            "joint",
            &args.joint,
            joints.map(|joint| joint.name.as_str())
        ));
    };
    super::probe::as_described(&robot, board)?;
    let mut gauge = JointReader::open(&robot, board, joint).map_err(|why| anyhow::anyhow!(why))?;
    let asks = std::io::stdin().is_terminal() && !output.json;
    let say = |what: String| anstream::eprintln!("{what}");
    say(format!("hold {} at {}", args.joint, words::figure(args.at)));
    wait(asks)?;
    let held = gauge.listen(Duration::from_millis(500), |_| {})?;
    say(format!(
        "move {} from stop to stop, for {}",
        args.joint,
        words::time(args.lasting)
    ));
    let moved = gauge.listen(Duration::from_nanos(args.lasting.nanos()), |counts| {
        if asks {
            anstream::eprint!("\r{counts:>8}  ");
        }
    })?;
    if asks {
        anstream::eprintln!();
    }
    let found = calibrate(&robot, joint, args.at, args.margin, &held, &moved)
        .map_err(|why| anyhow::anyhow!(why))?;
    print_calibration(args, &found, output)?;
    if !args.yes {
        say("nothing was written; fix: --yes".to_owned());
        return Ok(VerbOutcome::Done);
    }
    let path = write(
        &RobotSource::of(&args.board.robot),
        &found.values(&robot, joint),
    )?;
    say(format!(
        "written into {}; it takes effect when the loop is started again",
        path.display()
    ));
    Ok(VerbOutcome::Done)
}

fn print_calibration(args: &Args, found: &JointCalibration, output: VerbOutput) -> Result<()> {
    let mut out = anstream::stdout().lock();
    if output.json {
        let told = json!({
            "joint": args.joint, "offset": found.offset, "range": [found.range.min, found.range.max],
            "counts": [found.counts.0, found.counts.1],
        });
        return writeln!(out, "{told}").context("printing");
    }
    writeln!(
        out,
        "{}: offset {}, range {} to {} (counts {} to {})",
        words::paint(words::BOLD, &args.joint),
        words::figure(found.offset),
        words::figure(found.range.min),
        words::figure(found.range.max),
        found.counts.0,
        found.counts.1
    )
    .context("printing")
}

/// Waits for Enter, on a terminal.
fn wait(asks: bool) -> Result<()> {
    if asks {
        anstream::eprint!("then press Enter ");
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
    }
    Ok(())
}
