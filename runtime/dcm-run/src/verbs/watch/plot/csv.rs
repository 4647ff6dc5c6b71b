//! Reads CSV with a header line, as `watch --csv` and `blackbox --csv` print it. A name may end with its unit in
//! brackets, such as `Elbow.sent [rad]`. Called by `plot`. An empty field, `NaN` and `inf` are gaps; any other
//! field that is not a number, and a line with too few or too many fields, is refused with its line number.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use description::no_such;
use pictures::{Chart, SECONDS, Series};

use super::{check_count, name_of};
use crate::text::errors;

/// The most lines that are read.
const LINES_MAX: usize = 1_000_000;

/// The longest line, bytes.
const LINE_MAX: u64 = 1 << 20;

/// The columns that hold the time.
const CLOCKS: [(&str, &str); 2] = [("now", SECONDS), ("turn", "turn")];

/// Reads `file`; without keys, every column except the time. `over` names another column instead of the time.
pub(super) fn read(
    file: &Path,
    keys: &[String],
    over: Option<&str>,
    last: Option<usize>,
) -> Result<Chart> {
    let is_standard = file == Path::new("-");
    let name = if is_standard {
        "standard input".to_owned()
    } else {
        name_of(file)
    };
    let shown = if is_standard {
        name.clone()
    } else {
        file.display().to_string()
    };
    let reading = || format!("reading {shown}");
    let input: Box<dyn Read> = if is_standard {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(errors::open(file)?)
    };
    read_from(BufReader::new(input), name, keys, over, last).with_context(reading)
}

fn read_from(
    mut input: impl BufRead,
    name: String,
    keys: &[String],
    over: Option<&str>,
    last: Option<usize>,
) -> Result<Chart> {
    let mut line = String::new();
    if next(&mut input, &mut line)? == 0 {
        bail!("the file is empty; fix: its first line must contain the names");
    }
    let titles: Vec<_> = fields(line.trim_start_matches('\u{feff}'))
        .map(titled)
        .collect();
    let columns = columns(&titles, keys, over)?;
    let blank = |i: &usize| Series {
        title: titles[*i].0.clone(),
        unit: titles[*i].1.clone(),
        values: Vec::new(),
    };
    let mut chart = Chart {
        name,
        clock: columns.label,
        lines: columns.drawn.iter().map(blank).collect(),
        ..Chart::default()
    };
    let mut number = 1;
    while next(&mut input, &mut line)? > 0 {
        number += 1;
        if line.trim().is_empty() {
            continue;
        }
        let row: Vec<_> = fields(&line).collect();
        if row.len() != titles.len() {
            let (found, wanted) = (row.len(), titles.len());
            bail!(
                "line {number} has {found} fields, but the first line has {wanted} names; fix: a field for each name"
            );
        }
        let value = |place: &usize| {
            let name = &titles[*place].0;
            value(row[*place]).with_context(|| {
                format!(
                    "line {number}: `{}` is not a value of {name}; fix: write a number, or leave the field empty",
                    row[*place]
                )
            })
        };
        #[allow(clippy::cast_precision_loss, reason = "a million rows are exact")]
        let time = columns
            .over
            .as_ref()
            .map_or(Ok(chart.times.len() as f64), value)?;
        let values: Vec<f64> = columns.drawn.iter().map(value).collect::<Result<_>>()?;
        chart.push(time, &values);
        let kept = last.unwrap_or(usize::MAX);
        if chart.times.len() > LINES_MAX && kept > LINES_MAX {
            bail!("the file has more than {LINES_MAX} lines; fix: --last");
        }
        // Old lines are removed in batches, so that a line costs little.
        if chart.times.len() > kept.saturating_add(kept / 4 + 1024) {
            keep(&mut chart, kept);
        }
    }
    if chart.times.is_empty() {
        bail!("the file has names but no values; fix: write a line for each instant");
    }
    keep(&mut chart, last.unwrap_or(usize::MAX));
    chart.check()
}

/// Keeps only the last rows.
fn keep(chart: &mut Chart, rows: usize) {
    let gone = chart.times.len().saturating_sub(rows);
    chart.times.drain(..gone);
    for line in &mut chart.lines {
        line.values.drain(..gone);
    }
}

/// Reads a line and returns its length in bytes.
fn next(input: &mut impl BufRead, line: &mut String) -> Result<usize> {
    line.clear();
    let size = input.take(LINE_MAX).read_line(line)?;
    if size as u64 == LINE_MAX {
        bail!("a line is longer than {LINE_MAX} bytes; fix: name a file with fewer columns");
    }
    Ok(size)
}

fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split(',')
        .map(|part| part.trim().trim_matches('"').trim())
}

/// A title and its unit.
fn titled(field: &str) -> (String, String) {
    let both = field
        .strip_suffix(']')
        .and_then(|rest| rest.split_once('['));
    let (title, unit) = both.unwrap_or((field, ""));
    (title.trim().to_owned(), unit.trim().to_owned())
}

/// The columns of a picture.
struct Columns {
    drawn: Vec<usize>,
    /// The one over which they are drawn; without it, it is the number of the row.
    over: Option<usize>,
    /// The label of that axis.
    label: Cow<'static, str>,
}

/// The columns that the keys mean, over the one that is named, or over the time.
fn columns(titles: &[(String, String)], keys: &[String], over: Option<&str>) -> Result<Columns> {
    let find = |wanted: &str| titles.iter().position(|title| title.0 == wanted);
    let mut drawn = chosen(titles, keys)?;
    let (over, label) = match over {
        None => {
            let clock = CLOCKS
                .iter()
                .find_map(|clock| Some((find(clock.0)?, clock.1)));
            (
                clock.map(|clock| clock.0),
                clock.map_or("row", |clock| clock.1).into(),
            )
        }
        Some(name) => {
            let Some(place) = find(name) else {
                let names = titles.iter().map(|title| title.0.as_str());
                bail!(no_such("column", name, names));
            };
            if keys.is_empty() {
                drawn.retain(|item| *item != place);
            }
            let label = match &titles[place] {
                (title, unit) if unit.is_empty() => title.clone(),
                (title, unit) => format!("{title}, {unit}"),
            };
            (Some(place), label.into())
        }
    };
    check_count(drawn.len())?;
    Ok(Columns { drawn, over, label })
}

/// The columns that the keys mean: by title, or all columns of a name.
fn chosen(titles: &[(String, String)], keys: &[String]) -> Result<Vec<usize>> {
    let all = titles.iter().enumerate();
    if keys.is_empty() {
        let is_clock = |title: &str| CLOCKS.iter().any(|clock| clock.0 == title);
        let places: Vec<_> = all
            .filter(|pair| !is_clock(&pair.1.0))
            .map(|pair| pair.0)
            .collect();
        if places.is_empty() {
            bail!("the file has no column besides the time; fix: name a file with values");
        }
        return Ok(places);
    }
    let mut places = Vec::new();
    for key in keys {
        let is_of = |title: &str| title.rsplit_once('.').is_some_and(|pair| pair.0 == key);
        let exact = titles.iter().position(|title| title.0 == *key);
        let of_name = all
            .clone()
            .filter(|pair| exact.is_none() && is_of(&pair.1.0));
        let found: Vec<_> = exact
            .into_iter()
            .chain(of_name.map(|name| name.0))
            .collect();
        if found.is_empty() {
            bail!(no_such(
                "column",
                key,
                titles.iter().map(|title| title.0.as_str())
            ));
        }
        places.extend(found);
    }
    let mut seen = Vec::new();
    places.retain(|place| {
        let fresh = !seen.contains(place);
        seen.push(*place);
        fresh
    });
    Ok(places)
}

/// The value of a field, or NaN for one that is missing.
fn value(field: &str) -> Option<f64> {
    if field.is_empty() {
        Some(f64::NAN)
    } else {
        field.parse().ok()
    }
}
