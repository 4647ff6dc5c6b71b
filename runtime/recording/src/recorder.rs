//! Writes a recording while its run goes on: winds the tape off, and puts down who comes in and what is said.
//! Started by whoever starts the loop; a thread of its own, which the loop never waits for in real time.
//! The law: what was written can be read, wherever it ends. A chunk is closed at least once a second, and the
//! file is whole when the recorder is finished, however the loop has ended.

use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use description::{Layer, Robot};
use guests::GuestLogLine;
use robot::recorder::{Entering, GuestRecorder};

use super::Guest;
use super::run_info::RunInfo;
use super::tape::{TurnTape, TurnTapeReader, tape};
use super::writer::RecordingWriter;

/// How often the tape is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// The longest that a chunk is open, by the clock.
const CHUNK: Duration = Duration::from_secs(1);

/// What is told to the recorder besides turns.
enum RecorderMessage {
    Guest(Box<Guest>, Vec<u8>),
    Line(GuestLogLine),
    /// Nobody tells anything more.
    End,
    /// Nobody wants it any more.
    Forget,
}

/// Tells the recorder who comes in and what is said; outside the loop.
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

/// What was written.
#[derive(Clone, Debug)]
pub struct RecordingSummary {
    /// Where.
    pub path: PathBuf,
    /// Turns.
    pub turns: u64,
    /// Turns that found no room on the tape: it cannot be made again beyond the first of them.
    pub lost: u64,
    /// Bytes.
    pub bytes: u64,
}

/// The recorder.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    say: Sender<RecorderMessage>,
    thread: Option<JoinHandle<Result<RecordingSummary, String>>>,
}

/// Begins a recording of this robot, which was described by these layers. In `real` time the loop waits for
/// nothing. A file that is there already is left alone.
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
    let (say, hear) = mpsc::channel();
    let to = path.to_owned();
    let write = move || {
        let turns = wind(&mut writer, &mut reel, &hear)?;
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
        say: say.clone(),
        thread: Some(thread),
    };
    Ok((recorder, tape, GuestLogSender(say)))
}

impl Recorder {
    /// Waits until everything is written. The loop is gone, and its tape with it.
    ///
    /// # Errors
    /// A sentence: what could not be written, and that the recording is not whole.
    pub fn finish(mut self) -> Result<RecordingSummary, String> {
        self.end(RecorderMessage::End).map_err(|why| {
            let path = self.path.display();
            format!(
                "the recording {path} is not complete: {why}; the part that is there can be replayed; fix: make \
                 room, and record again"
            )
        })
    }

    fn end(&mut self, how: RecorderMessage) -> Result<RecordingSummary, String> {
        let broken = || "the recorder's thread has panicked".to_owned();
        let thread = self.thread.take().ok_or_else(broken)?;
        // If it has failed, it says so below.
        let _ = self.say.send(how);
        thread.join().unwrap_or_else(|_| Err(broken()))
    }
}

impl Drop for Recorder {
    /// Nothing was played after all: a recording without a turn is in nobody's way.
    fn drop(&mut self) {
        if self.thread.is_some()
            && self
                .end(RecorderMessage::Forget)
                .is_ok_and(|it| it.turns == 0)
        {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Writes until the loop is gone; how many turns there were.
fn wind(
    writer: &mut RecordingWriter<BufWriter<File>>,
    reel: &mut TurnTapeReader,
    hear: &Receiver<RecorderMessage>,
) -> Result<u64, String> {
    let (mut bytes, mut turns, mut closed) = (Vec::new(), 0, Instant::now());
    let mut told_all = false;
    loop {
        // Looked at first: what was recorded before the loop went is all there.
        let mut is_over = reel.is_abandoned();
        let any = reel.next(&mut bytes);
        // Who plays in a turn was told before the turn was made.
        while let Ok(told) = hear.try_recv() {
            match told {
                RecorderMessage::Guest(guest, bytes) => writer.guest(&guest, &bytes)?,
                RecorderMessage::Line(line) => writer.line(&line)?,
                RecorderMessage::End => told_all = true,
                RecorderMessage::Forget => (is_over, told_all) = (true, true),
            }
        }
        if any {
            turns += 1;
            writer.turn(&bytes)?;
        } else if is_over && told_all {
            return Ok(turns);
        }
        if closed.elapsed() > CHUNK {
            writer.close_chunk()?;
            closed = Instant::now();
        }
        if !any {
            std::thread::sleep(LOOK);
        }
    }
}
