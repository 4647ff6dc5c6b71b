//! `dcm-run compile`: makes a choreography of a motion in a file, without any tools of a language.
//! The same file gives the same bytes; with a robot, what it does not have is told before anything is written.

use std::path::{Path, PathBuf};

use ::guests::digest;
use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::json;

use crate::choreography::motion_file::{self, MotionArgs, print_remarks, robot_of};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words::{count, counted};
use crate::verbs::author::project::component;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    What comes out is a choreography like any other: `dcm-run check` checks it, `push` stores it on a robot. `dcm-run \
    play`, `load` and `push` take the file of a motion as it is, too. `dcm-run convert --help` lists the formats.")]
pub(crate) struct Args {
    /// The motion: our own CSV or JSON, or a file of another program.
    file: PathBuf,
    /// The output file; default: NAME.wasm in this folder.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The robot that it is for: its joints, pairs and units are looked at.
    #[arg(long, short, value_name = "NAME|FILE")]
    robot: Option<String>,
    #[command(flatten)]
    motions: MotionArgs,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let robot = robot_of(args.robot.as_deref())?;
    let bytes = motion_file::read(&args.file)?;
    let show = args.motions.show(&args.file, &bytes, robot.as_ref())?;
    print_remarks(&args.file, &show.remarks);
    let compiled = show.compiled();
    let component = compiled.component();
    let component = component.map_err(|why| anyhow::anyhow!("{}: {why}", args.file.display()))?;
    let path = args.output.clone().unwrap_or_else(|| {
        let stem = args.file.file_stem().unwrap_or_default();
        Path::new(stem).with_extension("wasm")
    });
    component::write(&path, &component)?;
    let last = compiled.lines.iter().map(|line| line.at).max().unwrap_or(0);
    let lasts = (compiled.lead + last) as f64 / 1e9;
    let (joints, commands) = (compiled.actuators.len(), compiled.lines.len() as u64);
    let digest = digest(&component);
    let text = format!(
        "{}: {}, {}, {} commands, {lasts:.1} s{}\nsha256: {digest}",
        path.display(),
        compiled.name,
        counted(joints as u64, "joint"),
        count(commands),
        if compiled.loops { ", loops" } else { "" }
    );
    let value = json!({
        "file": path.display().to_string(), "name": compiled.name, "actuators": compiled.actuators,
        "commands": commands, "lasts_s": lasts, "loops": compiled.loops, "sha256": digest,
    });
    output.print(value, text)
}
