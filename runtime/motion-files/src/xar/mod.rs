//! Projects of Choregraphe, `.xar`: the timelines of their boxes. `.qianim` of Pepper has the same
//! curves, and is read as well. Called by `lib`; `write` writes.
//! Only timelines are read; boxes, scripts and diagrams are left out, and nothing in them
//! is executed. A frame is a count of 1/fps s; values are degrees, or 0..1 for hands. A muted curve
//! and a timeline that is not enabled are left out, with a remark, and so is what lies outside of
//! `start_frame` and `end_frame`.

mod absent;
mod range;
mod write;

use roxmltree::{Document, Node, ParsingOptions};

use crate::curves::segment::{SegmentShape, shape};
use crate::fault::{FileMistake, ReadFailure, quoted};
use crate::motion::{
    BezierHandle, JointKey, JointTrack, KEYS_MAX, KeySide, KeyedMotion, TIME_MAX, TRACKS_MAX,
};
use crate::text::number::number;
use crate::tree::NODES_MAX;
use crate::units::ValueUnit;

use absent::{no_motion, not_xml, repeats};
use range::PlayedRange;

pub(crate) use write::write;

/// Frames in a second, if the file does not say it.
const RATE: f64 = 25.0;

/// The greatest number of remarks: the place of each takes a walk through the text.
const REMARKS_MAX: usize = 20;

/// What such a file begins with.
const ELEMENTS: [&str; 4] = ["<ChoregrapheProject", "<Animation", "<Timeline", "<Package"];

/// Whether a text looks like a project or an animation.
pub(crate) fn is_project(text: &str) -> bool {
    let start: String = text.chars().take(2_000).collect();
    ELEMENTS.iter().any(|element| start.contains(element))
}

/// Reads the timelines that have curves.
pub(crate) fn read(
    text: &str,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<KeyedMotion>, ReadFailure> {
    if let Some(at) = printable::crowded_tag(text) {
        let sentence = format!(
            "a tag has at most {} attributes; fix: remove what is too much",
            printable::ATTRIBUTES_MAX
        );
        return Err(FileMistake::at(text, at, sentence).into());
    }
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: u32::try_from(NODES_MAX).unwrap_or(u32::MAX),
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options);
    let document = document.map_err(|error| not_xml(text, &error))?;
    let mut reader = XarReader {
        document: &document,
        remarks,
        keys: 0,
    };
    let mut motions = Vec::new();
    let mut is_disabled = false;
    for node in document.descendants() {
        let has_curves = node
            .children()
            .any(|child| child.has_tag_name_of("ActuatorCurve"));
        if has_curves {
            if let Some(timeline) = disabled(node) {
                is_disabled = true;
                reader.remark_disabled(timeline);
                continue;
            }
            let motion = reader.list(node)?;
            if !motion.tracks.is_empty() {
                motions.push(motion);
            }
        }
    }
    if motions.is_empty() {
        return Err(no_motion(&document, is_disabled).into());
    }
    reader.remark_scripts();
    Ok(motions)
}

/// The timeline around curves, if it is not enabled.
fn disabled<'a, 'i>(list: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    let timeline = list
        .ancestors()
        .find(|node| node.has_tag_name_of("Timeline"))?;
    matches!(timeline.attribute("enable"), Some("0" | "false")).then_some(timeline)
}

/// The name of the box around an element.
fn name_of_box<'a>(node: Node<'a, '_>) -> &'a str {
    let around = node.ancestors().find(|node| node.has_tag_name_of("Box"));
    around
        .and_then(|around| around.attribute("name"))
        .unwrap_or_default()
}

/// Names of elements, whatever their namespace.
trait TagName {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl TagName for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

struct XarReader<'d, 'r> {
    document: &'d Document<'d>,
    remarks: &'r mut Vec<FileMistake>,
    keys: usize,
}

impl XarReader<'_, '_> {
    fn wrong(&self, node: Node<'_, '_>, sentence: impl Into<String>) -> FileMistake {
        let at = self.document.text_pos_at(node.range().start);
        FileMistake::new(at.row as usize, at.col as usize, sentence)
    }

    fn remark(&mut self, at: Node<'_, '_>, sentence: impl Into<String>) {
        let remark = self.wrong(at, sentence);
        self.remarks.push(remark);
    }

    /// Says that a timeline is not played.
    fn remark_disabled(&mut self, timeline: Node<'_, '_>) {
        if self.remarks.len() < REMARKS_MAX {
            let name = quoted(name_of_box(timeline));
            let sentence = format!("the timeline of {name} is not enabled, and left out");
            self.remark(timeline, sentence);
        }
    }

    /// Says that boxes have scripts, which nobody executes.
    fn remark_scripts(&mut self) {
        let scripts = self.document.descendants().filter(|descendant| {
            let content = |node: &Node<'_, '_>| node.has_tag_name_of("content");
            let text = || {
                descendant
                    .children()
                    .find(content)
                    .and_then(|child| child.text())
                    .unwrap_or("")
            };
            descendant.has_tag_name_of("script") && !text().trim().is_empty()
        });
        let scripts: Vec<_> = scripts.collect();
        if let Some(first) = scripts.first() {
            let sentence = match scripts.len() {
                1 => "the script of a box is not executed: timelines alone are played".to_owned(),
                count => {
                    format!(
                        "the scripts of {count} boxes are not executed: timelines alone are played"
                    )
                }
            };
            self.remark(*first, sentence);
        }
    }

    /// A number of an attribute.
    fn number(&self, node: Node<'_, '_>, name: &str) -> Result<Option<f64>, FileMistake> {
        let Some(text) = node.attribute(name) else {
            return Ok(None);
        };
        let value = number(text.trim(), true);
        value.map(Some).map_err(|fault| {
            let sentence = format!("{name} is {}: {fault}", quoted(text));
            self.wrong(node, sentence)
        })
    }

    fn rate(&self, node: Node<'_, '_>) -> Result<Option<f64>, FileMistake> {
        let rate = self.number(node, "fps")?;
        match rate.filter(|rate| !(0.1..=10_000.0).contains(rate)) {
            Some(rate) => Err(self.wrong(node, format!("{rate} frames in a second; expected 25"))),
            None => Ok(rate),
        }
    }

    /// The curves below an `ActuatorList`, or an `Animation`.
    fn list(&mut self, list: Node<'_, '_>) -> Result<KeyedMotion, FileMistake> {
        let timeline = list
            .ancestors()
            .find(|node| node.has_tag_name_of("Timeline") || node.has_tag_name_of("Animation"));
        let rate = timeline.map_or(Ok(None), |timeline| self.rate(timeline))?;
        if let Some((timeline, sentence)) =
            timeline.and_then(|timeline| Some((timeline, repeats(timeline)?)))
        {
            self.remark(timeline, sentence);
        }
        let mut motion = KeyedMotion {
            name: name_of_box(list).to_owned(),
            body: list.attribute("model").unwrap_or_default().to_owned(),
            rate: Some(rate.unwrap_or(RATE)),
            ..KeyedMotion::default()
        };
        for curve in list
            .children()
            .filter(|child| child.has_tag_name_of("ActuatorCurve"))
        {
            if matches!(curve.attribute("mute"), Some("1" | "true")) {
                if self.remarks.len() >= REMARKS_MAX {
                    continue;
                }
                let actuator = quoted(curve.attribute("actuator").unwrap_or_default());
                let remark = self.wrong(
                    curve,
                    format!("the curve of {actuator} is muted, and left out"),
                );
                self.remarks.push(remark);
                continue;
            }
            let own = self.rate(curve)?;
            if rate.is_none() && motion.tracks.is_empty() {
                motion.rate = Some(own.unwrap_or(RATE));
            }
            let rate = own.or(rate).unwrap_or(RATE);
            let track = self.curve(curve, rate)?;
            if track.keys.is_empty() {
                continue;
            }
            if motion.tracks.iter().any(|item| item.joint == track.joint) {
                let sentence = format!("{} has two curves", quoted(&track.joint));
                return Err(self.wrong(curve, sentence));
            }
            if motion.tracks.len() >= TRACKS_MAX {
                return Err(self.wrong(curve, format!("more than {TRACKS_MAX} curves")));
            }
            motion.tracks.push(track);
        }
        if let Some(timeline) = timeline {
            self.played(timeline, &mut motion)?;
        }
        Ok(motion)
    }

    /// Leaves out what is before `start_frame` or behind `end_frame` of the timeline; -1 is its end.
    fn played(
        &mut self,
        timeline: Node<'_, '_>,
        motion: &mut KeyedMotion,
    ) -> Result<(), FileMistake> {
        let start = self.number(timeline, "start_frame")?.unwrap_or(1.0);
        let end = self.number(timeline, "end_frame")?;
        let end = end.filter(|end| *end > 0.0);
        if let Some(end) = end.filter(|end| *end < start) {
            let sentence = format!("the end_frame {end} is before the start_frame {start}");
            return Err(self.wrong(timeline, sentence));
        }
        if start <= 1.0 && end.is_none() {
            return Ok(());
        }
        let step = 1e9 / motion.rate.unwrap_or(RATE);
        // A cast of a float saturates.
        let range = PlayedRange {
            from: if start > 1.0 {
                (start * step).round() as u64
            } else {
                0
            },
            to: end.map_or(u64::MAX, |end| (end * step).round() as u64),
            shift: ((start - 1.0).max(0.0) * step).round() as u64,
        };
        let mut is_cut = false;
        for track in &mut motion.tracks {
            is_cut |= range.cut(track);
        }
        motion.tracks.retain(|track| !track.keys.is_empty());
        if (is_cut || range.shift > 0) && self.remarks.len() < REMARKS_MAX {
            let end = end.map_or("its end".to_owned(), |end| end.to_string());
            let sentence = format!(
                "only the frames {start} to {end} are played: start_frame and end_frame say so"
            );
            self.remark(timeline, sentence);
        }
        Ok(())
    }

    fn curve(&mut self, curve: Node<'_, '_>, rate: f64) -> Result<JointTrack, FileMistake> {
        let actuator = curve.attribute("actuator").filter(|name| !name.is_empty());
        let actuator = actuator.ok_or_else(|| self.wrong(curve, "the curve names no actuator"))?;
        let unit = match curve.attribute("unit") {
            // Without a unit, which is -1 as well, hands have shares and all others degrees.
            None | Some("-1") if actuator.ends_with("Hand") => ValueUnit::Native,
            None | Some("-1") | Some("0" | "degree") => ValueUnit::Degree,
            Some("1" | "dimensionless") => ValueUnit::Native,
            Some("radian") => ValueUnit::Radian,
            Some(other) => {
                let sentence = format!(
                    "the unit {}; fix: write `degree` or 0, `radian`, or `dimensionless` or 1",
                    quoted(other)
                );
                return Err(self.wrong(curve, sentence));
            }
        };
        let mut keys: Vec<JointKey> = Vec::new();
        for key in curve
            .children()
            .filter(|child| child.has_tag_name_of("Key"))
        {
            self.keys += 1;
            if self.keys > KEYS_MAX {
                return Err(self.wrong(key, format!("more than {KEYS_MAX} keys")));
            }
            let frame = self.number(key, "frame")?;
            let value = self.number(key, "value")?;
            let (Some(frame), Some(value)) = (frame, value) else {
                return Err(self.wrong(key, "a key has a frame and a value"));
            };
            let time = frame * 1e9 / rate;
            if !(0.0..=TIME_MAX as f64).contains(&time) {
                return Err(self.wrong(key, format!("the frame {frame} is outside of any motion")));
            }
            let time = time.round() as u64;
            if keys.last().is_some_and(|key| key.time >= time) {
                let sentence = format!("the frames of {} do not rise here", quoted(actuator));
                return Err(self.wrong(key, sentence));
            }
            keys.push(JointKey {
                time,
                value,
                weight: 1.0,
                arrive: self.side(key, "left", rate)?,
                leave: self.side(key, "right", rate)?,
            });
            self.forward(key, actuator, &keys)?;
        }
        Ok(JointTrack {
            joint: actuator.to_owned(),
            unit,
            keys,
        })
    }

    /// Checks the curve before the key that came last; a curve of neighbours always goes forward.
    fn forward(
        &self,
        key: Node<'_, '_>,
        actuator: &str,
        keys: &[JointKey],
    ) -> Result<(), FileMistake> {
        let last_two = keys.get(keys.len().saturating_sub(2)..).unwrap_or_default();
        match shape(last_two, 0) {
            SegmentShape::Curve(piece) if !piece.is_forward() => {
                let sentence = format!(
                    "the curve of {} before this key goes back in time; fix: shorten its tangents",
                    quoted(actuator)
                );
                Err(self.wrong(key, sentence))
            }
            _ => Ok(()),
        }
    }

    fn side(&self, key: Node<'_, '_>, side: &str, rate: f64) -> Result<KeySide, FileMistake> {
        let tangent = key.children().find(|child| {
            child.has_tag_name_of("Tangent") && child.attribute("side") == Some(side)
        });
        let Some(tangent) = tangent else {
            return Ok(KeySide::Spline);
        };
        let kind = tangent
            .attributes()
            .find(|attribute| attribute.name() == "interpType")
            .map_or("bezier", |attribute| attribute.value());
        match kind {
            "linear" => return Ok(KeySide::Linear),
            "constant" => return Ok(KeySide::Step),
            "bezier_auto" => return Ok(KeySide::Spline),
            "bezier" => {}
            _ => {
                let sentence = format!("the kind {} of a tangent", quoted(kind));
                return Err(self.wrong(tangent, sentence));
            }
        }
        let frames = self.number(tangent, "abscissaParam")?.unwrap_or(0.0);
        let value = self.number(tangent, "ordinateParam")?.unwrap_or(0.0);
        let time = frames * 1e9 / rate;
        if time.abs() > TIME_MAX as f64 {
            return Err(self.wrong(tangent, "a tangent longer than any motion"));
        }
        Ok(KeySide::Bezier(BezierHandle {
            time: time.round() as i64,
            value,
        }))
    }
}
