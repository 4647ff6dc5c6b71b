//! `dcm-run get`: prints values of a running robot once. The law: a single value is printed alone, for scripts.

use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use drivers::faults::error_name;
use serde_json::{Map, Value, json};

use crate::session::readings::Readings;
use crate::session::robot_args::RobotArgs;
use crate::text::output::{Output, VerbOutcome};
use crate::text::words;
use crate::verbs::candidates;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Without a key, prints the state of the loop and of its boards.")]
pub(crate) struct Args {
    /// The values: a name alone, or with .commanded, .limited, .sent, .acknowledged, .sensor; see `watch`.
    #[arg(value_name = "KEY", add = ArgValueCandidates::new(candidates::keys))]
    keys: Vec<String>,
    #[command(flatten)]
    which: RobotArgs,
}

pub(crate) fn run(args: &Args, output: Output) -> Result<VerbOutcome> {
    let mut readings = Readings::open(&args.which)?;
    let mut out = anstream::stdout().lock();
    if args.keys.is_empty() {
        writeln!(out, "{}", state(&readings, output)?)?;
        return Ok(VerbOutcome::Done);
    }
    let found = readings.find(&args.keys)?;
    let values =
        readings.look_once(|turn| found.iter().map(|it| it.read(turn)).collect::<Vec<_>>())?;
    if output.json {
        let object: Map<_, _> = found
            .iter()
            .zip(&values)
            .map(|(it, value)| (it.title.clone(), json!(value)))
            .collect();
        writeln!(out, "{}", Value::Object(object))?;
        return Ok(VerbOutcome::Done);
    }
    // A single value is what a script reads.
    if let ([_], [value]) = (found.as_slice(), values.as_slice()) {
        writeln!(out, "{value}")?;
        return Ok(VerbOutcome::Done);
    }
    let width = found.iter().map(|it| it.title.len()).max().unwrap_or(0);
    for (column, value) in found.iter().zip(&values) {
        let unit = words::paint(words::FAINT, &column.unit);
        writeln!(
            out,
            "{:<width$}  {:>12} {unit}",
            column.title,
            column.text(*value)
        )?;
    }
    Ok(VerbOutcome::Done)
}

fn state(readings: &Readings, output: Output) -> Result<String> {
    let boards = &readings.catalog.boards;
    let (turn, now, state, power, work, links) = readings.look_once(|turn| {
        let links: Vec<_> = (0..boards.len()).filter_map(|it| turn.board(it)).collect();
        (
            turn.turn(),
            turn.now(),
            turn.state(),
            turn.power(),
            turn.work(),
            links,
        )
    })?;
    let name = state.map_or("unknown", cycle::State::name);
    if output.json {
        let boards = boards.iter().zip(&links).map(|(name, [acks, nacks, age, error])| {
            let why = error_name(u16::try_from(*error).unwrap_or(u16::MAX));
            json!({ "name": name, "acks": acks, "nacks": nacks, "age": age, "error": error, "why": why })
        });
        let told = json!({
            "turn": turn, "now_ns": now.nanos(), "state": name, "power": power, "work_ns": work.nanos(),
            "period_ns": readings.period().nanos(), "boards": boards.collect::<Vec<_>>(),
        });
        return Ok(told.to_string());
    }
    let style = state.map_or(words::BAD, words::style_of);
    let mut text = format!(
        "{}  turn {}  power {power:.2}  turn duration {}",
        words::paint(style, name),
        words::count(turn),
        words::time(work),
    );
    for (name, [acks, nacks, age, error]) in boards.iter().zip(&links) {
        let health = match age {
            0 => words::paint(words::GOOD, "answers"),
            age => words::paint(
                words::BAD,
                format!("silent for {}", words::counted(*age, "turn")),
            ),
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
