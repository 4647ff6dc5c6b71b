//! A line that is printed in pieces: bytes are gathered until a line break.
//! Kept for each standard output and standard error, of scores with WASI and of core modules.
//! Of fixed size. A line is told once: when it ends, or as soon as it is longer than the log keeps.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "what comes from a guest can be anything"
)]

use crate::shared::log_line::LINE_MAX;

/// Bytes that are kept: as many as the log keeps, and the rest of a letter that begins among them, so that it is known
/// whether it is one.
const KEPT: usize = LINE_MAX.saturating_add(3);

/// A line that has not ended yet.
#[derive(Debug)]
pub(crate) struct PartialLine {
    bytes: [u8; KEPT],
    length: usize,
    /// It has begun, even if it has no bytes.
    has_begun: bool,
    /// It was too long, and is told already; the rest of it is dropped.
    is_told: bool,
}

impl Default for PartialLine {
    fn default() -> Self {
        PartialLine {
            bytes: [0; KEPT],
            length: 0,
            has_begun: false,
            is_told: false,
        }
    }
}

impl PartialLine {
    /// Takes what is printed; tells each line that ends in it, without its break, or that gets too long.
    pub(crate) fn take(&mut self, printed: &[u8], mut tell: impl FnMut(&[u8])) {
        for piece in printed.split_inclusive(|byte| *byte == b'\n') {
            self.has_begun = true;
            match piece.strip_suffix(b"\n") {
                None => self.gather(piece, &mut tell),
                Some(text) => {
                    self.gather(text, &mut tell);
                    self.end(&mut tell);
                }
            }
        }
    }

    fn gather(&mut self, text: &[u8], tell: impl FnOnce(&[u8])) {
        let rest = self.bytes.get_mut(self.length..).unwrap_or_default();
        let is_too_long = text.len() > rest.len();
        for (to, from) in rest.iter_mut().zip(text) {
            *to = *from;
        }
        self.length = self.length.saturating_add(text.len()).min(KEPT);
        if is_too_long && !self.is_told {
            tell(self.text());
            self.is_told = true;
        }
    }

    /// Ends the line, if it has begun; tells it if that was not done.
    pub(crate) fn end(&mut self, tell: impl FnOnce(&[u8])) {
        if self.has_begun && !self.is_told {
            let text = self.text();
            tell(text.strip_suffix(b"\r").unwrap_or(text));
        }
        (self.length, self.has_begun, self.is_told) = (0, false, false);
    }

    fn text(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&[])
    }
}
