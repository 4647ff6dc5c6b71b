//! What every loop is started with: the robot, its boards or its simulation, its recording.
//! Shared by all verbs that run a loop.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCompleter;
use cycle::Span;
use description::Robot;

use crate::process::as_name;
use crate::session::body_args::BodyArgs;
use crate::session::described::ROBOT;
use crate::verbs::candidates;

/// The robot to drive, and how: the options of every verb that runs a loop.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct LoopArgs {
    /// The robot: a file, or a shipped robot, which `dcm-run config ls` lists.
    #[arg(long, short, value_name = "ROBOT", env = ROBOT, add = ArgValueCompleter::new(candidates::descriptions))]
    pub(crate) robot: Option<String>,
    /// Drive a simulated body instead of the boards.
    #[arg(long)]
    pub(crate) sim: bool,
    #[command(flatten)]
    pub(crate) body: BodyArgs,
    /// Grant all scores clocks and random numbers of WASI, in a simulation only.
    #[arg(long, requires = "sim")]
    pub(crate) wasi: bool,
    /// The name of the loop; default: the robot's name.
    #[arg(long, value_name = "NAME")]
    pub(crate) id: Option<String>,
    /// Record every turn (.mcap), for viewers and for `dcm-run replay`.
    #[arg(long, value_name = "FILE", value_parser = recording_path)]
    pub(crate) record: Option<PathBuf>,
    /// Start no guardian, the process that brings the body down if this one dies: for debugging.
    #[arg(long)]
    pub(crate) no_guard: bool,
    /// Print only warnings while it runs.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// For how many days the robot has run already, to try what months bring.
    #[arg(
        long,
        value_name = "DAYS",
        hide = true,
        requires = "sim",
        default_value_t
    )]
    pub(crate) uptime: u32,
}

impl LoopArgs {
    /// The name of the loop.
    pub(super) fn name(&self, robot: &Robot) -> String {
        self.id.clone().unwrap_or_else(|| as_name(&robot.name))
    }

    /// The options of a check for this loop: what it plays is judged as it is simulated.
    pub(crate) fn check_args(&self) -> Vec<String> {
        let wasi = self.wasi.then(|| "--wasi".to_owned());
        self.body.as_args().into_iter().chain(wasi).collect()
    }

    pub(super) fn uptime(&self) -> Span {
        Span::from_millis(u64::from(self.uptime) * 86_400_000)
    }
}

/// The file of a recording: viewers open it by its ending.
fn recording_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path
        .extension()
        .is_some_and(|extension| extension == "mcap")
    {
        return Ok(path);
    }
    let fix = path.with_extension("mcap");
    Err(format!(
        "the name of a recording ends in .mcap; fix: {}",
        fix.display()
    ))
}
