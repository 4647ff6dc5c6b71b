//! A place in a text that is read letter by letter: for the little languages of exports and
//! settings. Called by `python` and `team::settings`.
//! It never goes past the end, and every mistake has the place of the letter that is read.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::fault::{FileMistake, PlaceIndex};

/// The longest text between quotes, letters.
const TEXT_MAX: usize = 10_000;

/// A place in a text.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    /// Made with the first mistake: a file may have as many as it has lines.
    places: Rc<OnceCell<PlaceIndex>>,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Cursor<'t> {
        Cursor {
            text,
            at: 0,
            places: Rc::default(),
        }
    }

    /// What is not read yet.
    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Where it is, bytes.
    pub(crate) fn byte(&self) -> usize {
        self.at
    }

    /// The next letter.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the next letter.
    pub(crate) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// Takes this text if it comes next.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// Takes bytes that were looked at; stays if they do not end between letters.
    pub(crate) fn skip_bytes(&mut self, bytes: usize) {
        if self.text.is_char_boundary(self.at + bytes) {
            self.at += bytes;
        }
    }

    /// Takes letters as long as they are of a kind.
    pub(crate) fn take_while(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|item| !is(item)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    /// Takes a name: letters, digits and _, not beginning with a digit.
    pub(crate) fn name(&mut self) -> Option<&'t str> {
        if !self.peek()?.is_alphabetic() && self.peek()? != '_' {
            return None;
        }
        Some(self.take_while(|c| c.is_alphanumeric() || c == '_'))
    }

    /// Takes what looks like a number, with its sign; what it is decides who reads it.
    pub(crate) fn number_text(&mut self) -> &'t str {
        let from = self.at;
        let _ = self.take("-") || self.take("+");
        loop {
            self.take_while(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
            let so_far = self.text.get(from..self.at).unwrap_or("");
            // The sign of an exponent.
            let is_exponent = so_far.ends_with(['e', 'E']) && !so_far.starts_with(['e', 'E']);
            if !(is_exponent && (self.take("-") || self.take("+"))) {
                return self.text.get(from..self.at).unwrap_or("");
            }
        }
    }

    /// Takes a text between quotes; the first quote is the next letter.
    pub(crate) fn quoted_text(&mut self) -> Result<String, FileMistake> {
        let from = self.at;
        let unfinished = |item: &Self, what: &str| {
            let sentence = format!("the text that begins here {what}");
            FileMistake::at(item.text, from, sentence)
        };
        let quote = self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None | Some('\n' | '\r') => {
                    return Err(unfinished(self, "has no end; fix: close its quotes"));
                }
                letter if letter == quote => return Ok(text),
                Some('\\') => match self.next() {
                    Some(letter @ ('\\' | '\'' | '"' | '/')) => text.push(letter),
                    _ => {
                        return Err(unfinished(
                            self,
                            "has an escape; fix: write the letter itself",
                        ));
                    }
                },
                Some(letter) => text.push(letter),
            }
            if text.len() > TEXT_MAX {
                return Err(unfinished(self, "is too long"));
            }
        }
    }

    /// A mistake at a byte.
    pub(crate) fn wrong_at(&self, byte: usize, sentence: impl Into<String>) -> FileMistake {
        let places = self.places.get_or_init(|| PlaceIndex::new(self.text));
        let (line, column) = places.place(self.text, byte);
        FileMistake::new(line, column, sentence)
    }

    /// A mistake here.
    pub(crate) fn wrong(&self, sentence: impl Into<String>) -> FileMistake {
        self.wrong_at(self.at, sentence)
    }
}
