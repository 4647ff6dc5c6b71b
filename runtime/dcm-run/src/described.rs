//! RobotArgs robot's description a verb means: what is said, what the environment says, or what the user has written down.
//! Used by `run`, `play`, `check` and `serve`. The law: who has said nothing is told what there is to say.

use std::path::PathBuf;

use anyhow::{Result, bail};
use robot::config::{SHIPPED, config_folder};

/// The variable that names a robot for whoever does not say one.
pub(crate) const ROBOT: &str = "DCM_RUN_ROBOT";

/// The robot that is meant.
pub(crate) fn described(said: Option<&str>) -> Result<String> {
    if let Some(robot) = said.filter(|it| !it.is_empty()) {
        return Ok(robot.to_owned());
    }
    let file = file();
    let written = file
        .as_ref()
        .and_then(|it| std::fs::read_to_string(it).ok());
    if let Some(robot) = written
        .as_deref()
        .map(str::trim)
        .filter(|it| !it.is_empty())
    {
        return Ok(robot.to_owned());
    }
    let file = file.map_or(String::new(), |it| {
        format!(", or write its name into {}", it.display())
    });
    bail!(
        "which robot? fix: --robot NAME or FILE; shipped are {}. To say it once and for all, set {ROBOT}{file}",
        SHIPPED.join(", ")
    )
}

/// Where a user writes down the usual robot.
fn file() -> Option<PathBuf> {
    Some(config_folder()?.join("robot"))
}
