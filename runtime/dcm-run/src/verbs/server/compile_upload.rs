//! `dcm-run compile-upload`: makes a choreography of the file of a motion that was uploaded. The robot's server starts
//! it. It reads this one file, gives way to the loop, and has only so much memory; the choreography goes to
//! standard output, and what was tolerated or is wrong goes to standard error, as JSON.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args as ClapArgs;
use description::Robot;
use motion_files::JointMap;
use robot::show::{CURVE_ERROR, Show, ShowOptions, mirrors};
use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};
use serde_json::json;

use crate::choreography::motion_file::{self, MotionFolder, is_motion, robot_of, show_of};
use crate::text::output::VerbOutcome;

/// The most memory that it may take, bytes: a file of 64 MiB with the largest motion takes less.
const MEMORY_MAX: u64 = 2 << 30;

/// The most remarks that are told.
const REMARKS_MAX: usize = 10;

/// What to compile.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The file, as it was stored.
    file: PathBuf,
    /// Its name where it came from.
    #[arg(long = "named")]
    name: String,
    /// The robot that it is for.
    #[arg(long)]
    robot: String,
    /// The text of a mapping file.
    #[arg(long = "map-text")]
    map: Option<String>,
    /// Exchange left and right.
    #[arg(long)]
    mirror: bool,
    /// Which of several motions.
    #[arg(long)]
    motion: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<VerbOutcome> {
    // If these are refused, it does without. The niceness is absolute: added to that of the server's thread, it would
    // starve the upload on a busy machine.
    let _ = setpriority_process(None, 5);
    let most = Some(MEMORY_MAX);
    let limit = Rlimit {
        current: most,
        maximum: most,
    };
    let _ = setrlimit(Resource::As, limit);
    let bytes = motion_file::read(&args.file)?;
    let name = &args.name;
    if !is_motion(name, &bytes) {
        bail!(
            "{name}: this file cannot be played; fix: send a choreography (.wasm), or the file of a motion (.csv, \
             .json, .motion, …), see `dcm-run convert --help`"
        );
    }
    let robot = robot_of(Some(&args.robot))?;
    let show = show(args, &bytes, robot.as_ref())?;
    let component = show.component();
    let component = component.map_err(|why| anyhow!("{name}: {why}"))?;
    let remarks = show.remarks.iter().take(REMARKS_MAX);
    let remarks: Vec<_> = remarks.map(|remark| format!("{name}: {remark}")).collect();
    writeln!(
        std::io::stderr().lock(),
        "{}",
        json!({ "remarks": remarks })
    )?;
    std::io::stdout().lock().write_all(&component)?;
    Ok(VerbOutcome::Done)
}

fn show(args: &Args, bytes: &[u8], robot: Option<&Robot>) -> Result<Show> {
    let mut map = match &args.map {
        Some(text) => {
            JointMap::read(text.as_bytes()).map_err(|why| anyhow!("the mapping:\n{why}"))?
        }
        None => JointMap::default(),
    };
    map.mirror |= args.mirror;
    map.body = robot.map(mirrors).unwrap_or_default();
    let around = MotionFolder::none(robot);
    let options = ShowOptions {
        map: &map,
        error: CURVE_ERROR,
        motion: args.motion.as_deref(),
        around: &around,
    };
    show_of(&args.name, &args.name, bytes, &options, robot)
}
