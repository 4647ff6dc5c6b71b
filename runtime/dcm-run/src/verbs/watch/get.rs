//! `dcm-run get`: prints values of a running robot once. A single value is printed alone, for scripts.

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::engine::ArgValueCandidates;
use drivers::faults::error_name;
use serde_json::{Map, json};

use crate::session::readings::Readings;
use crate::session::robot_args::RobotArgs;
use crate::text::output::{VerbOutcome, VerbOutput};
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

pub(crate) fn run(args: &Args, output: VerbOutput) -> Result<VerbOutcome> {
    let mut readings = Readings::open(&args.which)?;
    if args.keys.is_empty() {
        return print_state(&readings, output);
    }
    let found = readings.find(&args.keys)?;
    let values = readings.read_once(|turn| {
        let values = found.iter().map(|column| column.read(turn));
        values.collect::<Vec<_>>()
    })?;
    let width = found.iter().map(|column| column.title.len()).max();
    let width = width.unwrap_or(0);
    let pairs = found.iter().zip(&values);
    let lines: Vec<_> = match values.as_slice() {
        // A single value is what a script reads.
        [value] => vec![value.to_string()],
        _ => pairs
            .clone()
            .map(|(column, value)| {
                let unit = words::paint(words::FAINT, &column.unit);
                format!(
                    "{:<width$}  {:>12} {unit}",
                    column.title,
                    column.text(*value)
                )
            })
            .collect(),
    };
    let object: Map<_, _> = pairs
        .map(|(column, value)| (column.title.clone(), json!(value)))
        .collect();
    output.print(object, lines.join("\n"))
}

fn print_state(readings: &Readings, output: VerbOutput) -> Result<VerbOutcome> {
    let boards = &readings.catalog.boards;
    let (turn, now, state, power, work, links) = readings.read_once(|turn| {
        let links: Vec<_> = (0..boards.len()).filter_map(|i| turn.board(i)).collect();
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
    let value = {
        let boards = boards.iter().zip(&links).map(|(name, [acks, nacks, age, error])| {
            let why = error_name(u16::try_from(*error).unwrap_or(u16::MAX));
            json!({ "name": name, "acks": acks, "nacks": nacks, "age": age, "error": error, "why": why })
        });
        json!({
            "turn": turn, "now_ns": now.nanos(), "state": name, "power": power, "work_ns": work.nanos(),
            "period_ns": readings.period().nanos(), "boards": boards.collect::<Vec<_>>(),
        })
    };
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
    output.print(value, text)
}
