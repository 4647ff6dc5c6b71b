//! Reads the last turns of a loop's page. Called by `plot`. A turn that cannot be read leaves a gap.

use std::path::Path;

use anyhow::{Result, bail};
use pictures::{Chart, SECONDS, Series};
use protocol::Caller;
use sensors::{Label, PageReader};

use super::{check_count, name_of};
use crate::session::columns::{Catalog, KEYS, KeyColumn, Resolve};
use crate::verbs::watch::blackbox;

/// The last turns of a page.
pub(super) fn read(page: &str, keys: &[String], last: Option<usize>) -> Result<Chart> {
    let path = blackbox::file(page)?;
    let opened = PageReader::open(&path)?;
    if keys.is_empty() {
        bail!("no key to draw; fix: give at least one; a key is {KEYS}");
    }
    let found = columns_of(page, &opened, keys)?;
    let now = Catalog::turn("now");
    let turns: Vec<_> = opened.turns().collect();
    let from = turns.len().saturating_sub(last.unwrap_or(usize::MAX));
    let blank = |column: &KeyColumn| Series {
        title: column.title.clone(),
        unit: column.unit.clone(),
        values: Vec::new(),
    };
    let mut chart = Chart {
        name: name_of(Path::new(page)),
        clock: SECONDS.into(),
        lines: found.iter().map(blank).collect(),
        ..Chart::default()
    };
    for turn in &turns[from..] {
        let values = opened.read_turn(*turn, |frame| {
            let columns = now.iter().chain(&found);
            columns
                .map(|column| column.read(&frame))
                .collect::<Vec<_>>()
        });
        // A turn that is torn or gone leaves a gap.
        let values = values.unwrap_or_else(|| vec![f64::NAN; found.len() + 1]);
        chart.push(values[0], &values[1..]);
    }
    if chart.span().is_none() {
        bail!(
            "{} contains no complete turn; fix: wait until its loop has made one",
            path.display()
        );
    }
    chart.limits = limits(&opened.actuators(), &chart.lines);
    chart.check()
}

/// The columns that the keys name, each once.
fn columns_of(page: &str, opened: &PageReader, keys: &[String]) -> Result<Vec<KeyColumn>> {
    // A running loop knows more names than its page.
    let mut caller = Caller::reach(Some(page)).ok();
    let boards = caller
        .as_ref()
        .map_or(Vec::new(), |caller| caller.here.boards.clone());
    let catalog = Catalog::of(opened, &boards);
    let mut found: Vec<KeyColumn> = Vec::new();
    for key in keys {
        let resolve = caller.as_mut().map(|caller| caller as &mut dyn Resolve);
        for column in catalog.find(key, resolve)? {
            if found.iter().all(|item| item.title != column.title) {
                found.push(column);
            }
        }
    }
    check_count(found.len())?;
    Ok(found)
}

/// The limits, if all lines that are of an actuator are of the same one.
fn limits(labels: &[Label], lines: &[Series]) -> Option<(String, f64, f64)> {
    let names = lines
        .iter()
        .filter_map(|line| Some(line.title.rsplit_once('.')?.0));
    let mut actuators = names.filter_map(|name| labels.iter().find(|label| label.name == name));
    let first = actuators.next()?;
    let (low, high) = first.range;
    let alone = actuators.all(|actuator| actuator.name == first.name);
    let finite = low.is_finite() && high.is_finite() && low < high;
    (alone && finite).then(|| (first.unit.clone(), low, high))
}
