//! `log`: lines for people. One that is refused is counted, and the next line that is written tells how many were.

use wasmtime::component::{LinkerInstance, WasmStr};

use super::{Cx, Host, offer};
use crate::shared::answer::{HostAnswer, Level};
use crate::shared::log_line::LogLine;

pub(super) const NAME: &str = "dcm:choreography/log@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["write"];

/// Lines that may be written in one call of a hook.
pub(super) const LINES_PER_CALL: u32 = 4;

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "write",
        |mut cx: Cx<'_>, (level, text): (Level, WasmStr)| {
            if cx.data().inside() && cx.data().counts.lines >= LINES_PER_CALL {
                cx.data_mut().lines.lose();
                return Ok((HostAnswer::TooMuch,));
            }
            let line = LogLine::new(cx.data().line_time(), level, &text.to_str(&cx)?);
            let host = cx.data_mut();
            host.counts.lines = host.counts.lines.saturating_add(1);
            Ok((host.lines.write(line),))
        },
    )
}
