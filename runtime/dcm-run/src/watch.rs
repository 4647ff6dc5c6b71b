//! `dcm-run watch`: values of a running robot, again and again.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use cycle::Span;
use serde_json::{Map, Value, json};

use crate::reach::{Near, page};
use crate::{Outcome, candidates, columns, words};

/// How often a page that is not written any more is looked at before the loop counts as gone.
const STILL: u32 = 20;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
    One line for each reading. A key is a name alone, or with .commanded, .limited, .sent, .acknowledged, \
    .coverage, .clips or .sensor; a board's name with .acks, .nacks, .age or .error; or one of turn, now, \
    elapsed, work, power, events.")]
pub(crate) struct Args {
    /// What to read.
    #[arg(value_name = "KEY", required = true, add = ArgValueCandidates::new(candidates::keys))]
    keys: Vec<String>,
    /// The time from one line to the next.
    #[arg(long, value_name = "TIME", value_parser = words::span, default_value = "100ms")]
    every: Span,
    /// Stop after so many lines.
    #[arg(long, value_name = "LINES")]
    count: Option<u64>,
    /// Values divided by commas, with a first line of names.
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    near: Near,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let (mut caller, page) = page(&args.near)?;
    let mut found = columns::find(&page, None, "now")?;
    for key in &args.keys {
        found.extend(columns::find(&page, Some(&mut caller), key)?);
    }
    let mut out = anstream::stdout().lock();
    if !json {
        let titles: Vec<_> = found.iter().map(|it| format!("{:>12}", it.title)).collect();
        let line = if args.csv {
            found
                .iter()
                .map(|it| it.title.as_str())
                .collect::<Vec<_>>()
                .join(",")
        } else {
            words::paint(words::BOLD, titles.join("  "))
        };
        writeln!(out, "{line}")?;
    }
    let (mut lines, mut last, mut still) = (0, 0, 0);
    while args.count.is_none_or(|it| lines < it) {
        let read = page.read(|frame| {
            (
                frame.turn(),
                found.iter().map(|it| it.read(&frame)).collect::<Vec<_>>(),
            )
        });
        match read {
            Some((turn, values)) if turn != last => {
                (last, still) = (turn, 0);
                lines += 1;
                if json {
                    let row: Map<_, _> = found
                        .iter()
                        .zip(&values)
                        .map(|(it, value)| (it.title.clone(), json!(value)))
                        .collect();
                    writeln!(out, "{}", Value::Object(row))?;
                } else if args.csv {
                    let row: Vec<_> = values.iter().map(f64::to_string).collect();
                    writeln!(out, "{}", row.join(","))?;
                } else {
                    let row: Vec<_> = found
                        .iter()
                        .zip(&values)
                        .map(|(it, value)| {
                            format!("{:>1$}", words::figure(*value), it.title.len().max(12))
                        })
                        .collect();
                    writeln!(out, "{}", row.join("  "))?;
                }
            }
            _ if page.is_closed() => return Ok(Outcome::Done),
            _ => still += 1,
        }
        if still > STILL {
            bail!(
                "the loop has made no turn for a while; it may have been killed: look at `dcm-run blackbox`"
            );
        }
        std::thread::sleep(Duration::from_nanos(args.every.nanos()));
    }
    Ok(Outcome::Done)
}
