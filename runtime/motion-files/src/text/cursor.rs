//! A text whose mistakes have places. Used by `python`.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::fault::{FileMistake, PlaceIndex};

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

    /// A mistake at a byte.
    pub(crate) fn wrong_at(&self, byte: usize, sentence: impl Into<String>) -> FileMistake {
        let places = self.places.get_or_init(|| PlaceIndex::new(self.text));
        let (line, column) = places.place(self.text, byte);
        FileMistake::new(line, column, sentence)
    }
}
