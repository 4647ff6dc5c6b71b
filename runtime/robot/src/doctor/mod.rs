//! Examines the machine: its real-time abilities, its devices, and what to change.
//! Called by `dcm-run doctor`. `system` reads the kernel's files below any root, so that tests can use made-up
//! machines; `process` tries what this process may do; `wires` opens a robot's boards.
//! A finding that is not good has a fix. Nothing on the machine is changed.

mod process;
mod system;
mod wires;

use std::path::Path;

use description::Robot;

/// The grade of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// No problem.
    Good,
    /// A loop runs, but with worse timing or fewer functions.
    Warning,
    /// Something does not work.
    Bad,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The area that was examined.
    pub area: &'static str,
    /// Its grade.
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

/// Examines this machine.
pub fn examine() -> Vec<Finding> {
    let mut findings = system::examine(Path::new("/"));
    findings.extend(process::examine());
    findings
}

/// Examines the boards of this robot.
pub fn examine_boards(robot: &Robot) -> Vec<Finding> {
    wires::examine(robot)
}

/// Examines the kernel's files below `root`.
pub fn examine_system(root: &Path) -> Vec<Finding> {
    system::examine(root)
}
