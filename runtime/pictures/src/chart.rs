//! The values of a chart: instants, and for each series a value at every instant.
//! Filled by whoever reads values; drawn by `svg`. Every series has a value for every instant, NaN where
//! it is missing.

use std::borrow::Cow;

use anyhow::{Result, bail};

/// The most series in one chart: more lines than these cannot be told apart.
pub const SERIES_MAX: usize = 16;

/// Values beyond this are errors, and would leave no room for others.
const VALUE_MAX: f64 = 1e15;

/// The label of the axis for a time in seconds.
pub const SECONDS: &str = "time, s";

/// A chart: lines over one axis of time, with a panel for each unit.
#[derive(Debug, Default)]
pub struct Chart {
    /// Its title, unless another is given.
    pub name: String,
    /// The label of the axis of time, or of what is there instead of it.
    pub clock: Cow<'static, str>,
    /// The instants.
    pub times: Vec<f64>,
    /// The lines.
    pub lines: Vec<Series>,
    /// A unit, and the lower and the upper limit that are drawn in its panel.
    pub limits: Option<(String, f64, f64)>,
    /// The stretches of time that are marked.
    pub marks: Vec<Mark>,
}

/// The values of one line.
#[derive(Debug)]
pub struct Series {
    /// Its name in the legend.
    pub title: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// A value for each instant; NaN where it is missing.
    pub values: Vec<f64>,
}

/// A stretch of time that is marked in all panels.
#[derive(Debug)]
pub struct Mark {
    /// When it begins.
    pub from: f64,
    /// When it ends.
    pub to: f64,
    /// What a pointer over it shows.
    pub why: String,
}

impl Chart {
    /// Adds an instant and its values.
    pub fn push(&mut self, time: f64, values: &[f64]) {
        let sound = |value: f64| {
            if value.abs() <= VALUE_MAX {
                value
            } else {
                f64::NAN
            }
        };
        self.times.push(sound(time));
        for (line, value) in self.lines.iter_mut().zip(values) {
            line.values.push(sound(*value));
        }
    }

    /// Itself, if there is anything to draw, with short times in ms or µs.
    ///
    /// # Errors
    /// Every value is missing.
    pub fn check(mut self) -> Result<Chart> {
        self.lines.iter_mut().for_each(Series::fit);
        let rows = self.times.len();
        if self.gaps() == rows * self.lines.len() {
            bail!(
                "nothing to draw: none of these keys has a value in any row ({rows}); fix: name other keys"
            );
        }
        Ok(self)
    }

    /// The first and the last instant.
    pub fn span(&self) -> Option<(f64, f64)> {
        extent(self.times.iter().copied())
    }

    /// How many values are missing, or have no instant.
    pub fn gaps(&self) -> usize {
        let missing = |line: &Series| {
            let both = line.values.iter().zip(&self.times);
            both.filter(|pair| pair.0.is_nan() || pair.1.is_nan())
                .count()
        };
        self.lines.iter().map(missing).sum()
    }
}

impl Series {
    /// Converts seconds to ms or µs if all values are below 1 s.
    fn fit(&mut self) {
        let most = self.values.iter().copied().map(f64::abs);
        let most = extent(most).map_or(0.0, |extent| extent.1);
        let (unit, factor) = match most {
            value if self.unit != "s" || value >= 1.0 || value == 0.0 => return,
            value if value >= 1e-3 => ("ms", 1e3),
            _ => ("µs", 1e6),
        };
        unit.clone_into(&mut self.unit);
        self.values.iter_mut().for_each(|value| *value *= factor);
    }
}

/// The least and the greatest value, NaN aside.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .filter(|value| !value.is_nan())
        .fold(None, |extent, item| {
            let (low, high) = extent.unwrap_or((item, item));
            Some((item.min(low), item.max(high)))
        })
}
