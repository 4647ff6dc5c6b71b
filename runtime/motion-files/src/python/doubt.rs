//! Why something in a script is not known.

use crate::fault::quoted;

/// Why something is not known: the sentence, and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Doubt {
    pub(super) byte: usize,
    pub(super) sentence: String,
}

impl Doubt {
    pub(super) fn new(byte: usize, sentence: impl Into<String>) -> Doubt {
        Doubt {
            byte,
            sentence: sentence.into(),
        }
    }

    /// What only Python could find out.
    pub(super) fn executed(byte: usize, what: &str) -> Doubt {
        let what = quoted(what);
        Doubt::new(
            byte,
            format!("{what} would have to be executed; fix: write its value"),
        )
    }
}
