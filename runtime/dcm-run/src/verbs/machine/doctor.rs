//! `dcm-run doctor`: examines whether this machine can run a loop in real time, and prints what to change.
//! It changes nothing.

use anyhow::Result;
use clap::Args as ClapArgs;
use description::{RobotSource, load};
use robot::doctor::{Finding, Grade, examine, examine_boards};
use serde_json::json;

use crate::text::output::{VerbOutcome, VerbOutput};
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

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut findings = examine();
    if let Some(robot) = &args.robot {
        findings.extend(examine_boards(&load(&RobotSource::of(robot))?));
    }
    let worst = findings
        .iter()
        .map(|finding| finding.grade)
        .max()
        .unwrap_or(Grade::Good);
    output.note(format!(
        "{}\n",
        words::paint(words::BOLD, verdict(&findings))
    ))?;
    for finding in &findings {
        let Finding {
            area,
            grade,
            found,
            fix,
        } = finding;
        // The word in JSON for a warning does not change.
        let (name, word, style) = match grade {
            Grade::Good if args.bad => continue,
            Grade::Good => ("good", "good", words::GOOD),
            Grade::Warning => ("warn", "odd", words::ODD),
            Grade::Bad => ("bad", "bad", words::BAD),
        };
        let mut text =
            words::paint(style, format!("{name:<4}")) + &format!("  {area:<13}  {found}");
        if let Some(fix) = fix {
            let fix = words::paint(words::FAINT, format!("fix: {fix}"));
            text += &format!("\n      {:<13}  {fix}", "");
        }
        output.print(
            json!({ "area": area, "grade": word, "found": found, "fix": fix }),
            text,
        )?;
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
            .filter(|finding| finding.area == area)
            .map(|finding| finding.grade)
            .max()
    };
    if findings.iter().any(|finding| finding.grade == Grade::Bad) {
        "this machine lacks something that a loop needs"
    } else if grade("priority") != Some(Grade::Good) || grade("memory") != Some(Grade::Good) {
        "this machine can run a robot's loop, but not in real time as this user"
    } else if grade("kernel") != Some(Grade::Good) {
        "this machine can run a robot's loop; turns are late only when the kernel is busy"
    } else {
        "this machine can run a robot's loop in real time"
    }
}
