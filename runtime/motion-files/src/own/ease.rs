//! The words for how a command goes on to the next one. Called by the readers and writers of our
//! own files.
//! `read(written(sides)) == sides`.

use crate::fault::quoted;
use crate::motion::{BezierHandle, EaseShape, JointKey, KeySide};
use crate::text::number::{number, shortest};
use crate::units::{seconds, written_time};

/// How a command goes on to the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EaseText {
    leave: KeySide,
    arrive: KeySide,
}

const WORDS: [(&str, KeySide, KeySide); 7] = [
    ("linear", KeySide::Linear, KeySide::Linear),
    ("step", KeySide::Step, KeySide::Linear),
    ("spline", KeySide::Spline, KeySide::Spline),
    ("ease-in", KeySide::Ease(EaseShape::In), KeySide::Linear),
    ("ease-out", KeySide::Ease(EaseShape::Out), KeySide::Linear),
    (
        "ease-in-out",
        KeySide::Ease(EaseShape::InOut),
        KeySide::Linear,
    ),
    (
        "min-jerk",
        KeySide::Ease(EaseShape::MinJerk),
        KeySide::Linear,
    ),
];

impl EaseText {
    /// Reads a word, or `bezier(...)`.
    pub(super) fn read(text: &str, comma: bool) -> Result<EaseText, String> {
        let text = text.trim();
        if let Some((_, leave, arrive)) = WORDS.iter().find(|word| word.0 == text) {
            return Ok(EaseText {
                leave: *leave,
                arrive: *arrive,
            });
        }
        let inside = text
            .strip_prefix("bezier(")
            .and_then(|rest| rest.strip_suffix(')'))
            .ok_or_else(|| {
                let known: Vec<_> = WORDS.iter().map(|word| word.0).collect();
                format!(
                    "{} is no way to the next command; fix: use {}, or bezier(0.2 0.4 / -0.3 0)",
                    quoted(text),
                    known.join(", ")
                )
            })?;
        let (first, second) = inside
            .split_once('/')
            .ok_or("bezier needs two handles, with / between them")?;
        let leave = handle(first, comma)?;
        let arrive = handle(second, comma)?;
        Ok(EaseText {
            leave: KeySide::Bezier(leave),
            arrive: KeySide::Bezier(arrive),
        })
    }

    /// How the command is left, and how the next one is reached.
    pub(super) fn sides(self) -> (KeySide, KeySide) {
        (self.leave, self.arrive)
    }
}

fn handle(text: &str, comma: bool) -> Result<BezierHandle, String> {
    let mut words = text.split_whitespace();
    let (Some(time), Some(value), None) = (words.next(), words.next(), words.next()) else {
        return Err("a handle has two numbers: seconds, and value".to_owned());
    };
    let faulty = |word: &str, fault| format!("{} in a handle: {fault}", quoted(word));
    Ok(BezierHandle {
        time: written_time(time, comma).map_err(|error| faulty(time, error))?,
        value: number(value, comma).map_err(|error| faulty(value, error))?,
    })
}

/// The words for what is between two keys; none if there are none.
pub(super) fn written(key: &JointKey, next: &JointKey) -> Option<String> {
    let known = WORDS
        .iter()
        .find(|word| (word.1, word.2) == (key.leave, next.arrive));
    if let Some((word, ..)) = known {
        return Some((*word).to_owned());
    }
    let (KeySide::Bezier(leave), KeySide::Bezier(arrive)) = (key.leave, next.arrive) else {
        return None;
    };
    let text =
        |handle: BezierHandle| format!("{} {}", seconds(handle.time), shortest(handle.value));
    Some(format!("bezier({} / {})", text(leave), text(arrive)))
}
