//! `log`: lines for people.

use wasmtime::component::{LinkerInstance, WasmStr};

use super::{Cx, Host, head, offer};
use crate::answer::{Answer, Level};

pub(super) const NAME: &str = "dcm:choreography/log@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["write"];

/// The longest line, bytes.
pub(crate) const LINE_MAX: usize = 256;

/// Lines that may be written in one call of a hook.
const LINES_PER_CALL: u32 = 4;

/// A line on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) now: u64,
    pub(crate) level: Level,
    length: u16,
    text: [u8; LINE_MAX],
}

impl Line {
    /// A line of these words; what is too long is cut.
    pub(crate) fn new(now: u64, level: Level, text: &str) -> Line {
        let (mut bytes, mut length) = ([0; LINE_MAX], 0usize);
        for letter in head(text, LINE_MAX).chars() {
            // Nothing that would move a terminal's cursor, or begin a line of somebody else's: of those of
            // two bytes neither.
            let letter = if letter.is_control() { ' ' } else { letter };
            let rest = bytes.get_mut(length..).unwrap_or_default();
            if rest.len() < letter.len_utf8() {
                break;
            }
            length = length.saturating_add(letter.encode_utf8(rest).len());
        }
        Line {
            now,
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

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "write",
        |mut cx: Cx<'_>, (level, text): (Level, WasmStr)| {
            if cx.data().inside() && cx.data().counts.lines >= LINES_PER_CALL {
                return Ok((Answer::TooMuch,));
            }
            let line = Line::new(cx.data().now(), level, &text.to_str(&cx)?);
            let host = cx.data_mut();
            host.counts.lines = host.counts.lines.saturating_add(1);
            Ok((host.lines.write(line),))
        },
    )
}
