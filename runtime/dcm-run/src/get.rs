//! `dcm-run get`: values of a running robot, once.

use std::io::Write;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use drivers::faults::error_name;
use sensors::PageReader;
use serde_json::{Map, Value, json};

use crate::reach::{Near, page};
use crate::{Outcome, candidates, columns, words};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Without a key, the state of the loop and of its boards.")]
pub(crate) struct Args {
    /// What to read: a name alone, or with .commanded, .limited, .sent, .acknowledged, .sensor; see `watch`.
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(candidates::keys))]
    keys: Vec<String>,
    #[command(flatten)]
    near: Near,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<Outcome> {
    let (mut caller, page) = page(&args.near)?;
    let mut out = anstream::stdout().lock();
    if args.keys.is_empty() {
        let boards = caller.here.boards.clone();
        writeln!(out, "{}", state(&page, &boards, json)?)?;
        return Ok(Outcome::Done);
    }
    let mut found = Vec::new();
    for key in &args.keys {
        found.extend(columns::find(&page, Some(&mut caller), key)?);
    }
    let values = page.read(|frame| found.iter().map(|it| it.read(&frame)).collect::<Vec<_>>());
    let values = values.context("the loop has made no turn yet")?;
    if json {
        let object: Map<_, _> = found
            .iter()
            .zip(&values)
            .map(|(it, value)| (it.title.clone(), json!(value)))
            .collect();
        writeln!(out, "{}", Value::Object(object))?;
        return Ok(Outcome::Done);
    }
    // One value alone is what a script wants to read.
    if let ([_], [value]) = (found.as_slice(), values.as_slice()) {
        writeln!(out, "{value}")?;
        return Ok(Outcome::Done);
    }
    let width = found.iter().map(|it| it.title.len()).max().unwrap_or(0);
    for (column, value) in found.iter().zip(&values) {
        let unit = words::paint(words::FAINT, &column.unit);
        writeln!(
            out,
            "{:<width$}  {:>12} {unit}",
            column.title,
            words::figure(*value)
        )?;
    }
    Ok(Outcome::Done)
}

fn state(page: &PageReader, boards: &[String], json: bool) -> Result<String> {
    let read = page.read(|frame| {
        let links: Vec<_> = (0..boards.len()).filter_map(|it| frame.board(it)).collect();
        (
            frame.turn(),
            frame.now(),
            frame.state(),
            frame.power(),
            frame.work(),
            links,
        )
    });
    let (turn, now, state, power, work, links) = read.context("the loop has made no turn yet")?;
    let name = state.map_or("unknown", cycle::State::name);
    if json {
        let boards = boards.iter().zip(&links).map(|(name, [acks, nacks, age, error])| {
            let why = error_name(u16::try_from(*error).unwrap_or(u16::MAX));
            json!({ "name": name, "acks": acks, "nacks": nacks, "age": age, "error": error, "why": why })
        });
        let told = json!({
            "turn": turn, "now_ns": now.nanos(), "state": name, "power": power, "work_ns": work.nanos(),
            "period_ns": page.period().nanos(), "boards": boards.collect::<Vec<_>>(),
        });
        return Ok(told.to_string());
    }
    let style = state.map_or(words::BAD, words::style_of);
    let mut text = format!(
        "{}  turn {}  power {power:.2}  a turn works {}",
        words::paint(style, name),
        words::count(turn),
        words::time(work),
    );
    for (name, [acks, nacks, age, error]) in boards.iter().zip(&links) {
        let health = match age {
            0 => words::paint(words::GOOD, "answers"),
            age => words::paint(words::BAD, format!("silent for {age} turns")),
        };
        let why = match u16::try_from(*error) {
            Ok(1..) => format!("  ({})", error_name(*error as u16)),
            _ => String::new(),
        };
        text += &format!(
            "\n  {name:<20} {health}  {} answered, {} not{why}",
            words::count(*acks),
            words::count(*nacks)
        );
    }
    Ok(text)
}
