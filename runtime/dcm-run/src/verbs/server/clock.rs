//! `dcm-run clock`: the robot's clock, and the time by which tokens, signatures and keys expire.
//! That time never goes back unless an operator says so.

use anyhow::Result;
use clap::Args as ClapArgs;
use hyper::Method;
use protocol::robot::ClockReport;
use serde_json::json;

use super::date;
use crate::session::robot_args::RobotArgs;
use crate::session::server::reach;
use crate::text::output::{VerbOutcome, VerbOutput};

/// How far the two may be apart, s: what passes between a start and the next look.
const NEAR: u64 = 2;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Tokens, signatures and keys expire by a time that never goes back, so that nobody can use an expired one by \
    setting the clock. If the clock was once far in the future, that time stays there. When the clock is right again, \
    --correct sets the time to it; what has expired by the wrong time is valid again.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: RobotArgs,
    /// Set the time by which things expire to the machine's clock.
    #[arg(long)]
    correct: bool,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let (name, client) = reach(&args.which)?;
    let method = if args.correct {
        Method::PUT
    } else {
        Method::GET
    };
    let report: ClockReport = client.ask(method, "/api/v2/clock", None::<&()>)?;
    let clock = date(report.clock);
    let line = match report.time.saturating_sub(report.clock) {
        _ if args.correct => format!("the time of {name} is {clock} UTC now, as its clock shows"),
        0..=NEAR => format!("{name}: {clock} UTC"),
        _ => format!(
            "{name}: its clock shows {clock} UTC, and it has been {} before, by which tokens and signatures expire; \
             fix: if the clock is right now, `dcm-run clock --correct`",
            date(report.time)
        ),
    };
    output.print(json!(report), line)
}
