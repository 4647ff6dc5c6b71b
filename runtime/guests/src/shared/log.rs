//! The log of a guest: lines that it writes, and lines that a score prints as WASI's programs do.
//! Written by the guest, on the loop's thread or on its own; read by the manager.
//! The law: it is bounded, and no line is lost silently. A printed line is cut where a written one is. A line for
//! which there is no room is dropped and counted; the next line that has room is preceded by that count.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use rtrb::{Consumer, Producer, RingBuffer};
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

use crate::shared::answer::{HostAnswer, Level};
use crate::shared::guest_body::GuestBody;
use crate::shared::log_line::{LINE_MAX, LogLine};

/// Lines that the queue holds.
const LINES: usize = 64;

/// Bytes that may be printed in one call.
const PRINTED: usize = 64 << 10;

/// Where a guest's lines go.
#[derive(Debug)]
pub(crate) enum Log {
    /// A motion's: it has one writer, and writing never blocks.
    Own(Producer<LogLine>),
    /// A score's: it is written by the contract's `log`, and by WASI's outputs.
    Shared(Arc<Mutex<LogQueue>>),
}

impl Log {
    pub(crate) fn own() -> (Log, Consumer<LogLine>) {
        let (lines, written) = RingBuffer::new(LINES);
        (Log::Own(lines), written)
    }

    pub(crate) fn shared() -> (Log, Consumer<LogLine>) {
        let (lines, written) = RingBuffer::new(LINES + LAST);
        let queue = LogQueue { lines, lost: 0 };
        (Log::Shared(Arc::new(Mutex::new(queue))), written)
    }

    /// Writes a line if there is room.
    pub(crate) fn write(&mut self, line: LogLine) -> HostAnswer {
        let written = match self {
            Log::Own(lines) => lines.push(line).is_ok(),
            Log::Shared(queue) => {
                let mut queue = lock(queue);
                queue.room() > 0 && queue.lines.push(line).is_ok()
            }
        };
        if written {
            HostAnswer::Done
        } else {
            HostAnswer::Full
        }
    }
}

/// One place is kept for the count of lost lines.
const LAST: usize = 1;

/// The queue that a score writes and prints to.
#[derive(Debug)]
pub(crate) struct LogQueue {
    lines: Producer<LogLine>,
    /// Lines that were lost since the last count was written.
    lost: u64,
}

impl LogQueue {
    fn room(&self) -> usize {
        self.lines.slots().saturating_sub(LAST)
    }

    fn print(&mut self, line: LogLine) {
        let needed = 1 + usize::from(self.lost > 0);
        if self.room() < needed {
            self.lost += 1;
            return;
        }
        self.tell_lost(line.now);
        // There is room.
        let _ = self.lines.push(line);
    }

    fn tell_lost(&mut self, now: u64) {
        if self.lost > 0 {
            let told = format!("lines lost before this: {}", self.lost);
            let told = self.lines.push(LogLine::new(now, Level::Warning, &told));
            self.lost = told.map_or(self.lost, |()| 0);
        }
    }
}

/// A score's standard output or standard error.
#[derive(Clone, Debug)]
pub(crate) struct LinePrinter {
    queue: Arc<Mutex<LogQueue>>,
    body: Arc<GuestBody>,
    begun: Arc<Mutex<PartialLine>>,
}

/// A line that has not ended yet.
#[derive(Debug, Default)]
struct PartialLine {
    /// At most as many as a line has.
    bytes: Vec<u8>,
    /// A line has begun, even if it has no bytes.
    is_there: bool,
    is_cut: bool,
}

impl LinePrinter {
    pub(crate) fn new(queue: &Arc<Mutex<LogQueue>>, body: &Arc<GuestBody>) -> LinePrinter {
        LinePrinter {
            queue: Arc::clone(queue),
            body: Arc::clone(body),
            begun: Arc::default(),
        }
    }

    fn print(&self, bytes: &[u8]) {
        let mut begun = lock(&self.begun);
        for piece in bytes.split_inclusive(|it| *it == b'\n') {
            let (text, ends) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            let room = LINE_MAX - begun.bytes.len();
            let kept = &text[..room.min(text.len())];
            begun.bytes.extend_from_slice(kept);
            begun.is_cut |= kept.len() < text.len();
            begun.is_there = true;
            if ends {
                self.end_line(&mut begun);
            }
        }
    }

    fn end_line(&self, begun: &mut PartialLine) {
        let begun = std::mem::take(begun);
        let mut text = &begun.bytes[..];
        if begun.is_cut {
            // It is cut between letters, not inside one.
            let cut = std::str::from_utf8(text).err();
            let cut = cut.filter(|it| it.error_len().is_none());
            text = cut.map_or(text, |it| &text[..it.valid_up_to()]);
        } else {
            text = text.strip_suffix(b"\r").unwrap_or(text);
        }
        let now = self.body.window.now().nanos();
        let line = LogLine::new(now, Level::Info, &String::from_utf8_lossy(text));
        lock(&self.queue).print(line);
    }

    /// Ends the output: an unfinished line is written, and then the count of lost lines.
    pub(crate) fn end(&self) {
        let mut begun = lock(&self.begun);
        if begun.is_there {
            self.end_line(&mut begun);
        }
        lock(&self.queue).tell_lost(self.body.window.now().nanos());
    }
}

/// Only the score's own thread writes, so that after a panic the data is still consistent.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl IsTerminal for LinePrinter {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for LinePrinter {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for LinePrinter {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.print(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(PRINTED)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for LinePrinter {
    async fn ready(&mut self) {}
}

impl AsyncWrite for LinePrinter {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        self.print(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
