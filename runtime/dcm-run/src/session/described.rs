//! Chooses the robot's description: from --robot, from the environment, or from the user's file.
//! Called by `run`, `play`, `check` and `serve`. If none is given, the error lists what can be given.

use std::path::PathBuf;

use anyhow::{Result, bail};
use description::{SHIPPED, config_folder};

/// The environment variable that names the default robot.
pub(crate) const ROBOT: &str = "DCM_RUN_ROBOT";

/// The name or the file of the robot's description.
pub(crate) fn described(said: Option<&str>) -> Result<String> {
    if let Some(robot) = said.filter(|value| !value.is_empty()) {
        return Ok(robot.to_owned());
    }
    let file = file();
    let written = file
        .as_ref()
        .and_then(|file| std::fs::read_to_string(file).ok());
    if let Some(robot) = written
        .as_deref()
        .map(str::trim)
        .filter(|value| !value.is_empty())
    {
        return Ok(robot.to_owned());
    }
    let file = file.map_or(String::new(), |file| {
        format!(" or write its name into {}", file.display())
    });
    bail!(
        "no robot given; fix: --robot NAME or FILE; shipped robots: {}. To set a default, set {ROBOT}{file}",
        SHIPPED.join(", ")
    )
}

/// The file with the user's default robot.
fn file() -> Option<PathBuf> {
    Some(config_folder()?.join("robot"))
}
