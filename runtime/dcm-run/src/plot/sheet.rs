//! What a picture is drawn from: instants, and for each key its values. From a page, turn by turn.
//! Filled here or by `csv`; drawn by `svg`. The law: every line has a value for every instant, and
//! NaN where there is none.

use std::path::Path;

use anyhow::{Result, bail};
use sensors::{Label, PageReader};
use socket::Caller;

use super::KEYS_MAX;
use crate::{blackbox, columns};

/// Values beyond this are no values of a robot, and would leave no room for others.
const VALUE_MAX: f64 = 1e15;

/// What a picture is drawn from.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    /// The name of the loop or the file.
    pub(crate) name: String,
    /// What `times` count, for the axis.
    pub(crate) clock: &'static str,
    pub(crate) times: Vec<f64>,
    pub(crate) lines: Vec<Line>,
    /// The limits of the only actuator, in the panel of its unit.
    pub(crate) limits: Option<(String, f64, f64)>,
    /// What is marked.
    pub(crate) marks: Vec<Mark>,
}

/// The values of one key.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) title: String,
    pub(crate) unit: String,
    pub(crate) values: Vec<f64>,
}

/// A stretch of time that is marked through all panels.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// What a pointer shows there.
    pub(crate) why: String,
}

/// The axis of a loop's time.
pub(crate) const SECONDS: &str = "time, s";

impl Sheet {
    /// The last turns of a page.
    pub(super) fn of_page(page: &str, keys: &[String], last: Option<usize>) -> Result<Sheet> {
        let path = blackbox::file(page)?;
        let opened = PageReader::open(&path)?;
        if keys.is_empty() {
            bail!("say which keys to draw; a key is {}", columns::KEYS);
        }
        // A loop that runs knows more names than its page.
        let mut caller = Caller::reach(Some(page)).ok();
        let mut found: Vec<columns::Column> = Vec::new();
        for key in keys {
            for column in columns::find(&opened, caller.as_mut(), key)? {
                if found.iter().all(|it| it.title != column.title) {
                    found.push(column);
                }
            }
        }
        check_count(found.len())?;
        let now = columns::find(&opened, None, "now")?;
        let turns: Vec<_> = opened.turns().collect();
        let from = turns.len().saturating_sub(last.unwrap_or(usize::MAX));
        let blank = |it: &columns::Column| Line {
            title: it.title.clone(),
            unit: it.unit.clone(),
            values: Vec::new(),
        };
        let mut sheet = Sheet {
            name: name_of(Path::new(page)),
            clock: SECONDS,
            lines: found.iter().map(blank).collect(),
            ..Sheet::default()
        };
        for turn in &turns[from..] {
            let values = opened.read_turn(*turn, |frame| {
                let columns = now.iter().chain(&found);
                columns.map(|it| it.read(&frame)).collect::<Vec<_>>()
            });
            // A turn that is torn or gone leaves a gap.
            let values = values.unwrap_or_else(|| vec![f64::NAN; found.len() + 1]);
            sheet.push(values[0], &values[1..]);
        }
        if sheet.span().is_none() {
            bail!(
                "{} holds no whole turn yet: is its loop running?",
                path.display()
            );
        }
        sheet.limits = limits(&opened.actuators(), &sheet.lines);
        sheet.check()
    }

    /// Adds an instant and its values.
    pub(super) fn push(&mut self, time: f64, values: &[f64]) {
        let sound = |it: f64| if it.abs() <= VALUE_MAX { it } else { f64::NAN };
        self.times.push(sound(time));
        for (line, value) in self.lines.iter_mut().zip(values) {
            line.values.push(sound(*value));
        }
    }

    /// Itself, if there is anything to draw, with short times in units that fit them.
    pub(super) fn check(mut self) -> Result<Sheet> {
        self.lines.iter_mut().for_each(Line::fit);
        let rows = self.times.len();
        if self.gaps() == rows * self.lines.len() {
            bail!("none of these keys has a value in {rows} rows: there is nothing to draw");
        }
        Ok(self)
    }

    /// The first and the last instant.
    pub(super) fn span(&self) -> Option<(f64, f64)> {
        extent(self.times.iter().copied())
    }

    /// How many values are missing, or have no instant.
    pub(super) fn gaps(&self) -> usize {
        let missing = |line: &Line| {
            let both = line.values.iter().zip(&self.times);
            both.filter(|it| it.0.is_nan() || it.1.is_nan()).count()
        };
        self.lines.iter().map(missing).sum()
    }
}

impl Line {
    /// Makes milliseconds or microseconds of seconds that are less.
    fn fit(&mut self) {
        let most = self.values.iter().copied().map(f64::abs);
        let most = extent(most).map_or(0.0, |it| it.1);
        let (unit, factor) = match most {
            it if self.unit != "s" || it >= 1.0 || it == 0.0 => return,
            it if it >= 1e-3 => ("ms", 1e3),
            _ => ("µs", 1e6),
        };
        unit.clone_into(&mut self.unit);
        self.values.iter_mut().for_each(|it| *it *= factor);
    }
}

/// A file as it is called in a title.
pub(super) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Refuses more lines than can be told apart.
pub(super) fn check_count(count: usize) -> Result<()> {
    if count > KEYS_MAX {
        bail!("these keys mean {count} lines, and a picture has {KEYS_MAX} at most: name fewer");
    }
    Ok(())
}

/// The least and the greatest of all values that are some.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|it| !it.is_nan()).fold(None, |extent, it| {
        let (low, high) = extent.unwrap_or((it, it));
        Some((it.min(low), it.max(high)))
    })
}

/// The limits, if the lines are of one actuator and perhaps of things that are none.
fn limits(labels: &[Label], lines: &[Line]) -> Option<(String, f64, f64)> {
    let names = lines
        .iter()
        .filter_map(|it| Some(it.title.rsplit_once('.')?.0));
    let mut actuators = names.filter_map(|name| labels.iter().find(|it| it.name == name));
    let first = actuators.next()?;
    let (low, high) = first.range;
    let alone = actuators.all(|it| it.name == first.name);
    let finite = low.is_finite() && high.is_finite() && low < high;
    (alone && finite).then(|| (first.unit.clone(), low, high))
}
