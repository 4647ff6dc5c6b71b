//! `dcm-run blackbox`: prints the last turns of a loop from its page, even after the loop was killed.
//! The law: a turn that was being written is left out.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use description::nearest;
use protocol::places::{Places, names};
use sensors::PageReader;
use serde_json::{Map, Value, json};

use crate::session::columns::Catalog;
use crate::session::server;
use crate::text::errors::{self, RobotElsewhere};
use crate::text::output::{Output, VerbOutcome};
use crate::text::words;

#[derive(Debug, ClapArgs)]
#[command(after_help = "The page outlives its loop, until another loop of the same name starts.")]
pub(crate) struct Args {
    /// The file of a page, or the name of a loop.
    page: String,
    /// The values to print of each turn, as for `watch`; default: a summary.
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    /// Print this many of the last turns.
    #[arg(long, value_name = "TURNS", default_value = "1024")]
    last: usize,
    /// Print CSV with a header line.
    #[arg(long)]
    csv: bool,
}

/// The file that a name or a path means. A loop that is gone has left its page.
pub(crate) fn file(page: &str) -> Result<PathBuf> {
    if page.contains('/') || page.ends_with(".page") {
        let path = PathBuf::from(page);
        errors::size(&path)?;
        return Ok(path);
    }
    let path = Places::find(page).map(|it| it.page);
    if path.as_ref().is_ok_and(|it| it.exists()) {
        return Ok(path?);
    }
    if let Some(robot) = server::known(Some(page)) {
        let needs = "the page of its loop, in the memory of the robot's machine";
        return Err(RobotElsewhere { robot, needs }.into());
    }
    let path = path?;
    let near = nearest(page, names().iter().map(String::as_str))
        .map(|it| format!("did you mean `{it}`? Else "));
    bail!(
        "no loop named `{page}` has run on this machine: there is no {}; fix: {}name a loop, or the file of its page",
        path.display(),
        near.unwrap_or_default()
    )
}

pub(crate) fn run(args: &Args, output: Output) -> Result<VerbOutcome> {
    let path = file(&args.page)?;
    let page = PageReader::open(&path)?;
    let mut out = anstream::stdout().lock();
    let turns: Vec<_> = page.turns().collect();
    let turns = &turns[turns.len().saturating_sub(args.last)..];
    if args.keys.is_empty() {
        return summary(&page, turns, output, &mut out);
    }
    let catalog = Catalog::of(&page, &[]);
    let mut found = [Catalog::turn("turn"), Catalog::turn("now")].concat();
    for key in &args.keys {
        found.extend(catalog.find(key, None)?);
    }
    if !output.json {
        let divider = if args.csv { "," } else { "  " };
        let titles: Vec<_> = found
            .iter()
            .map(|it| {
                if args.csv {
                    it.title.clone()
                } else {
                    format!("{:>12}", it.title)
                }
            })
            .collect();
        writeln!(out, "{}", titles.join(divider))?;
    }
    for turn in turns {
        let Some(values) = page.read_turn(*turn, |frame| {
            found.iter().map(|it| it.read(&frame)).collect::<Vec<_>>()
        }) else {
            continue;
        };
        if output.json {
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
                .map(|(it, value)| format!("{:>1$}", it.text(*value), it.title.len().max(12)))
                .collect();
            writeln!(out, "{}", row.join("  "))?;
        }
    }
    Ok(VerbOutcome::Done)
}

fn summary(
    page: &PageReader,
    turns: &[u64],
    output: Output,
    out: &mut impl Write,
) -> Result<VerbOutcome> {
    let whole = turns.iter().filter_map(|turn| {
        page.read_turn(*turn, |frame| {
            (
                frame.turn(),
                frame.now(),
                frame.state(),
                frame.work(),
                frame.elapsed(),
            )
        })
    });
    let whole: Vec<_> = whole.collect();
    let ((_, first, ..), (turn, now, state, ..)) = whole
        .first()
        .zip(whole.last())
        .context("the page contains no complete turn; fix: wait until its loop has made one")?;
    let state = state.map_or("unknown", cycle::State::name);
    let work = whole.iter().map(|it| it.3).max().unwrap_or_default();
    let late = whole
        .iter()
        .filter(|it| it.4.nanos() * 2 > page.period().nanos() * 3)
        .count();
    let ending = if page.is_closed() {
        "closed normally"
    } else {
        "not closed: the loop is running, or was killed"
    };
    if output.json {
        let told = json!({
            "run": page.run(), "process": page.writer(), "closed": page.is_closed(), "last_turn": turn,
            "now_ns": now.nanos(), "state": state, "turns": whole.len(), "torn": turns.len() - whole.len(),
            "late": late, "longest_work_ns": work.nanos(), "utc_at_zero_ns": page.utc_at_zero(),
        });
        writeln!(out, "{told}")?;
        return Ok(VerbOutcome::Done);
    }
    writeln!(
        out,
        "written by process {}, run {}; {ending}",
        page.writer(),
        page.run()
    )?;
    writeln!(
        out,
        "last turn {} at {:.3} s, {state}",
        words::count(*turn),
        now.nanos() as f64 / 1e9
    )?;
    writeln!(
        out,
        "{} complete turns of the last {}, over {}; {late} late; longest turn duration {}",
        whole.len(),
        turns.len(),
        words::time(*now - *first),
        words::time(work)
    )?;
    Ok(VerbOutcome::Done)
}
