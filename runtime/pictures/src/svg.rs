//! Draws a chart as SVG: panels below each other, over one axis of time.
//! Called by whoever has a chart; `png` renders the result. The text is well-formed XML whatever the names
//! contain; each series is one group with its name, and a gap in its values is a gap in its line.

use std::fmt::Write;

use anyhow::{Result, bail};

use crate::chart::{Chart, Mark};
use crate::panel::{
    LEGEND_ROW, LETTERS, LegendEntry, NAME_AT, Panel, SAMPLE, cut, panels, width_of,
};
use crate::scale::Scale;
use crate::style::{LineStyle, styles};
use crate::thin::thin;

/// The size of the title's letters.
const TITLE: f64 = 16.0;

/// The least height of a panel's axis.
const PANEL_MIN: f64 = 48.0;

/// Between panels, and between a legend and its panel.
const GAP: (f64, f64) = (14.0, 6.0);

/// What is below the last panel: its ticks, and what time is counted in.
const BELOW: f64 = 44.0;

/// The right margin, for half of the last tick.
const RIGHT: f64 = 28.0;

/// A legend leaves this much of the width to the margins.
const MARGINS: f64 = 110.0;

const PALE: &str = "#e4e4e4";
const GREY: &str = "#a8a8a8";
const DARK: &str = "#333333";

impl Chart {
    /// The drawing as SVG, and its height in pixels; without `height`, as high as its panels need.
    ///
    /// # Errors
    /// The panels do not fit into `height`.
    pub fn draw(&self, title: &str, width: u32, height: Option<u32>) -> Result<(String, u32)> {
        let panels = panels(self, f64::from(width) - MARGINS);
        let layout = PanelLayout::of(&panels, title, height)?;
        let mut drawing = Drawing {
            text: String::new(),
            width: f64::from(width),
            left: 0.0,
            styles: styles(&self.lines),
        };
        let scales = drawing.scales(&panels, &layout);
        drawing.begin(title, layout.height);
        let time = Scale::new(
            self.span().unwrap_or_default(),
            (drawing.left, drawing.right()),
        );
        let widest = time
            .ticks(2.0)
            .iter()
            .map(|tick| width_of(&tick.1))
            .fold(40.0, f64::max);
        let room = widest + 40.0;
        let moments = time.ticks((drawing.right() - drawing.left) / room);
        for (panel, (scale, ticks)) in panels.iter().zip(&scales) {
            drawing.grid(&moments, &time, (scale, ticks), scale.at(scale.low));
            drawing.panel(self, panel, &time, scale, layout.tall);
        }
        drawing.clock(&moments, &time, &self.clock, layout.height);
        drawing.text.push_str("</svg>\n");
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "some thousands"
        )]
        Ok((drawing.text, layout.height as u32))
    }
}

/// Where the panels stand, pixels.
struct PanelLayout {
    /// The height of the picture.
    height: f64,
    /// Where the first legend begins.
    top: f64,
    /// The height of each panel's axis.
    tall: f64,
}

impl PanelLayout {
    fn of(panels: &[Panel], title: &str, height: Option<u32>) -> Result<PanelLayout> {
        let top = if title.is_empty() { 10.0 } else { 36.0 };
        let legends: f64 = panels
            .iter()
            .map(|panel| panel.rows as f64 * LEGEND_ROW + GAP.1)
            .sum();
        let count = panels.len() as f64;
        let besides = top + legends + GAP.0 * (count - 1.0) + BELOW;
        let usual = match panels.len() {
            1 => 320.0,
            2 => 200.0,
            _ => 140.0,
        };
        let height = height.map_or(besides + usual * count, f64::from).ceil();
        let tall = (height - besides) / count;
        if tall < PANEL_MIN {
            let least = (besides + PANEL_MIN * count).ceil();
            bail!("{count} panels need a height of at least {least} pixels; fix: --height {least}");
        }
        Ok(PanelLayout { height, top, tall })
    }
}

/// A scale with its ticks.
type Ticked = (Scale, Vec<(f64, String)>);

struct Drawing {
    text: String,
    width: f64,
    /// Where all panels begin.
    left: f64,
    styles: Vec<LineStyle>,
}

impl Drawing {
    fn right(&self) -> f64 {
        self.width - RIGHT
    }

    /// The scale of each panel. The widest tick decides where all panels begin.
    fn scales(&mut self, panels: &[Panel], layout: &PanelLayout) -> Vec<Ticked> {
        let (mut at, tall) = (layout.top, layout.tall);
        let mut scales = Vec::new();
        for panel in panels {
            at += panel.rows as f64 * LEGEND_ROW + GAP.1;
            let scale = Scale::new(panel.extent, (at + tall, at));
            let ticks = scale.ticks(tall / 38.0);
            let unit = width_of(&panel.unit);
            let widest = ticks
                .iter()
                .map(|tick| width_of(&tick.1))
                .fold(unit, f64::max);
            self.left = self.left.max((widest + 18.0).ceil());
            scales.push((scale, ticks));
            at += tall + GAP.0;
        }
        scales
    }

    /// What stands over a panel's grid: marks, legend, limits, lines.
    fn panel(&mut self, chart: &Chart, panel: &Panel, time: &Scale, scale: &Scale, tall: f64) {
        let top = scale.at(scale.low) - tall;
        for mark in &chart.marks {
            self.mark(mark, time, top, tall);
        }
        self.legend(panel, top);
        for limit in &panel.limits {
            let y = px(scale.at(*limit));
            let dashes = " stroke-dasharray=\"5 4\"";
            self.rule((self.left, &y), (self.right(), &y), GREY, dashes);
        }
        for place in &panel.lines {
            self.line(chart, *place, time, scale);
        }
    }

    /// Adds a line of XML.
    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    fn begin(&mut self, title: &str, height: f64) {
        let width = self.width;
        let above = cut(
            title,
            (self.right() - self.left) * LETTERS / TITLE - LETTERS,
        );
        let (whole, above) = (escaped(title), escaped(&above));
        self.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"{LETTERS}\" fill=\"{DARK}\">"
        ));
        self.add(format_args!("<title>{whole}</title>"));
        self.add(format_args!(
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
        ));
        if !title.is_empty() {
            let left = px(self.left);
            self.add(format_args!(
                "<text x=\"{left}\" y=\"24\" font-size=\"{TITLE}\">{above}</text>"
            ));
        }
    }

    fn rule(&mut self, from: (f64, &str), to: (f64, &str), colour: &str, more: &str) {
        let (x1, x2) = (px(from.0), px(to.0));
        self.add(format_args!(
            "<line x1=\"{x1}\" y1=\"{}\" x2=\"{x2}\" y2=\"{}\" stroke=\"{colour}\"{more}/>",
            from.1, to.1
        ));
    }

    fn label(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let (x, y, text) = (px(x), px(y), escaped(text));
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// A stretch of time in another colour, wide enough to be seen.
    fn mark(&mut self, mark: &Mark, time: &Scale, top: f64, tall: f64) {
        let (from, to) = (time.at(mark.from), time.at(mark.to));
        let (left, right) = (self.left, self.right());
        let from = from.clamp(left, right);
        let wide = px((to - from).max(2.0).min(right - from));
        let (x, y, tall, why) = (px(from), px(top), px(tall), escaped(&mark.why));
        self.add(format_args!(
            "<rect class=\"mark\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{tall}\" fill=\"#d55e00\" \
             fill-opacity=\"0.22\"><title>{why}</title></rect>"
        ));
    }

    /// The ticks of both axes, and a line through the picture for each.
    fn grid(
        &mut self,
        moments: &[(f64, String)],
        time: &Scale,
        (scale, ticks): (&Scale, &[(f64, String)]),
        bottom: f64,
    ) {
        let (left, right) = (self.left, self.right());
        let top = scale.at(scale.high);
        for (moment, _) in moments {
            let x = time.at(*moment);
            self.rule((x, &px(top)), (x, &px(bottom)), PALE, "");
        }
        for (value, text) in ticks {
            let at = scale.at(*value);
            let colour = if *value == 0.0 { GREY } else { PALE };
            self.rule((left, &px(at)), (right, &px(at)), colour, "");
            self.label(left - 8.0, at + LETTERS * 0.35, "end", text);
        }
        self.rule((left, &px(top)), (left, &px(bottom)), DARK, "");
        self.rule((left, &px(bottom)), (right, &px(bottom)), DARK, "");
    }

    /// The unit and the names above a panel that begins at `top`.
    fn legend(&mut self, panel: &Panel, top: f64) {
        let first = top - GAP.1 - panel.rows as f64 * LEGEND_ROW + LETTERS;
        self.label(self.left - 8.0, first, "end", &panel.unit);
        for LegendEntry { line, text, x, row } in &panel.legend {
            let (x, y) = (self.left + x, first + *row as f64 * LEGEND_ROW);
            let middle = px(y - LETTERS * 0.35);
            match line {
                Some(place) => {
                    let LineStyle { colour, dash } = self.styles[*place];
                    let more = format!(" stroke-width=\"2\"{}", dashed(dash));
                    self.rule((x, &middle), (x + SAMPLE, &middle), colour, &more);
                }
                None => {
                    let more = " stroke-dasharray=\"5 4\"";
                    self.rule((x, &middle), (x + SAMPLE, &middle), GREY, more);
                }
            }
            self.label(x + NAME_AT, y, "start", text);
        }
    }

    /// The values of one key: a polyline for each run between gaps, a dot for a value alone.
    fn line(&mut self, chart: &Chart, place: usize, time: &Scale, scale: &Scale) {
        let (line, LineStyle { colour, dash }) = (&chart.lines[place], self.styles[place]);
        let (key, dash) = (escaped(&line.title), dashed(dash));
        self.add(format_args!(
            "<g data-key=\"{key}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" \
             stroke-linejoin=\"round\"{dash}>"
        ));
        self.add(format_args!("<title>{key}</title>"));
        let points: Vec<_> = chart
            .times
            .iter()
            .copied()
            .zip(line.values.iter().copied())
            .collect();
        let most = (self.width * 4.0) as usize;
        for run in points.split(|point| point.0.is_nan() || point.1.is_nan()) {
            let run = run.iter().map(|pair| (time.at(pair.0), scale.at(pair.1)));
            match thin(run.collect(), most).as_slice() {
                [] => {}
                [(x, y)] => {
                    let (x, y) = (px(*x), px(*y));
                    self.add(format_args!(
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"1.6\" stroke=\"none\" fill=\"{colour}\"/>"
                    ));
                }
                many => {
                    let points = many.iter().map(|(x, y)| format!("{},{}", px(*x), px(*y)));
                    let points = points.collect::<Vec<_>>().join(" ");
                    self.add(format_args!("<polyline points=\"{points}\"/>"));
                }
            }
        }
        self.add(format_args!("</g>"));
    }

    /// The ticks of time, below all panels.
    fn clock(&mut self, moments: &[(f64, String)], time: &Scale, clock: &str, height: f64) {
        for (moment, text) in moments {
            self.label(time.at(*moment), height - BELOW + 18.0, "middle", text);
        }
        let middle = f64::midpoint(self.left, self.right());
        self.label(middle, height - 10.0, "middle", clock);
    }
}

/// A coordinate with up to 2 decimals, trailing zeros removed.
pub(crate) fn px(place: f64) -> String {
    let text = format!("{place:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

fn dashed(dash: &str) -> String {
    if dash.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{dash}\"")
    }
}

/// Escapes a text for XML; characters that XML forbids are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for item in text.chars() {
        match item {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            other => escaped.push(other),
        }
    }
    escaped
}
