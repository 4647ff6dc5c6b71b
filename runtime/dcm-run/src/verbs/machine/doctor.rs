//! `dcm-run doctor`: examines whether this machine can run a loop in real time, and prints what to change.
//! The law: it changes nothing.

use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use description::{RobotSource, load};
use robot::doctor::{Finding, Grade, examine, examine_boards};
use serde_json::json;

use crate::text::output::{Output, VerbOutcome};
use crate::text::words;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Changes nothing. Exits with 3 if a loop cannot run.")]
pub(crate) struct Args {
    /// Examine the boards of this robot as well: a file, or a shipped robot.
    #[arg(long, short, value_name = "ROBOT")]
    robot: Option<String>,
    /// Print only problems.
    #[arg(long)]
    bad: bool,
}

pub(crate) fn run(args: &Args, output: Output) -> Result<VerbOutcome> {
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
    if !output.json {
        writeln!(out, "{}\n", words::paint(words::BOLD, verdict(&findings)))?;
    }
    for finding in &findings {
        if args.bad && finding.grade == Grade::Good {
            continue;
        }
        let (name, style) = match finding.grade {
            Grade::Good => ("good", words::GOOD),
            Grade::Warning => ("warn", words::ODD),
            Grade::Bad => ("bad", words::BAD),
        };
        if output.json {
            // A value of JSON does not change.
            let grade = if finding.grade == Grade::Warning {
                "odd"
            } else {
                name
            };
            let told = json!({ "area": finding.area, "grade": grade, "found": finding.found, "fix": finding.fix });
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
        VerbOutcome::Fails
    } else {
        VerbOutcome::Done
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
        "this machine lacks something that a loop needs"
    } else if grade("priority") != Some(Grade::Good) || grade("memory") != Some(Grade::Good) {
        "this machine can run a robot's loop, but not in real time as this user"
    } else if grade("kernel") != Some(Grade::Good) {
        "this machine can run a robot's loop; turns are late only when the kernel is busy"
    } else {
        "this machine can run a robot's loop in real time"
    }
}
