//! Prints values of keys turn by turn, for `watch` and `blackbox`: as columns, as CSV or as JSON.

use anyhow::Result;
use serde_json::{Map, json};

use crate::session::columns::KeyColumn;
use crate::text::output::{VerbOutcome, VerbOutput};
use crate::text::words;

pub(super) fn print_titles(columns: &[KeyColumn], csv: bool, output: VerbOutput) -> Result<()> {
    let titles = columns.iter().map(|column| column.title.as_str());
    output.note(match csv {
        true => titles.collect::<Vec<_>>().join(","),
        false => {
            let titles = titles.map(|title| format!("{title:>12}"));
            words::paint(words::BOLD, titles.collect::<Vec<_>>().join("  "))
        }
    })
}

/// Prints the values of a turn.
pub(super) fn print_row(
    columns: &[KeyColumn],
    values: &[f64],
    csv: bool,
    output: VerbOutput,
) -> Result<VerbOutcome> {
    let pairs = columns.iter().zip(values);
    let row: Map<_, _> = pairs
        .clone()
        .map(|(column, value)| (column.title.clone(), json!(value)))
        .collect();
    let text = if csv {
        values
            .iter()
            .map(f64::to_string)
            .collect::<Vec<_>>()
            .join(",")
    } else {
        let cells = pairs.map(|(column, value)| {
            format!("{:>1$}", column.text(*value), column.title.len().max(12))
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    output.print(row, text)
}
