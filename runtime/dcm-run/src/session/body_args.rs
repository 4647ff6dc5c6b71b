//! How the body is simulated: the options of every verb that simulates one.

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use description::Robot;
use drivers::sim::BodyStart;

use crate::text::words;

/// Whether the simulated body has weight, and how it is placed at first.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct BodyArgs {
    /// Whether the simulated body has weight and stands on a floor; default: as its description has it.
    #[arg(long, value_name = "on|off", value_parser = words::on_off)]
    physics: Option<bool>,
    /// How the simulated body is placed at first; switches physics on.
    #[arg(long, value_name = "POSTURE", value_parser = body_start)]
    start: Option<BodyStart>,
}

impl BodyArgs {
    /// Whether the body must be a simulated one.
    pub(crate) fn needs_simulation(&self) -> bool {
        self.physics == Some(true) || self.start.is_some()
    }

    /// Writes the choice into the robot.
    pub(crate) fn apply(&self, robot: &mut Robot) -> Result<()> {
        if self.physics == Some(false) && self.start.is_some() {
            bail!("--start needs physics; fix: leave out `--physics off`, or --start");
        }
        let chosen = self.physics.or(self.start.map(|_| true));
        robot.physics = chosen.unwrap_or(robot.physics);
        robot.start = self.start.unwrap_or(robot.start);
        Ok(())
    }

    /// The same options, for a child process.
    pub(crate) fn as_args(&self) -> Vec<String> {
        let physics = self.physics.map(|on| if on { "on" } else { "off" });
        let physics = physics.map(|word| format!("--physics={word}"));
        let start = self.start.map(|start| format!("--start={}", start.name()));
        physics.into_iter().chain(start).collect()
    }
}

/// The posture in which a simulated body starts.
fn body_start(text: &str) -> Result<BodyStart, String> {
    BodyStart::of_name(text).ok_or_else(|| format!("use one of {}", BodyStart::NAMES.join(", ")))
}
