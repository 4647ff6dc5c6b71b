//! The log of a guest: lines that it writes, and lines that it prints as WASI's programs do.
//! Written by the guest, on the loop's thread or on its own; read by the manager.
//! It is bounded, and no line is lost silently. A printed line is cut where a written one is. A line for
//! which there is no room is dropped and counted; the next line that has room is preceded by that count.

use std::io::Write;
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
use crate::shared::log_line::{LineTime, LogLine};
use crate::shared::partial_line::PartialLine;

/// Lines that the queue holds.
const LINES: usize = 64;

/// Bytes that may be printed in one call.
const PRINTED: usize = 64 << 10;

/// Where a guest's lines go.
#[derive(Debug)]
pub(crate) enum Log {
    /// A motion's: it has one writer, and writing never blocks.
    Own(LogQueue),
    /// A score's: it is written by the contract's `log`, and by WASI's outputs.
    Shared(Arc<Mutex<LogQueue>>),
}

impl Log {
    pub(crate) fn own() -> (Log, Consumer<LogLine>) {
        let (queue, written) = LogQueue::new();
        (Log::Own(queue), written)
    }

    pub(crate) fn shared() -> (Log, Consumer<LogLine>) {
        let (queue, written) = LogQueue::new();
        (Log::Shared(Arc::new(Mutex::new(queue))), written)
    }

    fn with_queue<R>(&mut self, does: impl FnOnce(&mut LogQueue) -> R) -> R {
        match self {
            Log::Own(queue) => does(queue),
            Log::Shared(queue) => does(&mut lock(queue)),
        }
    }

    /// Writes a line if there is room; else it is counted as lost.
    pub(crate) fn write(&mut self, line: LogLine) -> HostAnswer {
        let written = self.with_queue(|queue| queue.write(line));
        if written {
            HostAnswer::Done
        } else {
            HostAnswer::Full
        }
    }

    /// Counts a line that may not be written.
    pub(crate) fn lose(&mut self) {
        self.with_queue(LogQueue::lose);
    }

    /// Writes a printed line if it may be written and there is room; else it is counted as lost.
    pub(crate) fn print(&mut self, at: LineTime, text: &[u8], may: bool) {
        self.with_queue(|queue| {
            if may {
                queue.print(at, text);
            } else {
                queue.lose();
            }
        });
    }

    /// Ends what is printed: the count of lost lines is written.
    pub(crate) fn end_printing(&mut self, at: LineTime) {
        self.with_queue(|queue| queue.write_lost(at));
    }
}

/// One place is kept for the count of lost lines.
const LAST: usize = 1;

/// The queue that a guest writes and prints to.
#[derive(Debug)]
pub(crate) struct LogQueue {
    lines: Producer<LogLine>,
    /// Lines that were lost since the last count was written.
    lost: u64,
}

impl LogQueue {
    fn new() -> (LogQueue, Consumer<LogLine>) {
        let (lines, written) = RingBuffer::new(LINES + LAST);
        (LogQueue { lines, lost: 0 }, written)
    }

    fn room(&self) -> usize {
        self.lines.slots().saturating_sub(LAST)
    }

    /// Writes a line, after the count of those that were lost before it; whether there was room.
    fn write(&mut self, line: LogLine) -> bool {
        let needed = 1 + usize::from(self.lost > 0);
        if self.room() < needed {
            self.lose();
            return false;
        }
        self.write_lost(line.at);
        self.lines.push(line).is_ok()
    }

    fn print(&mut self, at: LineTime, text: &[u8]) {
        // One for which there is no room is counted.
        self.write(LogLine::of_bytes(at, Level::Info, text));
    }

    fn lose(&mut self) {
        self.lost = self.lost.saturating_add(1);
    }

    fn write_lost(&mut self, at: LineTime) {
        if self.lost > 0 {
            // Inside a turn: nothing may be allocated.
            let mut text = [0; 64];
            let mut rest = &mut text[..];
            let _ = write!(rest, "lines lost before this: {}", self.lost);
            let end = 64 - rest.len();
            let line = LogLine::of_bytes(at, Level::Warning, &text[..end]);
            let told = self.lines.push(line);
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

impl LinePrinter {
    pub(crate) fn new(queue: &Arc<Mutex<LogQueue>>, body: &Arc<GuestBody>) -> LinePrinter {
        LinePrinter {
            queue: Arc::clone(queue),
            body: Arc::clone(body),
            begun: Arc::default(),
        }
    }

    fn print(&self, bytes: &[u8]) {
        let at = self.body.line_time();
        lock(&self.begun).take(bytes, |line| lock(&self.queue).print(at, line));
    }

    /// Ends the output: an unfinished line is written, and then the count of lost lines.
    pub(crate) fn end(&self) {
        let at = self.body.line_time();
        lock(&self.begun).end(|line| lock(&self.queue).print(at, line));
        lock(&self.queue).write_lost(at);
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
