//! A line of a guest on its way to the log: of fixed size, so that writing one allocates nothing.
//! Made by the contract's `log.write` and by what a guest prints; read outside the turn.
//! A line has no control characters, and is cut where a letter begins.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "what comes from a guest can be anything"
)]

use printable::printable_char;

use crate::shared::answer::Level;

/// The longest line, bytes.
pub(crate) const LINE_MAX: usize = 256;

/// When a line was written: the robot's time, ns, and the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LineTime {
    pub(crate) now: u64,
    pub(crate) turn: u64,
}

/// A line on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogLine {
    pub(crate) at: LineTime,
    pub(crate) level: Level,
    length: u16,
    text: [u8; LINE_MAX],
}

impl LogLine {
    /// A line of this text; what is too long is cut off.
    pub(crate) fn new(at: LineTime, level: Level, text: &str) -> LogLine {
        LogLine::of(at, level, text.chars())
    }

    /// A line of these bytes, with U+FFFD instead of those that are no UTF-8.
    pub(crate) fn of_bytes(at: LineTime, level: Level, bytes: &[u8]) -> LogLine {
        let letters = bytes.utf8_chunks().flat_map(|chunk| {
            let other = (!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER);
            chunk.valid().chars().chain(other)
        });
        LogLine::of(at, level, letters)
    }

    fn of(at: LineTime, level: Level, letters: impl Iterator<Item = char>) -> LogLine {
        let (mut bytes, mut length, mut read) = ([0; LINE_MAX], 0usize, 0usize);
        for letter in letters {
            read = read.saturating_add(letter.len_utf8());
            // A line could look like another guest's.
            let letter = printable_char(letter);
            let rest = bytes.get_mut(length..).unwrap_or_default();
            if read > LINE_MAX || rest.len() < letter.len_utf8() {
                break;
            }
            length = length.saturating_add(letter.encode_utf8(rest).len());
        }
        LogLine {
            at,
            level,
            length: u16::try_from(length).unwrap_or(0),
            text: bytes,
        }
    }

    pub(crate) fn text(&self) -> &str {
        let bytes = self.text.get(..usize::from(self.length)).unwrap_or(&[]);
        std::str::from_utf8(bytes).unwrap_or("")
    }
}
