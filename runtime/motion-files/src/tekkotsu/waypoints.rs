//! Waypoints, `.wyp`: where a robot walks. Called by `lib`.
//! An unknown word is a mistake; a line that is written is the line that was read. Lengths
//! are as the file has them: mm since Tekkotsu 5, m before.

use super::{blank_words, framed, word_number};
use crate::fault::{FileMistake, MistakeList, ReadFailure, quoted};
use crate::motion::KEYS_MAX;
use crate::text::number::shortest;
use crate::text::{SourceLine, SourceWord};

/// The first word of a file.
pub(crate) const MARK: &str = "#WyP";

/// A file of waypoints.
#[derive(Clone, Debug, PartialEq)]
pub struct WaypointFile {
    /// What follows `#WyP` on its line.
    pub header: String,
    /// Its lines, without the first and last.
    pub lines: Vec<WaypointLine>,
    /// Whether it ends with `#END`.
    pub ended: bool,
}

/// A line of a file of waypoints.
#[derive(Clone, Debug, PartialEq)]
pub enum WaypointLine {
    /// Nothing.
    Blank,
    /// What stands behind `#`.
    Comment(String),
    /// How fast it may turn towards the points that follow, rad/s.
    MaxTurnSpeed(f64),
    /// Whether it keeps to the path to the points that follow.
    TrackPath(bool),
    /// A point, or the centre of an arc.
    Point(Waypoint),
}

/// A point, or the centre of an arc.
#[derive(Clone, Debug, PartialEq)]
pub struct Waypoint {
    /// Whether x and y are the centre of an arc.
    pub is_arc: bool,
    /// What x and y count from.
    pub frame: WaypointFrame,
    /// x.
    pub x: f64,
    /// y.
    pub y: f64,
    /// Whether the angle is that of the body, not relative to the path.
    pub hold: bool,
    /// The angle, rad.
    pub angle: f64,
    /// The speed, per second.
    pub speed: f64,
    /// The angle of the arc, rad.
    pub arc: f64,
}

/// What the coordinates of a point count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaypointFrame {
    /// The body: x is forward, y left.
    Egocentric,
    /// The point before, along the axes of the world.
    Offset,
    /// The world.
    Absolute,
}

const FRAMES: [(&str, WaypointFrame); 3] = [
    ("ego", WaypointFrame::Egocentric),
    ("off", WaypointFrame::Offset),
    ("abs", WaypointFrame::Absolute),
];

impl WaypointFile {
    /// Reads a file.
    pub(crate) fn read(
        text: &str,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<WaypointFile, ReadFailure> {
        let framed = framed(text, MARK, remarks)?;
        let mut mistakes = MistakeList::default();
        let mut lines = Vec::new();
        for line in &framed.lines {
            if lines.len() >= KEYS_MAX {
                mistakes.add(line.short("too many lines"));
                break;
            }
            lines.extend(mistakes.keep(read_line(line)));
        }
        mistakes.or(WaypointFile {
            header: framed.header,
            lines,
            ended: framed.ended,
        })
    }

    /// Its text.
    pub(crate) fn write(&self) -> String {
        let mut out = format!("{MARK}{}\n", self.header);
        for line in &self.lines {
            let text = match line {
                WaypointLine::Blank => String::new(),
                WaypointLine::Comment(comment) => format!("#{comment}"),
                WaypointLine::MaxTurnSpeed(speed) => {
                    format!("max_turn_speed {}", shortest(*speed))
                }
                WaypointLine::TrackPath(on) => format!("track_path {}", u8::from(*on)),
                WaypointLine::Point(point) => written(point),
            };
            out.push_str(&text);
            out.push('\n');
        }
        if self.ended {
            out.push_str("#END\n");
        }
        out
    }
}

fn written(point: &Waypoint) -> String {
    let frame = FRAMES.iter().find(|frame| frame.1 == point.frame);
    let numbers = [point.x, point.y, point.angle, point.speed, point.arc].map(shortest);
    let [x, y, angle, speed, arc] = numbers;
    let word = if point.is_arc { "add_arc" } else { "add_point" };
    let hold = if point.hold { "hold" } else { "follow" };
    let frame = frame.map_or("abs", |frame| frame.0);
    format!("{word} {frame} {x} {y} {hold} {angle} {speed} {arc}")
}

fn read_line(line: &SourceLine<'_>) -> Result<WaypointLine, FileMistake> {
    if let Some(comment) = line.text.strip_prefix('#') {
        return Ok(WaypointLine::Comment(comment.to_owned()));
    }
    let words = blank_words(line);
    let Some(first) = words.first() else {
        return Ok(WaypointLine::Blank);
    };
    let (read, used) = match first.text.to_ascii_lowercase().as_str() {
        "max_turn_speed" => {
            let speed = word_number(line, words.get(1), "the speed")?;
            (WaypointLine::MaxTurnSpeed(speed), 2)
        }
        "track_path" => match words.get(1).map(|word| word.text) {
            Some("0") => (WaypointLine::TrackPath(false), 2),
            Some("1") => (WaypointLine::TrackPath(true), 2),
            _ => return Err(line.short("expected 0 or 1 behind track_path")),
        },
        "add_point" => (WaypointLine::Point(point(line, &words, false)?), 8),
        "add_arc" => (WaypointLine::Point(point(line, &words, true)?), 8),
        _ => {
            let sentence = format!(
                "unknown word {}; fix: use max_turn_speed, track_path, add_point or add_arc",
                quoted(first.text)
            );
            return Err(line.wrong(first, sentence));
        }
    };
    match words.get(used) {
        Some(word) => Err(line.wrong(word, "nothing may follow here; fix: remove it")),
        None => Ok(read),
    }
}

fn point(
    line: &SourceLine<'_>,
    words: &[SourceWord<'_>],
    is_arc: bool,
) -> Result<Waypoint, FileMistake> {
    let lower = |at: usize| words.get(at).map(|word| word.text.to_ascii_lowercase());
    let wrong = |at: usize, sentence: &str| match words.get(at) {
        Some(word) => line.wrong(word, sentence),
        None => line.short(sentence),
    };
    let frame = lower(1).and_then(|lower| FRAMES.iter().find(|known| known.0 == lower));
    let frame = frame.ok_or_else(|| wrong(1, "expected ego, off or abs"))?.1;
    let x = word_number(line, words.get(2), "x")?;
    let y = word_number(line, words.get(3), "y")?;
    let hold = match lower(4).as_deref() {
        Some("hold") => true,
        Some("follow") => false,
        _ => return Err(wrong(4, "expected hold or follow")),
    };
    Ok(Waypoint {
        is_arc,
        frame,
        x,
        y,
        hold,
        angle: word_number(line, words.get(5), "the angle")?,
        speed: word_number(line, words.get(6), "the speed")?,
        arc: word_number(line, words.get(7), "the angle of the arc")?,
    })
}
