//! A floor plan: from above, where the feet stood and the path of the body over them.
//! Called by `plot`. Both axes have one scale.

use std::fmt::Write;

use crate::scale::Scale;
use crate::style::COLOURS;
use crate::svg::{escaped, px};

/// The space around the plan, and the height of the title and of a row of the legend, pixels.
const MARGIN: f64 = 60.0;
const TITLE: f64 = 36.0;
const LEGEND_ROW: f64 = 18.0;

/// How far points of a track are apart, pixels.
const NEAR: f64 = 0.5;

/// A place on the floor, m.
pub type FloorPoint = (f64, f64);

/// A floor plan; x leads to the right.
#[derive(Clone, Debug, Default)]
pub struct FloorPlan {
    /// Its title, unless another is given.
    pub name: String,
    /// Where feet stood, in the order of time.
    pub footprints: Vec<Footprint>,
    /// The polygons on which the body could stand.
    pub supports: Vec<Vec<FloorPoint>>,
    /// The paths of points.
    pub tracks: Vec<FloorTrack>,
}

/// Where a foot stood.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// The foot.
    pub foot: String,
    /// Its outline.
    pub outline: Vec<FloorPoint>,
    /// When it stood there, s.
    pub span: (f64, f64),
}

/// The path of a point.
#[derive(Clone, Debug)]
pub struct FloorTrack {
    /// What moved there.
    pub title: String,
    /// Its path; NaN where it is missing.
    pub points: Vec<FloorPoint>,
}

/// From metres to pixels.
struct FloorScale {
    x: Scale,
    y: Scale,
}

impl FloorPlan {
    /// The drawing as SVG, and its height.
    pub fn draw(&self, title: &str, width: u32) -> (String, u32) {
        let all = self
            .points()
            .filter(|(x, y)| x.is_finite() && y.is_finite());
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let wider = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
        let (mut x, mut y) = (start, start);
        for point in all {
            (x, y) = (wider(x, point.0), wider(y, point.1));
        }
        let room = 0.05 * (x.1 - x.0).max(y.1 - y.0).max(0.1);
        let ((left, right), (low, high)) = ((x.0 - room, x.1 + room), (y.0 - room, y.1 + room));
        let pixels = (f64::from(width) - 2.0 * MARGIN) / (right - left);
        let drawn_height = ((high - low) * pixels).clamp(60.0, 4000.0);
        // A plan that would be too high or too flat keeps its scale, and leaves room.
        let half = 0.5 * drawn_height / pixels;
        let middle = 0.5 * (low + high);
        let top = TITLE + MARGIN * 0.5;
        let scale = FloorScale {
            x: Scale::new((left, right), (MARGIN, f64::from(width) - MARGIN)),
            y: Scale::new((middle - half, middle + half), (top + drawn_height, top)),
        };
        let legend = top + drawn_height + MARGIN;
        let height = (legend + LEGEND_ROW * self.tracks.len() as f64).round();
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height:.0}\" viewBox=\"0 0 {width} \
             {height:.0}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">\n<title>{0}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{MARGIN}\" y=\"24\" \
             font-size=\"16\">{0}</text>\n",
            escaped(title)
        );
        scale.draw_axes(top + drawn_height, &mut text);
        self.draw_feet(&scale, &mut text);
        self.draw_tracks(&scale, legend, &mut text);
        text.push_str("</svg>\n");
        (text, height as u32)
    }

    /// All points that are drawn.
    fn points(&self) -> impl Iterator<Item = FloorPoint> {
        let feet = self.footprints.iter().flat_map(|print| &print.outline);
        let tracks = self.tracks.iter().flat_map(|track| &track.points);
        feet.chain(tracks).copied()
    }

    fn draw_feet(&self, scale: &FloorScale, text: &mut String) {
        // Writing into a string cannot fail.
        for support in &self.supports {
            let _ = writeln!(
                text,
                "<polygon points=\"{}\" fill=\"#0072b2\" fill-opacity=\"0.05\" stroke=\"#0072b2\" \
                 stroke-opacity=\"0.25\"/>",
                scale.path(support)
            );
        }
        for (number, print) in (1..).zip(&self.footprints) {
            let (from, to) = print.span;
            let _ = writeln!(
                text,
                "<polygon points=\"{}\" fill=\"none\" stroke=\"#333333\"><title>{}: {from:.2} s to {to:.2} \
                 s</title></polygon>",
                scale.path(&print.outline),
                escaped(&print.foot)
            );
            let count = print.outline.len() as f64;
            let x = print.outline.iter().map(|point| point.0).sum::<f64>() / count;
            let y = print.outline.iter().map(|point| point.1).sum::<f64>() / count;
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#777777\">{number}</text>",
                px(scale.x.at(x)),
                px(scale.y.at(y) + 4.0)
            );
        }
    }

    fn draw_tracks(&self, scale: &FloorScale, legend: f64, text: &mut String) {
        for (row, (track, colour)) in self.tracks.iter().zip(COLOURS).enumerate() {
            let pieces = track
                .points
                .split(|(x, y)| !(x.is_finite() && y.is_finite()));
            for piece in pieces.filter(|piece| !piece.is_empty()) {
                let _ = writeln!(
                    text,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\"/>",
                    scale.path(&scale.without_near(piece))
                );
            }
            let y = legend + LEGEND_ROW * row as f64 - 8.0;
            let _ = writeln!(
                text,
                "<path d=\"M{MARGIN} {0}h24\" stroke=\"{colour}\" stroke-width=\"2\"/>\n<text x=\"{1}\" \
                 y=\"{2}\">{3}</text>",
                px(y),
                px(MARGIN + 30.0),
                px(y + 4.0),
                escaped(&track.title)
            );
        }
    }
}

impl FloorScale {
    /// The points that are visibly apart from the one before.
    fn without_near(&self, points: &[FloorPoint]) -> Vec<FloorPoint> {
        let mut kept: Vec<FloorPoint> = Vec::new();
        for (number, (x, y)) in points.iter().enumerate() {
            let is_apart = |last: &FloorPoint| {
                let (right, up) = (
                    self.x.at(*x) - self.x.at(last.0),
                    self.y.at(*y) - self.y.at(last.1),
                );
                right.hypot(up) > NEAR
            };
            if kept.last().is_none_or(is_apart) || number + 1 == points.len() {
                kept.push((*x, *y));
            }
        }
        kept
    }

    fn path(&self, points: &[FloorPoint]) -> String {
        let places = points
            .iter()
            .map(|(x, y)| format!("{},{}", px(self.x.at(*x)), px(self.y.at(*y))));
        places.collect::<Vec<_>>().join(" ")
    }

    fn draw_axes(&self, bottom: f64, text: &mut String) {
        for (value, label) in self.x.ticks(8.0) {
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
                px(self.x.at(value)),
                px(bottom + 20.0)
            );
        }
        for (value, label) in self.y.ticks(5.0) {
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}</text>",
                px(MARGIN - 8.0),
                px(self.y.at(value) + 4.0)
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{MARGIN}\" y=\"{}\">x to the right and y up, m</text>",
            px(bottom + 38.0)
        );
    }
}
