//! Groups the lines of a chart into panels, one for each unit, each with its legend.
//! Called by `svg`. Lines of different units never share an axis; no name of the legend
//! overlaps another, and one that is too long is shortened.

use crate::chart::{Chart, extent};

/// The size of letters.
pub(crate) const LETTERS: f64 = 12.0;

/// A line of a legend.
pub(crate) const LEGEND_ROW: f64 = 18.0;

/// How long the piece of line is that a legend shows.
pub(crate) const SAMPLE: f64 = 24.0;

/// Between the piece of line and its name, and between entries.
const SPACE: (f64, f64) = (6.0, 20.0);

/// What counts without a unit, and has an axis of its own.
const COUNTS: [&str; 8] = [
    "coverage", "clips", "acks", "nacks", "age", "error", "power", "events",
];

/// Lines that share an axis.
#[derive(Debug)]
pub(crate) struct Panel {
    /// The unit, or what is counted; may be empty.
    pub(crate) unit: String,
    /// The places of its lines in the chart.
    pub(crate) lines: Vec<usize>,
    /// The values from the lowest to the highest.
    pub(crate) extent: (f64, f64),
    /// The limits that lie there.
    pub(crate) limits: Vec<f64>,
    pub(crate) legend: Vec<LegendEntry>,
    /// How many rows the legend has.
    pub(crate) rows: usize,
}

/// An entry of a legend: a place in its rows, seen from their left end.
#[derive(Debug)]
pub(crate) struct LegendEntry {
    /// The line's place in the chart; none for the limits.
    pub(crate) line: Option<usize>,
    pub(crate) text: String,
    pub(crate) x: f64,
    pub(crate) row: usize,
}

/// The panels, in the order in which their units appear; a legend is `width` wide at most.
pub(crate) fn panels(chart: &Chart, width: f64) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    for (place, line) in chart.lines.iter().enumerate() {
        let last = line.title.rsplit('.').next().unwrap_or_default();
        let is_count = line.unit.is_empty() && COUNTS.contains(&last);
        let unit = if is_count { last } else { &line.unit };
        match panels.iter_mut().find(|panel| panel.unit == unit) {
            Some(panel) => panel.lines.push(place),
            None => panels.push(Panel {
                unit: unit.to_owned(),
                lines: vec![place],
                extent: (0.0, 0.0),
                limits: Vec::new(),
                legend: Vec::new(),
                rows: 0,
            }),
        }
    }
    for panel in &mut panels {
        panel.measure(chart);
        panel.explain(chart, width);
    }
    panels
}

impl Panel {
    fn measure(&mut self, chart: &Chart) {
        let lines = self.lines.iter().map(|line| &chart.lines[*line]);
        let shown = lines.flat_map(|line| line.values.iter().zip(&chart.times));
        let shown = shown.filter(|pair| !pair.1.is_nan()).map(|pair| *pair.0);
        let (mut low, mut high) = extent(shown).unwrap_or_default();
        // A limit that is far away would leave no room for the values.
        let near = (high - low) * 1.5;
        if let Some((unit, least, most)) = &chart.limits
            && *unit == self.unit
        {
            let seen = [*least, *most]
                .into_iter()
                .filter(|item| (low - near..=high + near).contains(item));
            self.limits = seen.collect();
            low = self.limits.iter().copied().fold(low, f64::min);
            high = self.limits.iter().copied().fold(high, f64::max);
        }
        let room = (high - low) * 0.05;
        self.extent = (low - room, high + room);
    }

    /// The legend: in one row, or in columns of one width, or where one name is as wide as a row,
    /// each behind the one before.
    fn explain(&mut self, chart: &Chart, width: f64) {
        let names = self
            .lines
            .iter()
            .map(|line| (Some(*line), &*chart.lines[*line].title));
        let limits = (!self.limits.is_empty()).then_some((None, "limits"));
        let names = names.chain(limits);
        let texts: Vec<_> = names
            .map(|name| (name.0, shortened(name.1, width - NAME_AT)))
            .collect();
        let wide: Vec<_> = texts
            .iter()
            .map(|pair| NAME_AT + width_of(&pair.1))
            .collect();
        let spaces = SPACE.1 * (wide.len() - 1) as f64;
        let column = wide.iter().copied().fold(0.0, f64::max) + SPACE.1;
        let columns = ((width + SPACE.1) / column) as usize;
        let in_columns = wide.iter().sum::<f64>() + spaces > width && columns > 1;
        let (mut x, mut row) = (0.0, 0);
        for (place, ((line, text), wide)) in texts.into_iter().zip(wide).enumerate() {
            if in_columns {
                (x, row) = ((place % columns) as f64 * column, place / columns);
            } else if x > 0.0 && x + wide > width {
                (x, row) = (0.0, row + 1);
            }
            self.legend.push(LegendEntry { line, text, x, row });
            x += wide + SPACE.1;
        }
        self.rows = row + 1;
    }
}

/// Where an entry's name begins, seen from the entry.
pub(crate) const NAME_AT: f64 = SAMPLE + SPACE.0;

/// About how wide a text is, in whatever letters there are: rather too wide than too narrow.
pub(crate) fn width_of(text: &str) -> f64 {
    let one = |item: char| match item {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | '\'' | '|' | ' ' => 0.36,
        'm' | 'w' | 'M' | 'W' => 0.92,
        c if c.is_ascii_uppercase() => 0.68,
        c if c.is_ascii() => 0.58,
        c if u32::from(c) >= 0x1100 && c != '\u{2212}' => 1.0,
        _ => 0.8,
    };
    text.chars().map(one).sum::<f64>() * LETTERS
}

/// `text` with a hole near its beginning, if it is too wide: names differ at their ends.
fn shortened(text: &str, width: f64) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut kept = letters.len();
    let mut short = text.to_owned();
    while width_of(&short) > width && kept > 2 {
        kept -= 1;
        let (head, gone) = (kept / 4, letters.len() - kept);
        let ends = [&letters[..head], &['…'], &letters[head + gone..]];
        short = ends.concat().into_iter().collect();
    }
    short
}

/// `text` without its end, if it is too wide.
pub(crate) fn cut(text: &str, width: f64) -> String {
    let mut short = text.to_owned();
    while width_of(&short) > width && short.pop().is_some() {}
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Series;

    fn chart(titles: &[(&str, &str)], limits: Option<(String, f64, f64)>) -> Chart {
        let line = |pair: &(&str, &str)| Series {
            title: pair.0.to_owned(),
            unit: pair.1.to_owned(),
            values: vec![0.0, 1.0],
        };
        Chart {
            times: vec![0.0, 1.0],
            lines: titles.iter().map(line).collect(),
            limits,
            ..Chart::default()
        }
    }

    #[test]
    fn each_unit_has_its_panel_and_each_count() {
        let chart = chart(
            &[
                ("A.sent", "rad"),
                ("Supply.sensor", "V"),
                ("B.sent", "rad"),
                ("A.clips", ""),
                ("Button.sensor", ""),
            ],
            Some(("rad".to_owned(), -1.2, 50.0)),
        );
        let panels = panels(&chart, 500.0);
        let units: Vec<_> = panels
            .iter()
            .map(|panel| (panel.unit.as_str(), panel.lines.len()))
            .collect();
        assert_eq!(units, [("rad", 2), ("V", 1), ("clips", 1), ("", 1)]);
        assert_eq!(
            panels[0].limits,
            [-1.2],
            "a limit that is far away is left out"
        );
        assert_eq!(panels[0].legend.len(), 3);
    }

    #[test]
    fn a_legend_goes_on_in_the_next_row_and_long_names_are_shortened() {
        let short = chart(
            &[("Alpha.sent", ""), ("Beta.sent", ""), ("Gamma.sent", "")],
            None,
        );
        let places = |width| -> Vec<_> {
            let panel = &panels(&short, width)[0];
            panel
                .legend
                .iter()
                .map(|legend| (legend.row, legend.x > 0.0))
                .collect()
        };
        assert_eq!(places(900.0), [(0, false), (0, true), (0, true)]);
        assert_eq!(places(260.0), [(0, false), (0, true), (1, false)]);
        let long = "x".repeat(100);
        let long = chart(&[(&long, "")], None);
        let text = &panels(&long, 260.0)[0].legend[0].text;
        assert!(text.contains('…') && width_of(text) < 260.0, "{text}");
    }
}
