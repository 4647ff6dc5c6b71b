//! A bus that is listened to: every transfer is written to a file, and can be played again. It stacks on any other.
//! For whoever asks afterwards what a board really said, and for tests without the board.
//!
//! `tape` is the file and `record` what it is made of, byte by byte; `played` answers as it was answered then.
//! The law: the turn never touches the file. What the writer has no room for is lost, is counted, and leaves a gap
//! that the file tells.

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

/// Bytes that wait for the writer: half a minute of a NAO's frames at 100 Hz.
const ROOM: usize = 1 << 20;

/// How often the writer looks. The turn does not wake it: that would be a system call.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A bus that is listened to.
#[derive(Debug)]
pub struct Tap<T> {
    under: T,
    began: Instant,
    passed: u64,
    lost: u64,
    /// How long the file will be with what waits.
    size: usize,
    /// The record that is being made.
    record: Vec<u8>,
    waiting: Producer<u8>,
    writer: TapWriter,
}

/// The thread that has the file.
#[derive(Debug)]
struct TapWriter {
    closing: Arc<AtomicBool>,
    waker: Thread,
    thread: Option<JoinHandle<io::Result<File>>>,
}

impl<T: Transfer> Tap<T> {
    /// Writes what passes on this bus to a new file at `path`.
    ///
    /// # Errors
    /// The file or the writer's thread cannot be made.
    pub fn new(under: T, path: &Path) -> Result<Tap<T>, BusFault> {
        Tap::with_room(under, path, ROOM)
    }

    /// The same, with room for so many bytes that wait for the writer.
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

    /// Transfers that there was no room for.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Ends the file, and waits until it is on the disk; how many transfers are not in it.
    ///
    /// # Errors
    /// It could not be written: the disk is full, or gone.
    pub fn finish(mut self) -> io::Result<u64> {
        self.end()?;
        Ok(self.lost)
    }

    /// The writer ends with what waits; then nobody else has the file, and the end is written here.
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
    // That is more than five hundred years.
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
        // A tape that is too long to be played is not made longer; its end still has room.
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
            // Who wants to know whether it is whole calls `finish`.
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
                // Asked before it is looked: what came in before the end is written.
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

    /// The file, after everything that waited; nothing if it was given away already.
    fn join(&mut self) -> io::Result<Option<File>> {
        self.closing.store(true, Ordering::Release);
        self.waker.unpark();
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(written)) => written.map(Some),
            // A panic in it has been printed already.
            Some(Err(_)) => Err(io::Error::other("the tap's writer has ended")),
            None => Ok(None),
        }
    }
}
