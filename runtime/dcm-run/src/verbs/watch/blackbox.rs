//! `dcm-run blackbox`: prints the last turns of a loop from its page, even after the loop was killed.
//! A turn that was being written is left out.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use description::nearest;
use protocol::places::{Places, names};
use sensors::PageReader;
use serde_json::json;

use crate::session::columns::Catalog;
use crate::session::server;
use crate::text::errors::{self, RobotElsewhere};
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;
use crate::verbs::watch::rows::{print_row, print_titles};

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
    let path = Places::find(page).map(|value| value.page);
    if path.as_ref().is_ok_and(|path| path.exists()) {
        return Ok(path?);
    }
    if let Some(robot) = server::known(Some(page)) {
        let needs = "the page of its loop, in the memory of the robot's machine";
        return Err(RobotElsewhere { robot, needs }.into());
    }
    let path = path?;
    let near = nearest(page, names().iter().map(String::as_str))
        .map(|value| format!("did you mean `{value}`? Else "));
    bail!(
        "no loop named `{page}` has run on this machine: there is no {}; fix: {}name a loop, or the file of its page",
        path.display(),
        near.unwrap_or_default()
    )
}

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let path = file(&args.page)?;
    let page = PageReader::open(&path)?;
    let turns: Vec<_> = page.turns().collect();
    let turns = &turns[turns.len().saturating_sub(args.last)..];
    if args.keys.is_empty() {
        return summary(&page, turns, output);
    }
    let catalog = Catalog::of(&page, &[]);
    let mut found = [Catalog::turn("turn"), Catalog::turn("now")].concat();
    for key in &args.keys {
        found.extend(catalog.find(key, None)?);
    }
    print_titles(&found, args.csv, output)?;
    for turn in turns {
        let values = page.read_turn(*turn, |frame| {
            let values = found.iter().map(|column| column.read(&frame));
            values.collect::<Vec<_>>()
        });
        if let Some(values) = values {
            print_row(&found, &values, args.csv, output)?;
        }
    }
    Ok(VerbOutcome::Done)
}

fn summary(page: &PageReader, turns: &[u64], output: VerbOutput) -> Result<VerbOutcome> {
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
    let work = whole.iter().map(|row| row.3).max().unwrap_or_default();
    let late = whole
        .iter()
        .filter(|row| row.4.nanos() * 2 > page.period().nanos() * 3)
        .count();
    let ending = if page.is_closed() {
        "closed normally"
    } else {
        "not closed: the loop is running, or was killed"
    };
    let value = json!({
        "run": page.run(), "process": page.writer(), "closed": page.is_closed(), "last_turn": turn,
        "now_ns": now.nanos(), "state": state, "turns": whole.len(), "torn": turns.len() - whole.len(),
        "late": late, "longest_work_ns": work.nanos(), "utc_at_zero_ns": page.utc_at_zero(),
    });
    let text = format!(
        "written by process {}, run {}; {ending}\n\
         last turn {} at {:.3} s, {state}\n\
         {} complete turns of the last {}, over {}; {late} late; longest turn duration {}",
        page.writer(),
        page.run(),
        words::count(*turn),
        now.nanos() as f64 / 1e9,
        whole.len(),
        turns.len(),
        words::time(*now - *first),
        words::time(work)
    );
    output.print(value, text)
}
