//! Examines the machine: what it can do in real time, what it has, and what to change.
//! Called by `dcm-run doctor`. `system` reads what the kernel tells of itself, from any root, so that
//! it is tried with machines that are not there; `process` tries what this process may do,
//! `wires` whether a robot's boards can be had.
//! The law: a finding names what was found; one that is not good names its fix. Nothing is changed.

mod process;
mod system;
mod wires;

use std::path::Path;

use description::Robot;

/// How good something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// As it should be.
    Good,
    /// It runs, but not as well as it could.
    Warning,
    /// Something will not run.
    Bad,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at.
    pub area: &'static str,
    /// How good it is.
    pub grade: Grade,
    /// What was found.
    pub found: String,
    /// What to do about it.
    pub fix: Option<String>,
}

impl Finding {
    fn good(area: &'static str, found: impl Into<String>) -> Finding {
        Finding {
            area,
            grade: Grade::Good,
            found: found.into(),
            fix: None,
        }
    }

    fn warning(area: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Finding {
        Finding {
            grade: Grade::Warning,
            fix: Some(fix.into()),
            ..Finding::good(area, found)
        }
    }

    fn bad(area: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Finding {
        Finding {
            grade: Grade::Bad,
            ..Finding::warning(area, found, fix)
        }
    }
}

/// Everything that can be found on this machine.
pub fn examine() -> Vec<Finding> {
    let mut findings = system::examine(Path::new("/"));
    findings.extend(process::examine());
    findings
}

/// Everything that can be found of this robot's boards.
pub fn examine_boards(robot: &Robot) -> Vec<Finding> {
    wires::examine(robot)
}

/// What the kernel below `root` tells of itself.
pub fn examine_system(root: &Path) -> Vec<Finding> {
    system::examine(root)
}
