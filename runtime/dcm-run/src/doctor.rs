//! `dcm-run doctor`: what this machine can do, and what to change.

use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use description::{RobotSource, load};
use robot::doctor::{Finding, Grade, examine, examine_boards};
use serde_json::json;

use crate::{Outcome, words};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Nothing is changed. Exit code 3 if something will not run.")]
pub(crate) struct Args {
    /// This robot's boards as well: a file, or the name of a shipped one.
    #[arg(long, short, value_name = "ROBOT")]
    robot: Option<String>,
    /// Only what is not good.
    #[arg(long)]
    bad: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let mut findings = examine();
    if let Some(robot) = &args.robot {
        findings.extend(examine_boards(&load(&RobotSource::of(robot))?));
    }
    let worst = findings
        .iter()
        .map(|it| it.grade)
        .max()
        .unwrap_or(Grade::Good);
    let mut out = anstream::stdout().lock();
    if !json {
        writeln!(out, "{}\n", words::paint(words::BOLD, verdict(&findings)))?;
    }
    for finding in &findings {
        if args.bad && finding.grade == Grade::Good {
            continue;
        }
        let (name, style) = match finding.grade {
            Grade::Good => ("good", words::GOOD),
            Grade::Odd => ("odd", words::ODD),
            Grade::Bad => ("bad", words::BAD),
        };
        if json {
            let told = json!({ "area": finding.area, "grade": name, "found": finding.found, "fix": finding.fix });
            writeln!(out, "{told}")?;
            continue;
        }
        let grade = words::paint(style, format!("{name:<4}"));
        writeln!(out, "{grade}  {:<13}  {}", finding.area, finding.found)?;
        if let Some(fix) = &finding.fix {
            writeln!(
                out,
                "      {:<13}  {}",
                "",
                words::paint(words::FAINT, format!("fix: {fix}"))
            )?;
        }
    }
    Ok(if worst == Grade::Bad {
        Outcome::Fails
    } else {
        Outcome::Done
    })
}

fn verdict(findings: &[Finding]) -> &'static str {
    let grade = |area: &str| {
        findings
            .iter()
            .filter(|it| it.area == area)
            .map(|it| it.grade)
            .max()
    };
    if findings.iter().any(|it| it.grade == Grade::Bad) {
        "something that a loop needs is missing on this machine"
    } else if grade("priority") != Some(Grade::Good) || grade("memory") != Some(Grade::Good) {
        "this machine can run a robot's loop, but not in real time as this user"
    } else if grade("kernel") != Some(Grade::Good) {
        "this machine can run a robot's loop, and it is late only when the kernel is busy"
    } else {
        "this machine can run a robot's loop in real time"
    }
}
