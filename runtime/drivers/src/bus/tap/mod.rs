//! A bus that records every transfer to a file, which can be replayed. It wraps any other bus.
//! For finding out afterwards what a board really sent, and for tests without the board.
//!
//! `tape` is the file, `record` is one entry of it, and `played` replays it.
//! The turn never touches the file. A transfer that does not fit into the writer's buffer is lost and counted,
//! and the file shows the gap.

mod played;
mod record;
mod tape;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use rtrb::{Consumer, Producer, RingBuffer};

use super::{BusFault, Transfer};

pub use played::{Difference, Played};
pub use record::Passed;
pub use tape::{NotATape, Tape};

/// Bytes in the writer's buffer: half a minute of a NAO's frames at 100 Hz.
const ROOM: usize = 1 << 20;

/// How often the writer polls its buffer. The turn does not wake it, because that would be a system call.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A bus that records its transfers.
#[derive(Debug)]
pub struct Tap<T> {
    under: T,
    began: Instant,
    passed: u64,
    lost: u64,
    /// The length of the file when the buffer is written.
    size: usize,
    /// The record under construction.
    record: Vec<u8>,
    waiting: Producer<u8>,
    writer: TapWriter,
}

/// The thread that writes the file.
#[derive(Debug)]
struct TapWriter {
    closing: Arc<AtomicBool>,
    waker: Thread,
    thread: Option<JoinHandle<io::Result<File>>>,
}

impl<T: Transfer> Tap<T> {
    /// Records the transfers of this bus to a new file at `path`.
    ///
    /// # Errors
    /// The file or the thread cannot be created.
    pub fn new(under: T, path: &Path) -> Result<Tap<T>, BusFault> {
        Tap::with_room(under, path, ROOM)
    }

    /// The same, with a buffer of `room` bytes.
    ///
    /// # Errors
    /// See [`Tap::new`].
    pub fn with_room(under: T, path: &Path, room: usize) -> Result<Tap<T>, BusFault> {
        let mut file = File::create(path)?;
        file.write_all(&tape::HEAD)?;
        let (waiting, fresh) = RingBuffer::new(room);
        Ok(Tap {
            under,
            began: Instant::now(),
            passed: 0,
            lost: 0,
            size: tape::HEAD.len(),
            record: Vec::with_capacity(record::LONGEST),
            waiting,
            writer: TapWriter::start(file, fresh)?,
        })
    }

    /// Transfers that did not fit into the buffer.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Ends the file and waits until it is on the disk. Returns how many transfers are missing from it.
    ///
    /// # Errors
    /// The file could not be written: the disk is full, or gone.
    pub fn finish(mut self) -> io::Result<u64> {
        self.end()?;
        Ok(self.lost)
    }

    /// The writer writes its buffer and ends; then this thread writes the end of the file.
    fn end(&mut self) -> io::Result<()> {
        let Some(mut file) = self.writer.join()? else {
            return Ok(());
        };
        let nanos = nanos_since(self.began);
        record::write_end(&mut self.record, self.passed, nanos);
        file.write_all(&self.record)?;
        file.sync_all()
    }
}

fn nanos_since(began: Instant) -> u64 {
    // A u64 of nanoseconds is more than five hundred years.
    began.elapsed().as_nanos() as u64
}

impl<T: Transfer> Transfer for Tap<T> {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        let nanos = nanos_since(self.began);
        let done = self.under.transfer(down, up);
        let passed = Passed {
            number: self.passed,
            nanos,
            down,
            up: done.map(|()| &*up),
        };
        self.passed += 1;
        let is_one = record::write(&mut self.record, &passed);
        let size = self.size + self.record.len();
        // Do not exceed the longest file that can be replayed; leave room for its end.
        let fits = is_one && size <= tape::MOST - record::LONGEST;
        if fits && self.waiting.push_entire_slice(&self.record).is_ok() {
            self.size = size;
        } else {
            self.lost += 1;
        }
        done
    }
}

impl<T> Drop for Tap<T> {
    fn drop(&mut self) {
        if let Ok(Some(mut file)) = self.writer.join() {
            record::write_end(&mut self.record, self.passed, nanos_since(self.began));
            // To learn of errors, call `finish`.
            let _ = file.write_all(&self.record);
        }
    }
}

impl TapWriter {
    fn start(mut file: File, mut fresh: Consumer<u8>) -> Result<TapWriter, BusFault> {
        let closing = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&closing);
        let write = move || {
            let mut some = vec![0; 1 << 16];
            loop {
                // Load the flag before the buffer, so that everything from before the end is written.
                let is_over = closed.load(Ordering::Acquire);
                let (bytes, _) = fresh.pop_partial_slice(&mut some);
                file.write_all(bytes)?;
                match (bytes.is_empty(), is_over) {
                    (true, true) => return Ok(file),
                    (true, false) => std::thread::park_timeout(POLL_INTERVAL),
                    _ => {}
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("tap".to_owned())
            .spawn(write)?;
        Ok(TapWriter {
            closing,
            waker: thread.thread().clone(),
            thread: Some(thread),
        })
    }

    /// Waits for the writer and returns its file; `None` if it was returned already.
    fn join(&mut self) -> io::Result<Option<File>> {
        self.closing.store(true, Ordering::Release);
        self.waker.unpark();
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(written)) => written.map(Some),
            // A panic of the thread has been printed already.
            Some(Err(_)) => Err(io::Error::other("the tap's writer has ended")),
            None => Ok(None),
        }
    }
}
