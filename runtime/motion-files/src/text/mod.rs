//! From the bytes of a file to its text and lines. Called by every reader of texts, before anything
//! else.
//! UTF-8 with or without a byte-order mark, UTF-16 with one or recognisable without, and
//! lines that end in LF, CR LF or CR are all the same text; any other bytes are refused at their
//! place.

pub(crate) mod cursor;
pub(crate) mod number;

use std::borrow::Cow;
use std::fmt;

use crate::fault::FileMistake;

/// The largest file, bytes.
pub const FILE_MAX: usize = 100_000_000;

/// Why bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextFault {
    Large,
    Nul,
    NotUtf8(u8),
    HalfUtf16,
    Binary(&'static str),
}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextFault::Large => write!(
                f,
                "the file has more than {} MB; fix: divide it",
                FILE_MAX / 1_000_000
            ),
            TextFault::Nul => write!(
                f,
                "the file has a NUL, which no text has; fix: check that it is whole, and a text"
            ),
            TextFault::NotUtf8(byte) => write!(
                f,
                "the byte 0x{byte:02x} is not UTF-8; fix: save the file as UTF-8"
            ),
            TextFault::HalfUtf16 => write!(
                f,
                "the text is UTF-16, but broken here; fix: save the file as UTF-8"
            ),
            TextFault::Binary(what) => write!(
                f,
                "the file is {what}, not a text; fix: export the motion as a text"
            ),
        }
    }
}

/// Beginnings of files that people drop by mistake.
const BINARY: [(&[u8], &str); 5] = [
    (b"PK\x03\x04", "an archive or spreadsheet"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"\x89PNG", "a picture"),
    (b"%PDF", "a PDF"),
    (b"\0asm", "WebAssembly"),
];

/// The text of a file.
///
/// # Errors
/// Where it is no text, and what to do.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, FileMistake> {
    let whole = |fault: TextFault| FileMistake::new(1, 1, fault.to_string());
    if bytes.len() > FILE_MAX {
        return Err(whole(TextFault::Large));
    }
    if let Some((_, what)) = BINARY.iter().find(|pair| bytes.starts_with(pair.0)) {
        return Err(whole(TextFault::Binary(what)));
    }
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => {
            Cow::Owned(utf16(bytes, u16::from_le_bytes)?)
        }
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => {
            Cow::Owned(utf16(bytes, u16::from_be_bytes)?)
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(utf8(rest)?),
        _ => match utf8(bytes) {
            Err(_) if is_latin(bytes) => {
                Cow::Owned(bytes.iter().copied().map(char::from).collect())
            }
            text => Cow::Borrowed(text?),
        },
    };
    match text.find('\0') {
        Some(at) => Err(FileMistake::at(&text, at, TextFault::Nul.to_string())),
        None => Ok(text),
    }
}

/// Whether one of the first two lines says, as scripts of Python do, that letters are of an encoding with one byte for
/// each. These differ in letters that no name of a joint has.
fn is_latin(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').take(2);
    lines.any(|line| {
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        let encoding = line.split_once("coding").map_or("", |pair| pair.1);
        let encoding = encoding.trim_start_matches([':', '=', ' ']);
        let known = ["latin", "iso-8859-", "iso8859-", "cp1252", "windows-1252"];
        line.starts_with('#') && known.iter().any(|item| encoding.starts_with(item))
    })
}

fn utf8(bytes: &[u8]) -> Result<&str, FileMistake> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let good = std::str::from_utf8(good).unwrap_or_default();
        let fault = match bytes.get(good.len()) {
            Some(byte) => TextFault::NotUtf8(*byte),
            None => TextFault::NotUtf8(0),
        };
        FileMistake::at(good, good.len(), fault.to_string())
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, FileMistake> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut text = String::with_capacity(pairs.len());
    for letter in char::decode_utf16(units) {
        match letter {
            Ok(letter) => text.push(letter),
            Err(_) => {
                let sentence = TextFault::HalfUtf16.to_string();
                return Err(FileMistake::at(&text, text.len(), sentence));
            }
        }
    }
    if rest.is_empty() {
        Ok(text)
    } else {
        let sentence = TextFault::HalfUtf16.to_string();
        Err(FileMistake::at(&text, text.len(), sentence))
    }
}

/// A line of a text, without its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceLine<'t> {
    /// Counted from 1.
    pub(crate) number: usize,
    /// Its text.
    pub(crate) text: &'t str,
}

/// A part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceWord<'t> {
    /// Where it begins in its line, bytes.
    pub(crate) start: usize,
    /// Its text.
    pub(crate) text: &'t str,
}

impl<'t> SourceLine<'t> {
    /// A mistake in this line.
    pub(crate) fn wrong(&self, word: &SourceWord<'_>, sentence: impl Into<String>) -> FileMistake {
        let before = self.text.get(..word.start).unwrap_or(self.text);
        FileMistake::new(self.number, before.chars().count() + 1, sentence.into())
    }

    /// A mistake at the end of this line.
    pub(crate) fn short(&self, sentence: impl Into<String>) -> FileMistake {
        let text = self.text.trim_end();
        FileMistake::new(self.number, text.chars().count() + 1, sentence.into())
    }

    /// Its words, between letters that are separators.
    pub(crate) fn words(&self, is_separator: fn(char) -> bool) -> Vec<SourceWord<'t>> {
        let mut words = Vec::new();
        let mut start = None;
        for (at, letter) in self.text.char_indices() {
            match (is_separator(letter), start) {
                (false, None) => start = Some(at),
                (true, Some(from)) => {
                    words.extend(self.word(from, at));
                    start = None;
                }
                _ => {}
            }
        }
        words.extend(start.and_then(|from| self.word(from, self.text.len())));
        words
    }

    /// Its fields, between separators; without the blanks around them.
    pub(crate) fn fields(&self, separator: char) -> Vec<SourceWord<'t>> {
        let mut from = 0;
        let fields = self.text.split(separator).map(|field| {
            let bare = field.trim_start();
            let start = from + field.len() - bare.len();
            from += field.len() + separator.len_utf8();
            let text = bare.trim_end();
            SourceWord { start, text }
        });
        fields.collect()
    }

    /// What is from one byte of the line to another.
    pub(crate) fn word(&self, from: usize, to: usize) -> Option<SourceWord<'t>> {
        let text = self.text.get(from..to)?;
        Some(SourceWord { start: from, text })
    }
}

/// The longest line of a file that is read line by line, bytes.
const LINE_MAX: usize = 1_000_000;

/// Checks that no line is so long that it cannot be one. It looks at the letters before each limit alone: a file
/// that is one line is refused at once.
pub(crate) fn check_lines(text: &str) -> Result<(), FileMistake> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(part) = bytes.get(from..=from + LINE_MAX) {
        match part.iter().rposition(|item| matches!(item, b'\n' | b'\r')) {
            Some(end) => from += end + 1,
            None => {
                let sentence =
                    format!("the line has more than {LINE_MAX} bytes; fix: check the file");
                return Err(FileMistake::at(text, from, sentence));
            }
        }
    }
    Ok(())
}

/// The remark on a text that stops within its last line, so that its last number may lack digits. White space or a
/// bracket behind it shows that it does not.
pub(crate) fn cut_off(text: &str) -> Option<FileMistake> {
    let sentence =
        "the end of the last line is missing: the file may be cut off; fix: check its end";
    let is_whole =
        text.is_empty() || text.ends_with(|c: char| c.is_whitespace() || "]}".contains(c));
    (!is_whole).then(|| FileMistake::at(text, text.len(), sentence))
}

/// The lines of a text: each end may be LF, CR LF or CR.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = SourceLine<'_>> {
    let mut rest = Some(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest?;
        number += 1;
        let Some(end) = text.find(['\n', '\r']) else {
            rest = None;
            return (!text.is_empty()).then_some(SourceLine { number, text });
        };
        let (line, after) = text.split_at(end);
        let after = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        rest = after;
        Some(SourceLine { number, text: line })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_comes_out_of_every_encoding() {
        let text = "HeadYaw = 0,5 °\nb";
        let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let mark = |mark: &[u8], rest: &[u8]| [mark, rest].concat();
        for bytes in [
            text.as_bytes().to_vec(),
            mark(b"\xef\xbb\xbf", text.as_bytes()),
            mark(b"\xff\xfe", &le),
            mark(b"\xfe\xff", &be),
            le,
            be,
        ] {
            assert_eq!(decode(&bytes).expect("a text"), text);
        }
    }

    #[test]
    fn other_bytes_are_refused_at_their_place() {
        let wrong = |bytes: &[u8]| decode(bytes).expect_err("no text").to_string();
        assert!(wrong(b"a\r\nb\xfcc").starts_with("line 2, column 2: the byte 0xfc"));
        assert!(wrong(b"a\nbc\0").starts_with("line 2, column 3: the file has a NUL"));
        assert!(wrong(b"\xff\xfea\0\n\0b").starts_with("line 2, column 1: the text is UTF-16"));
        assert!(wrong(b"PK\x03\x04...").contains("an archive or spreadsheet"));
    }

    #[test]
    fn a_line_that_is_too_long_has_its_place() {
        let line = |length: usize| "x".repeat(length);
        for good in [
            line(LINE_MAX),
            format!("{0}\n{0}\r\n{0}", line(LINE_MAX)),
            format!("{}\n", "ab\n".repeat(LINE_MAX)),
        ] {
            check_lines(&good).expect("short lines");
        }
        for (before, number) in [
            ("", 1),
            ("a\nb\r\n\rc\n", 5),
            (&*"ab\n".repeat(LINE_MAX), LINE_MAX + 1),
        ] {
            let long = format!("{before}{}\nz", line(LINE_MAX + 1));
            let mistake = check_lines(&long).expect_err("a long line");
            assert_eq!((mistake.line, mistake.column), (number, 1));
        }
    }

    #[test]
    fn lines_end_in_three_ways() {
        for text in ["a\nb\n\nc", "a\r\nb\r\n\r\nc", "a\rb\r\rc"] {
            let all: Vec<_> = lines(text).map(|line| (line.number, line.text)).collect();
            assert_eq!(all, [(1, "a"), (2, "b"), (3, ""), (4, "c")]);
        }
        assert_eq!(lines("").count(), 0);
        assert_eq!(lines("a\n").count(), 1);
    }
}
