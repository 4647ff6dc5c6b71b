//! Mistakes in files, and why a motion cannot be written. Made by every reader and writer.
//! A mistake names its line and column, counted from 1, and says what to do; for a file
//! that is no text, the column is the byte. A text from the file is made safe to print.

use std::fmt;

use printable::printable;

/// The greatest number of mistakes that are shown.
const MISTAKES_MAX: usize = 10;

/// The longest word of a file that a message quotes, letters.
const QUOTED_MAX: usize = 40;

/// A mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMistake {
    /// Its line, counted from 1.
    pub line: usize,
    /// Its column, in letters, counted from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub sentence: String,
}

impl FileMistake {
    pub(crate) fn new(line: usize, column: usize, sentence: impl Into<String>) -> FileMistake {
        FileMistake {
            line,
            column,
            sentence: sentence.into(),
        }
    }

    /// A mistake at a byte of a text.
    pub(crate) fn at(text: &str, byte: usize, sentence: impl Into<String>) -> FileMistake {
        let (line, column) = place(text, byte);
        FileMistake::new(line, column, sentence)
    }

    /// A mistake at a byte of a file that is no text.
    pub(crate) fn at_byte(byte: usize, sentence: impl Into<String>) -> FileMistake {
        FileMistake::new(1, byte + 1, sentence)
    }
}

impl fmt::Display for FileMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.sentence
        )
    }
}

/// Why a file was not read: its mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFailure {
    /// The first of them; at least one.
    pub list: Vec<FileMistake>,
    /// The number of further mistakes.
    pub more: usize,
}

impl fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, item) in self.list.iter().enumerate() {
            let end = if number + 1 < self.list.len() {
                "\n"
            } else {
                ""
            };
            write!(f, "{item}{end}")?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for ReadFailure {}

impl From<FileMistake> for ReadFailure {
    fn from(mistake: FileMistake) -> ReadFailure {
        ReadFailure {
            list: vec![mistake],
            more: 0,
        }
    }
}

/// Gathers mistakes while a file is read to its end.
#[derive(Debug, Default)]
pub(crate) struct MistakeList {
    list: Vec<FileMistake>,
    more: usize,
}

impl MistakeList {
    pub(crate) fn add(&mut self, mistake: FileMistake) {
        if self.list.len() < MISTAKES_MAX {
            self.list.push(mistake);
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The result without its mistake, which is kept.
    pub(crate) fn keep<T>(&mut self, result: Result<T, FileMistake>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// What was read, unless there were mistakes.
    pub(crate) fn or<T>(self, read: T) -> Result<T, ReadFailure> {
        if self.list.is_empty() {
            return Ok(read);
        }
        Err(ReadFailure {
            list: self.list,
            more: self.more,
        })
    }
}

/// Why a motion cannot be written in a format.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteFailure {
    /// The format holds documents of another kind.
    OtherKind {
        /// What the document is.
        document: &'static str,
        /// The format.
        format: &'static str,
    },
    /// The format cannot hold this.
    NoRoom {
        /// The format.
        format: &'static str,
        /// What it cannot hold, and what to do.
        what: String,
    },
    /// What was written does not read as the same.
    Lossy {
        /// The format.
        format: &'static str,
        /// The first difference.
        what: String,
    },
}

impl fmt::Display for WriteFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteFailure::OtherKind { document, format } => {
                write!(f, "{document} cannot be written as {format}")
            }
            WriteFailure::NoRoom { format, what } => {
                write!(f, "{format} cannot hold this: {what}")
            }
            WriteFailure::Lossy { format, what } => write!(
                f,
                "{format} cannot hold this exactly: {what}; fix: adapt it to the format first"
            ),
        }
    }
}

impl std::error::Error for WriteFailure {}

/// The line and column of a byte of a text; each end of a line may be LF, CR LF or CR.
pub(crate) fn place(text: &str, byte: usize) -> (usize, usize) {
    let mut end = byte.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = text.get(..end).unwrap_or(text);
    let mut line = 1;
    let mut start = 0;
    let mut bytes = before.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        let is_end = match byte {
            b'\n' => true,
            b'\r' => {
                bytes.peek().is_none_or(|byte| byte.1 != b'\n') && !text[at..].starts_with("\r\n")
            }
            _ => false,
        };
        if is_end {
            line += 1;
            start = at + 1;
        }
    }
    let column = before.get(start..).map_or(0, |text| text.chars().count()) + 1;
    (line, column)
}

/// How far the known places of a text are from each other, bytes.
const PLACE_STEP: usize = 512;

/// Places of a text, so that many of them are found in a time that does not grow with the text.
#[derive(Debug)]
pub(crate) struct PlaceIndex {
    /// By the number of a step: its byte, its line, and the letters before it in this line.
    known: Vec<(usize, usize, usize)>,
}

impl PlaceIndex {
    /// Reads the text once.
    pub(crate) fn new(text: &str) -> PlaceIndex {
        let mut known = vec![(0, 1, 0)];
        let mut last = (0, 1, 0);
        while last.0 + PLACE_STEP < text.len() {
            let mut next = last.0 + PLACE_STEP;
            // A step begins between letters, and not within CR LF.
            while !text.is_char_boundary(next) || text[..next].ends_with('\r') {
                next += 1;
            }
            last = moved(text, last, next);
            known.push(last);
        }
        PlaceIndex { known }
    }

    /// The line and column of a byte, as [`place`] has them.
    pub(crate) fn place(&self, text: &str, byte: usize) -> (usize, usize) {
        let after = self.known.partition_point(|name| name.0 <= byte);
        let known = after.checked_sub(1).and_then(|value| self.known.get(value));
        let (_, line, letters) = moved(text, *known.unwrap_or(&(0, 1, 0)), byte);
        (line, letters + 1)
    }
}

/// The place of a byte, from one before it.
fn moved(
    text: &str,
    (from, line, letters): (usize, usize, usize),
    byte: usize,
) -> (usize, usize, usize) {
    let (more, column) = place(text.get(from..).unwrap_or(""), byte - from);
    let before = if more == 1 { letters } else { 0 };
    (byte, line + more - 1, before + column - 1)
}

/// A word of a file, made safe and short for a message.
pub(crate) fn quoted(word: &str) -> String {
    let short: String = word.chars().take(QUOTED_MAX).collect();
    let dots = if short.len() < word.len() { "…" } else { "" };
    format!("`{}{dots}`", printable(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_letters_and_lines() {
        let text = "aé\r\nb\rc\nd";
        let places: Vec<_> = [0, 1, 3, 5, 6, 7, 8, 9, 10, 99]
            .map(|i| place(text, i))
            .to_vec();
        let expected = [
            (1, 1),
            (1, 2),
            (1, 3),
            (2, 1),
            (2, 2),
            (3, 1),
            (3, 2),
            (4, 1),
            (4, 2),
            (4, 2),
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn an_index_has_the_same_places() {
        let text = "aé\r\nb\rc\n\r\r\ndü\n".repeat(200) + &"é".repeat(2_000) + "\r\r\r\n\n";
        let index = PlaceIndex::new(&text);
        for byte in 0..text.len() + 3 {
            assert_eq!(index.place(&text, byte), place(&text, byte), "{byte}");
        }
    }

    #[test]
    fn words_of_files_are_safe_to_print() {
        assert_eq!(quoted("a\u{1b}[31m"), "`a [31m`");
        assert_eq!(quoted(&"x".repeat(50)), format!("`{}…`", "x".repeat(40)));
    }
}
