//! Writes a recording while its run goes on: the turns from the tape, the guests that are admitted, and what they
//! log.
//! Started by whoever starts the loop. It has a thread of its own, and the loop never waits for it in real time.
//! The law: what was written can be read, wherever the file ends. A chunk is closed at least once a second, and the
//! file is complete when the recorder is finished, however the loop has ended.

use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use description::{Layer, Robot};
use guests::GuestLogLine;
use robot::guest_service::{Entering, GuestRecorder};

use super::Guest;
use super::run_info::RunInfo;
use super::tape::{TurnTape, TurnTapeReader, tape};
use super::writer::RecordingWriter;

/// The time between two looks at the tape.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The longest that a chunk is open, by the clock.
const CHUNK: Duration = Duration::from_secs(1);

/// A message to the recorder; turns come by the tape.
enum RecorderMessage {
    Guest(Box<Guest>, Vec<u8>),
    Line(GuestLogLine),
    /// No more messages come.
    End,
    /// The recording is discarded if it has no turns.
    Discard,
}

/// Sends guests and their log lines to the recorder, from outside the loop.
#[derive(Clone, Debug)]
pub struct GuestLogSender(Sender<RecorderMessage>);

impl GuestRecorder for GuestLogSender {
    fn enters(&self, guest: &Entering<'_>, bytes: &[u8]) {
        // A recorder that has failed says so when it is finished.
        let guest = Box::new(Guest::of(guest));
        let _ = self.0.send(RecorderMessage::Guest(guest, bytes.to_vec()));
    }

    fn says(&self, said: GuestLogLine) {
        let _ = self.0.send(RecorderMessage::Line(said));
    }
}

/// What a recorder has written.
#[derive(Clone, Debug)]
pub struct RecordingSummary {
    /// Where.
    pub path: PathBuf,
    /// Turns.
    pub turns: u64,
    /// Turns for which the tape had no room: a replay ends at the first of them.
    pub lost: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A recorder at work.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    sender: Sender<RecorderMessage>,
    thread: Option<JoinHandle<Result<RecordingSummary, String>>>,
}

/// Begins a recording of this robot, which these layers describe. In `real` time the loop waits for nothing. A file
/// that exists is never overwritten.
///
/// # Errors
/// A sentence: the file cannot be made.
pub fn record(
    path: &Path,
    robot: &Arc<Robot>,
    layers: &[Layer],
    real: bool,
    utc_at_zero: u64,
) -> Result<(Recorder, TurnTape, GuestLogSender), String> {
    let name = path.display();
    let made = OpenOptions::new().write(true).create_new(true).open(path);
    let file = made.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{name} is there already; fix: give another name, or delete it")
        }
        _ => format!("a recording cannot be made at {name}: {error}"),
    })?;
    let info = RunInfo::of(robot, layers, real, utc_at_zero);
    let mut writer = RecordingWriter::begin(BufWriter::new(file), &info, layers)?;
    let (tape, mut reel) = tape(robot, !real);
    let (sender, receiver) = mpsc::channel();
    let to = path.to_owned();
    let write = move || {
        let turns = write_turns(&mut writer, &mut reel, &receiver)?;
        let (file, lost) = writer.finish()?;
        let bytes = file.get_ref().metadata().map_or(0, |it| it.len());
        Ok(RecordingSummary {
            path: to,
            turns,
            lost,
            bytes,
        })
    };
    let thread = std::thread::Builder::new()
        .name("recorder".to_owned())
        .spawn(write)
        .map_err(|error| format!("the recorder's thread cannot be started: {error}"))?;
    let recorder = Recorder {
        path: path.to_owned(),
        sender: sender.clone(),
        thread: Some(thread),
    };
    Ok((recorder, tape, GuestLogSender(sender)))
}

impl Recorder {
    /// Waits until everything is written. The loop must have ended and dropped its tape.
    ///
    /// # Errors
    /// A sentence: what could not be written.
    pub fn finish(mut self) -> Result<RecordingSummary, String> {
        self.end(RecorderMessage::End).map_err(|why| {
            let path = self.path.display();
            format!(
                "the recording {path} is not complete: {why}; the part that is there can be replayed; fix: make \
                 room, and record again"
            )
        })
    }

    fn end(&mut self, message: RecorderMessage) -> Result<RecordingSummary, String> {
        let broken = || "the recorder's thread has panicked".to_owned();
        let thread = self.thread.take().ok_or_else(broken)?;
        // If it has failed, it says so below.
        let _ = self.sender.send(message);
        thread.join().unwrap_or_else(|_| Err(broken()))
    }
}

impl Drop for Recorder {
    /// Removes a recording without a turn: nothing was played.
    fn drop(&mut self) {
        if self.thread.is_some()
            && self
                .end(RecorderMessage::Discard)
                .is_ok_and(|it| it.turns == 0)
        {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Writes until the loop has ended. Returns the number of turns.
fn write_turns(
    writer: &mut RecordingWriter<BufWriter<File>>,
    reel: &mut TurnTapeReader,
    receiver: &Receiver<RecorderMessage>,
) -> Result<u64, String> {
    let (mut bytes, mut turns, mut closed) = (Vec::new(), 0, Instant::now());
    let mut is_ended = false;
    loop {
        // Looked at first: what was recorded before the loop went is all there.
        let mut is_over = reel.is_abandoned();
        let any = reel.next(&mut bytes);
        // A guest is sent before the first turn in which it plays.
        while let Ok(message) = receiver.try_recv() {
            match message {
                RecorderMessage::Guest(guest, bytes) => writer.guest(&guest, &bytes)?,
                RecorderMessage::Line(line) => writer.line(&line)?,
                RecorderMessage::End => is_ended = true,
                RecorderMessage::Discard => (is_over, is_ended) = (true, true),
            }
        }
        if any {
            turns += 1;
            writer.turn(&bytes)?;
        } else if is_over && is_ended {
            return Ok(turns);
        }
        if closed.elapsed() > CHUNK {
            writer.close_chunk()?;
            closed = Instant::now();
        }
        if !any {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}
