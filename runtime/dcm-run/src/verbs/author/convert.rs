//! `dcm-run convert`: writes a motion in the format of another program.
//! What the format cannot hold is told, never lost in silence; a file that is there is not replaced unasked.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use description::Robot;
use motion_files::{
    FileMistake, JointMap, KeyedMotion, MotionDocument, MotionFormat, MotionReading,
    NoSurroundings, adapted, is_answered, joined, means_all, paired, write,
};
use robot::show::misnamed;
use serde_json::json;

use crate::choreography::motion_file::{self, MotionArgs, MotionFolder, print_remarks, robot_of};
use crate::text::errors;
use crate::text::output::{VerbOutcome, VerbOutput};

#[derive(Debug, ClapArgs)]
#[command(after_long_help = "\
Formats, by the endings of files: .csv and .json (our own, with curves), .motion (Webots), .py and
.xar (Choregraphe), .pos and .mot (Tekkotsu), .wyp and .prm (Tekkotsu, no motions of joints), .mtn
(Sony AIBO), .yaml (trajectories of ROS), .mcap (the same in a recording). With --to, .json is also
one of reachy, hulks, bottango. The content of a file decides how it is read. A .pos is written in
Tekkotsu's verbose form, a line for each output, or with --condensed and --robot in its condensed
form, in the order of the robot's outputs; a condensed one is read with --robot, and copied as it is
without.

A mapping file, for --map, says what becomes of the joints; those that it does not name stay:

  mirror = true                     # exchange left and right first
  flip = [\"*Roll\", \"*Yaw\"]          # the sign of these changes then; default: rolls, yaws, pans
  [joints]
  \"neck.pan\" = \"HeadYaw\"
  \"neck.tilt\" = { to = \"HeadPitch\", scale = -1.0, offset = 0.1 }
  \"9\" = { to = \"LHand\", range = [0.0, 0.8] }     # what 0 and 1 become, of shares of a range
  \"tail\" = false                    # is left out")]
pub(crate) struct Args {
    /// The file to read.
    from: PathBuf,
    /// The file to write, or - for standard output.
    to: PathBuf,
    /// The format to write; default: that of the file's ending.
    #[arg(long = "to", value_name = "FORMAT", value_parser = formats())]
    format: Option<String>,
    /// The robot, which knows left and right pairs and the order of outputs.
    #[arg(long, short, value_name = "NAME|FILE")]
    robot: Option<String>,
    /// Write a .pos with all values on one line, in the order of the robot's outputs.
    #[arg(long, requires = "robot")]
    condensed: bool,
    /// Replace the file if it is there.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    motions: MotionArgs,
}

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(MotionFormat::all().map(MotionFormat::name))
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let format = format(args)?;
    let is_there = args.to.exists() && !is_output(&args.to);
    if is_there && !args.force {
        let to = args.to.display();
        bail!("{to} is there already; fix: --force replaces it, or name another file");
    }
    let name = args.from.file_name().unwrap_or_default().to_string_lossy();
    let bytes = motion_file::read(&args.from)?;
    let reading = motion_files::read(&name, &bytes);
    let reading = reading.map_err(|why| anyhow::anyhow!("{}:\n{why}", args.from.display()))?;
    print_remarks(&args.from, &needed(args, &reading)?);
    let from = reading.format;
    if args.condensed && format != MotionFormat::Pos {
        bail!(
            "--condensed is for a .pos, not for {}; fix: leave it out",
            format.about()
        );
    }
    let (document, lost) = document(args, (reading, &bytes), format)?;
    let written = write(&document, format);
    let written = written.map_err(|why| anyhow::anyhow!("{}: {why}", args.to.display()))?;
    let printed = if is_output(&args.to) {
        "standard output".into()
    } else {
        args.to.to_string_lossy()
    };
    for item in &lost {
        anstream::eprintln!("{printed}: {item}");
    }
    if is_output(&args.to) {
        std::io::stdout().lock().write_all(&written)?;
        return Ok(VerbOutcome::Done);
    }
    errors::write(&args.to, &written)?;
    let (to, bytes) = (args.to.display(), written.len());
    if output.json {
        let line = json!({
            "from": from.name(), "to": format.name(), "file": to.to_string(), "bytes": bytes, "lost": lost,
        });
        anstream::println!("{line}");
    } else {
        anstream::println!("{to}: {}, {bytes} bytes", format.about());
    }
    Ok(VerbOutcome::Done)
}

/// The remarks of a file, without those that the mapping answers.
fn needed(args: &Args, reading: &MotionReading) -> Result<Vec<FileMistake>> {
    let mut remarks = reading.remarks.clone();
    let motions = reading.document.motions(&NoSurroundings, &mut Vec::new());
    if let (Ok(motions), false) = (motions, remarks.is_empty()) {
        let map = args.motions.map_for(None)?;
        remarks.retain(|remark| !is_answered(remark, &map, &motions));
    }
    Ok(remarks)
}

fn is_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// The format to write.
fn format(args: &Args) -> Result<MotionFormat> {
    if let Some(name) = &args.format {
        // The parser of arguments knows them all.
        return MotionFormat::named(name).ok_or_else(|| anyhow::anyhow!("no format `{name}`"));
    }
    let name = args.to.to_string_lossy();
    MotionFormat::of_ending(&name).ok_or_else(|| {
        let names: Vec<_> = MotionFormat::all().map(MotionFormat::name).collect();
        anyhow::anyhow!(
            "the ending of {name} names no format; fix: --to with one of {}",
            names.join(", ")
        )
    })
}

/// What is written, and what of the motion it does not hold.
fn document(
    args: &Args,
    (reading, bytes): (MotionReading, &[u8]),
    format: MotionFormat,
) -> Result<(MotionDocument, Vec<String>)> {
    // The same format keeps everything, down to its comments. What is no motion of joints is of no robot.
    let is_motion = !matches!(format, MotionFormat::Wyp | MotionFormat::Prm);
    let is_as_it_is = args.robot.is_none() || !is_motion;
    if args.motions.changes_nothing() && is_as_it_is {
        // What is read more freely than it is written, such as a timeline that begins in its middle, is fitted.
        if reading.format == format && write(&reading.document, format).is_ok() {
            return Ok((reading.document, Vec::new()));
        }
        // YAML and MCAP hold the same message.
        if let Some(message) = reading.document.as_message(format) {
            let message = message.map_err(|why| anyhow::anyhow!("{}: {why}", args.to.display()))?;
            return Ok((message, Vec::new()));
        }
    }
    let robot = robot_of(args.robot.as_deref())?;
    let map = args.motions.map_for(robot.as_ref())?;
    let around = MotionFolder::of(&args.from, robot.as_ref(), &map);
    let of_from = |why: &dyn std::fmt::Display| anyhow::anyhow!("{}:\n{why}", args.from.display());
    let mut remarks = Vec::new();
    let motions = reading.document.motions(&around, &mut remarks);
    let motions = motions.map_err(|why| of_from(&why))?;
    print_remarks(&args.from, &remarks);
    if let Some(robot) = &robot
        && !remarks.is_empty()
        && motions.iter().all(|motion| motion.tracks.is_empty())
    {
        return Err(of_from(&format!(
            "line 1, column 1: {}",
            robot::show::none_fits(&robot.name)
        )));
    }
    remarks.clear();
    let motions = chosen(motions, args.motions.motion())?;
    let (adapted_motions, lost) = fitted(args, (motions, bytes), (&map, robot.as_ref()), format)?;
    let document = MotionDocument::of_motions(&adapted_motions, format);
    let of_to = |why: &dyn std::fmt::Display| anyhow::anyhow!("{}: {why}", args.to.display());
    let document = document.map_err(|why| of_to(&why))?;
    match document {
        MotionDocument::Posture(posture) if args.condensed => {
            let posture = posture.condensed(&around, &mut remarks);
            let posture = posture.map_err(|why| of_to(&why))?;
            print_remarks(&args.to, &remarks);
            Ok((MotionDocument::Posture(posture), lost))
        }
        document => Ok((document, lost)),
    }
}

/// The motions as the format can hold them, and what it does not hold.
fn fitted(
    args: &Args,
    (motions, bytes): (Vec<KeyedMotion>, &[u8]),
    (map, robot): (&JointMap, Option<&Robot>),
    format: MotionFormat,
) -> Result<(Vec<KeyedMotion>, Vec<String>)> {
    let of_from = |why: &dyn std::fmt::Display| anyhow::anyhow!("{}:\n{why}", args.from.display());
    let mut lost = Vec::new();
    let mut adapted_motions = Vec::new();
    for motion in motions {
        print_remarks(&args.from, &misnamed(map, &motion));
        let mapped = map.apply(&motion);
        let mut motion = mapped.map_err(|why| of_from(&why.mistake(bytes)))?;
        if let Some(robot) = robot {
            motion = paired(&motion, &|value| robot.actuator(value).is_some());
        }
        let fitted = adapted(&motion, format, args.motions.curve_error());
        let (motion, missing) = fitted.map_err(|why| of_from(&why))?;
        lost.extend(
            missing
                .into_iter()
                .filter(|item| !lost.contains(item))
                .collect::<Vec<_>>(),
        );
        adapted_motions.push(motion);
    }
    Ok((adapted_motions, lost))
}

/// The motion of this name, all of them, or all as one: one after another.
fn chosen(motions: Vec<KeyedMotion>, name: Option<&str>) -> Result<Vec<KeyedMotion>> {
    let Some(name) = name else {
        return Ok(motions);
    };
    if means_all(name, &motions) {
        let all = joined(&motions);
        let all =
            all.context("all of its motions together are too long; fix: choose one of them")?;
        return Ok(vec![all]);
    }
    let names: Vec<_> = motions
        .iter()
        .map(|motion| format!("`{}`", motion.name))
        .collect();
    let found: Vec<_> = motions
        .into_iter()
        .filter(|motion| motion.name == name)
        .collect();
    if found.is_empty() {
        bail!(
            "there is no motion `{name}` in it; fix: one of {}",
            names.join(", ")
        );
    }
    Ok(found)
}
