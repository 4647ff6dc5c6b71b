//! A strip: a whole show in one picture, with a row for each joint and coloured bands for what was found there.
//! Called by `check`. Every row shows the same time from left to right, and a pointer over a band shows
//! its reason.

use std::fmt::Write;

use crate::svg::{escaped, px};

/// A row's height, and the space to its left for its name.
const ROW: f64 = 22.0;
const NAMES: f64 = 130.0;
const WIDTH: f64 = 1200.0;
const MARGIN: f64 = 16.0;

/// Where the first row begins, and the space below the last one for the ticks.
const TOP: f64 = 44.0;
const BELOW: f64 = 34.0;

const LINE: &str = "#0072b2";
const FAILURE: &str = "#d55e00";
const WARNING: &str = "#e69f00";

/// A strip.
#[derive(Clone, Debug, Default)]
pub struct StripChart {
    /// The text above it.
    pub title: String,
    /// The instants of every row's values, s; at least one.
    pub times: Vec<f64>,
    /// The rows, from top to bottom.
    pub rows: Vec<StripRow>,
}

/// A row of a strip.
#[derive(Clone, Debug, Default)]
pub struct StripRow {
    /// Its name.
    pub name: String,
    /// Where its value is within its range, 0 to 1, for each instant; empty for a row of bands only.
    pub shares: Vec<f64>,
    /// What is marked in it.
    pub bands: Vec<Band>,
}

/// A stretch of time that is marked in one row.
#[derive(Clone, Debug)]
pub struct Band {
    /// When it begins, s.
    pub from: f64,
    /// When it ends, s.
    pub to: f64,
    /// Whether it is a failure, not only a warning.
    pub is_failure: bool,
    /// What a pointer over it shows.
    pub why: String,
}

impl StripChart {
    /// The drawing, as SVG.
    pub fn draw(&self) -> String {
        let (Some(first), Some(last)) = (self.times.first(), self.times.last()) else {
            return String::new();
        };
        let time = TimeAxis {
            first: *first,
            span: (last - first).max(1e-9),
        };
        let bottom = TOP + self.rows.len() as f64 * ROW;
        let mut text = self.begin(bottom + BELOW);
        for (number, row) in self.rows.iter().enumerate() {
            self.row(row, TOP + number as f64 * ROW, &time, &mut text);
        }
        ticks(bottom, &time, &mut text);
        text.push_str("</svg>\n");
        text
    }

    fn begin(&self, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} \
             {height}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">\n<title>{0}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{MARGIN}\" y=\"26\" \
             font-size=\"16\">{0}</text>\n",
            escaped(&self.title)
        )
    }

    fn row(&self, row: &StripRow, top: f64, time: &TimeAxis, text: &mut String) {
        let (x, y) = (px(MARGIN + NAMES - 8.0), px(top + ROW * 0.68));
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{}</text>",
            escaped(&row.name)
        );
        for band in &row.bands {
            band.draw(top, time, text);
        }
        if row.shares.is_empty() {
            return;
        }
        let mut points = String::new();
        for (at, share) in self.times.iter().zip(&row.shares) {
            let y = top + 2.0 + (1.0 - share.clamp(0.0, 1.0)) * (ROW - 4.0);
            let _ = write!(points, "{},{} ", px(time.at(*at)), px(y));
        }
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.2\"/>",
            points.trim_end()
        );
    }
}

impl Band {
    fn draw(&self, top: f64, time: &TimeAxis, text: &mut String) {
        let colour = if self.is_failure { FAILURE } else { WARNING };
        let (from, to) = (time.at(self.from), time.at(self.to));
        let (x, y, wide) = (px(from), px(top), px((to - from).max(3.0)));
        let why = escaped(&self.why);
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "<rect class=\"mark\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{ROW}\" fill=\"{colour}\" \
             fill-opacity=\"0.55\"><title>{why}</title></rect>"
        );
    }
}

/// The axis of time.
struct TimeAxis {
    first: f64,
    span: f64,
}

impl TimeAxis {
    /// The pixel of an instant.
    fn at(&self, instant: f64) -> f64 {
        let share = (instant - self.first).clamp(0.0, self.span) / self.span;
        MARGIN + NAMES + share * (WIDTH - MARGIN - MARGIN - NAMES)
    }
}

fn ticks(bottom: f64, time: &TimeAxis, text: &mut String) {
    let (x1, x2, y) = (px(MARGIN + NAMES), px(WIDTH - MARGIN), px(bottom));
    // Writing into a string cannot fail.
    let _ = writeln!(
        text,
        "<line x1=\"{x1}\" y1=\"{y}\" x2=\"{x2}\" y2=\"{y}\" stroke=\"#333333\"/>"
    );
    for tick in 0..=10 {
        let at = time.first + time.span * f64::from(tick) / 10.0;
        let (x, y) = (px(time.at(at)), px(bottom + 18.0));
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{at:.1} s</text>"
        );
    }
}
