//! `stdio`: the standard output and standard error of a core module, which calls them through what stands for WASI
//! preview 1 in it (`load/wasi_p1.wat`).
//! Any bytes, however many, cost what is charged for them, and a line that is lost is counted.

use wasmtime::component::{LinkerInstance, WasmList};

use super::log::LINES_PER_CALL;
use super::{Cx, Host, charge, offer};
use crate::shared::partial_line::PartialLine;

pub(super) const NAME: &str = "dcm:choreography/stdio@0.1.0";

pub(super) const FUNCTIONS: &[&str] = &["write"];

/// Fuel that a byte costs, which may be a line of its own.
const BYTE: u64 = 10;

/// Bytes that are copied from a guest's memory at once.
const PIECE: usize = 256;

/// The lines that have not ended on the streams 1 and 2.
#[derive(Debug, Default)]
pub(crate) struct StandardStreams {
    output: PartialLine,
    error: PartialLine,
}

pub(super) fn link(linker: &mut LinkerInstance<'_, Host>) -> wasmtime::Result<()> {
    offer(
        linker,
        "write",
        |mut cx: Cx<'_>, (to, bytes): (u32, WasmList<u8>)| {
            let count = bytes.as_le_slice(&cx).len();
            charge(&mut cx, (count as u64).saturating_mul(BYTE))?;
            for at in (0..count).step_by(PIECE) {
                let mut piece = [0; PIECE];
                let rest = bytes.as_le_slice(&cx).get(at..).unwrap_or(&[]);
                let length = rest.len().min(PIECE);
                for (to, from) in piece.iter_mut().zip(rest) {
                    *to = *from;
                }
                let piece = piece.get(..length).unwrap_or(&[]);
                cx.data_mut().print(to, piece);
            }
            Ok(())
        },
    )
}

impl Host {
    fn print(&mut self, to: u32, bytes: &[u8]) {
        let (at, inside) = (self.line_time(), self.inside());
        let (counts, lines) = (&mut self.counts, &mut self.lines);
        let line = match to {
            1 => &mut self.printed.output,
            2 => &mut self.printed.error,
            _ => return,
        };
        line.take(bytes, |text| {
            let may = !inside || counts.lines < LINES_PER_CALL;
            counts.lines = counts.lines.saturating_add(u32::from(may));
            lines.print(at, text, may);
        });
    }

    /// Writes the lines that have not ended, and how many were lost: when the guest has ended, outside the turn.
    pub(crate) fn end_printing(&mut self) {
        let at = self.line_time();
        let StandardStreams { output, error } = &mut self.printed;
        for line in [output, error] {
            line.end(|text| self.lines.print(at, text, true));
        }
        self.lines.end_printing(at);
        if let Some(wasi) = &mut self.wasi {
            wasi.end_printing();
        }
    }
}
