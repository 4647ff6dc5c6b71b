//! Writes the log on a thread of its own: to standard error, or to journald.
//! Started by `start`. Whoever logs never waits; a line for which there is no room is dropped and counted, and
//! the count is logged when there is room again. A destination that fails is tried again with each line.

use std::cell::Cell;
use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::fs::fstat;

/// The most lines that wait.
const LINES: usize = 8192;

/// How long the end waits for the last lines.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// How often a paused writer checks whether it may write again.
const HELD_INTERVAL: Duration = Duration::from_millis(20);

/// The socket of journald.
const JOURNALD: &str = "/run/systemd/journal/socket";

/// Where the log goes.
#[derive(Debug)]
pub(crate) enum Destination {
    Stderr(TextStream),
    Journald(UnixDatagram),
}

/// A stream of lines, and whether its last line has an end.
#[derive(Debug, Default)]
pub(crate) struct TextStream {
    is_broken_off: Cell<bool>,
}

impl TextStream {
    /// Writes a line; if the one before was broken off, by a full disk say, on a new line.
    fn write(&self, line: &[u8], to: &mut impl Write) -> std::io::Result<()> {
        if self.is_broken_off.get() {
            to.write_all(b"\n")?;
            self.is_broken_off.set(false);
        }
        let mut rest = line;
        while !rest.is_empty() {
            // One call for each line, if it can be: lines of two processes do not mix.
            let written = match to.write(rest) {
                Ok(0) => Err(std::io::ErrorKind::WriteZero.into()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                other => other,
            };
            let written = written.inspect_err(|_| {
                self.is_broken_off.set(rest.len() < line.len());
            })?;
            rest = rest.get(written..).unwrap_or_default();
        }
        Ok(())
    }
}

impl Destination {
    pub(crate) fn stderr() -> Destination {
        Destination::Stderr(TextStream::default())
    }

    /// Journald, if the journal reads standard error and can be reached; else standard error. With what is wrong.
    pub(crate) fn choose() -> (Destination, Option<String>) {
        if !is_journal_of_stderr() {
            return (Destination::stderr(), None);
        }
        let socket =
            UnixDatagram::unbound().and_then(|unbound| unbound.connect(JOURNALD).map(|()| unbound));
        match socket {
            Ok(socket) => (Destination::Journald(socket), None),
            Err(error) => {
                let problem = format!(
                    "journald cannot be reached ({error}): the log goes to standard error, as text"
                );
                (Destination::stderr(), Some(problem))
            }
        }
    }

    fn write(&self, line: &[u8]) -> std::io::Result<()> {
        match self {
            Destination::Stderr(stream) => stream.write(line, &mut std::io::stderr().lock()),
            // One that was started again has another socket behind this name.
            Destination::Journald(socket) => socket
                .send(line)
                .or_else(|_| socket.connect(JOURNALD).and_then(|()| socket.send(line)))
                .map(|_| ()),
        }
    }
}

/// Whether standard error is the journal's, as systemd says it.
fn is_journal_of_stderr() -> bool {
    let Ok(stream) = std::env::var("JOURNAL_STREAM") else {
        return false;
    };
    let Ok(fstat) = fstat(std::io::stderr()) else {
        return false;
    };
    stream == format!("{}:{}", fstat.st_dev, fstat.st_ino)
}

enum Message {
    Line(Vec<u8>),
    /// Everything before it is to be written; then an answer.
    End(SyncSender<()>),
}

/// The queue of lines, for those who log.
#[derive(Clone, Debug)]
pub(crate) struct WriterQueue {
    lines: SyncSender<Message>,
    lost: Arc<AtomicU64>,
}

impl WriterQueue {
    pub(crate) fn push(&self, line: Vec<u8>) {
        if let Err(TrySendError::Full(_)) = self.lines.try_send(Message::Line(line)) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The thread that writes.
#[derive(Debug)]
pub struct LogWriter {
    queue: WriterQueue,
    held: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LogWriter {
    pub(crate) fn start(destination: Destination) -> LogWriter {
        let (lines, waiting) = sync_channel(LINES);
        let queue = WriterQueue {
            lines,
            lost: Arc::default(),
        };
        let held = Arc::new(AtomicBool::new(false));
        let state = WriterState {
            destination,
            waiting,
            lost: Arc::clone(&queue.lost),
            held: Arc::clone(&held),
            unwritten: 0,
        };
        let thread = std::thread::Builder::new().name("log".to_owned());
        // Without the thread nothing reads the queue: it fills, and the lines are counted as lost.
        let thread = thread.spawn(move || state.run()).ok();
        LogWriter {
            queue,
            held,
            thread,
        }
    }

    pub(crate) fn queue(&self) -> WriterQueue {
        self.queue.clone()
    }

    /// Holds the lines back until the returned value is dropped: somebody draws on the screen.
    pub fn hold(&self) -> Held {
        self.held.store(true, Ordering::Release);
        Held(Arc::clone(&self.held))
    }
}

/// While it exists, nothing is written.
#[derive(Debug)]
pub struct Held(Arc<AtomicBool>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl LogWriter {
    /// Writes what is left, if that does not take long.
    pub fn finish(&self) {
        self.held.store(false, Ordering::Release);
        let (done, is_done) = sync_channel(1);
        // A full queue means that the destination stands still; it is not waited for.
        if self.thread.is_some() && self.queue.lines.try_send(Message::End(done)).is_ok() {
            let _ = is_done.recv_timeout(END_TIMEOUT);
        }
    }
}

struct WriterState {
    destination: Destination,
    waiting: Receiver<Message>,
    lost: Arc<AtomicU64>,
    held: Arc<AtomicBool>,
    /// Lines that could not be written since the last one that could.
    unwritten: u64,
}

impl WriterState {
    fn run(mut self) {
        while let Ok(message) = self.waiting.recv() {
            while self.held.load(Ordering::Acquire) {
                std::thread::sleep(HELD_INTERVAL);
            }
            match message {
                Message::Line(line) => self.write(&line),
                Message::End(done) => {
                    // Whoever waits may have given up.
                    let _ = done.send(());
                }
            }
            // Lines are lost only while others wait, so a next message has come.
            let lost = self.lost.swap(0, Ordering::Relaxed);
            if lost > 0 {
                tracing::warn!(
                    lines = lost,
                    "lines of the log were dropped: they came faster than they could be written"
                );
            }
        }
    }

    fn write(&mut self, line: &[u8]) {
        match self.destination.write(line) {
            Ok(()) => {
                let unwritten = std::mem::take(&mut self.unwritten);
                if unwritten > 0 {
                    tracing::warn!(
                        lines = unwritten,
                        "the log is written again; lines before this were not"
                    );
                }
            }
            Err(error) => {
                // Said once: it reaches the history, which others can read.
                if self.unwritten == 0 {
                    tracing::error!("the log cannot be written: {error}");
                }
                self.unwritten += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TextStream;
    use std::io::{Error, ErrorKind, Result, Write};

    /// A disk with so many free bytes.
    struct SmallDisk {
        room: usize,
        bytes: Vec<u8>,
    }

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            let written = bytes.len().min(self.room);
            if written == 0 {
                return Err(Error::from(ErrorKind::StorageFull));
            }
            self.room -= written;
            self.bytes.extend(&bytes[..written]);
            Ok(written)
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn after_a_full_disk_every_line_stands_alone() {
        for seed in 0..200 {
            let mut random = fastrand::Rng::with_seed(seed);
            let stream = TextStream::default();
            let mut disk = SmallDisk {
                room: 0,
                bytes: Vec::new(),
            };
            let mut whole = Vec::new();
            for number in 0..40 {
                disk.room += random.usize(..30);
                let line = format!("line {number} {}", "x".repeat(random.usize(..20)));
                if stream
                    .write(format!("{line}\n").as_bytes(), &mut disk)
                    .is_ok()
                {
                    whole.push(line);
                }
            }
            let text = String::from_utf8(disk.bytes).expect("text");
            for line in &whole {
                assert!(
                    text.lines().any(|item| item == line),
                    "seed {seed}: {line} in\n{text}"
                );
            }
        }
    }
}
