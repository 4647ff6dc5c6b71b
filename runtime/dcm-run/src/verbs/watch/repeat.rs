//! `dcm-run watch`: prints values of a running robot repeatedly. A turn is printed at most once.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;

use crate::session::columns::Catalog;
use crate::session::readings::Readings;
use crate::session::robot_args::RobotArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::candidates;
use crate::verbs::watch::rows::{print_row, print_titles};

/// Readings without a new turn after which the loop counts as dead, and the least time of it.
const STILL: u32 = 20;
const STILL_MIN: Duration = Duration::from_secs(1);

/// The shortest interval between two readings.
const INTERVAL_MIN: Duration = Duration::from_millis(1);

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    Prints one line per reading. A key is a name alone, or with .commanded, .limited, .sent, .acknowledged, \
    .coverage, .clips or .sensor (the measured value); a board's name with .acks, .nacks, .age or .error; or one of \
    turn, now, elapsed, work, power, events.")]
pub(crate) struct Args {
    /// The values to read.
    #[arg(value_name = "KEY", required = true, add = ArgValueCandidates::new(candidates::keys))]
    keys: Vec<String>,
    /// The interval between two lines; 0 for every turn.
    #[arg(long, value_name = "TIME", value_parser = words::span, default_value = "100ms")]
    every: Span,
    /// Stop after this many lines.
    #[arg(long, value_name = "LINES")]
    count: Option<u64>,
    /// Print CSV with a header line.
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    which: RobotArgs,
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut readings = Readings::open(&args.which)?;
    let mut found = Catalog::turn("now");
    found.extend(readings.find(&args.keys)?);
    print_titles(&found, args.csv, output)?;
    let interval = Duration::from_nanos(args.every.nanos()).max(INTERVAL_MIN);
    let timeout = (interval * STILL).max(STILL_MIN);
    let (mut lines, mut last, mut moved) = (0, 0, Instant::now());
    while args.count.is_none_or(|count| lines < count) {
        let read = readings.look(|turn| {
            let values: Vec<_> = found.iter().map(|item| item.read(turn)).collect();
            (turn.turn(), values)
        })?;
        match read {
            Some((turn, values)) if turn != last => {
                (last, moved) = (turn, Instant::now());
                lines += 1;
                print_row(&found, &values, args.csv, output)?;
            }
            _ if readings.is_closed() => return Ok(VerbOutcome::Done),
            _ => {}
        }
        if moved.elapsed() > timeout {
            bail!("the loop makes no turns; it may have been killed; fix: see `dcm-run blackbox`");
        }
        std::thread::sleep(interval);
    }
    Ok(VerbOutcome::Done)
}
