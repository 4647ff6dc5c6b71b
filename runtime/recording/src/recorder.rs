//! Writes a recording while its run goes on: the turns from the tape, the guests that are admitted, and what they
//! log.
//! Started by whoever starts the loop. It has a thread of its own, and the loop never waits for it in real time.
//! What was written can be read, wherever the file ends. A chunk is closed at least once a second, and the
//! file is complete when the recorder is finished, however the loop has ended.

use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use description::{Layer, Robot};
use guests::{GuestLogLine, TopicNames};
use robot::guest_service::{AdmissionRecord, GuestRecorder};

use super::drawing::BodyDrawing;
use super::parts::{ArchiveOptions, PartWriter};
use super::run_info::RunInfo;
use super::switch::{RecordingSwitch, SwitchState};
use super::tape::{TurnTape, TurnTapeReader, tape};
use super::writer::{CHUNK_BYTES, RecordingWriter};
use super::{Guest, writing};

/// The time between two looks at the tape.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The longest that a chunk is open, by the clock.
const CHUNK: Duration = Duration::from_secs(1);

/// A message to the recorder; turns come by the tape.
enum RecorderMessage {
    Names(TopicNames),
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
    fn enters(&self, guest: &AdmissionRecord<'_>, bytes: &[u8]) {
        // A recorder that has failed says so when it is finished.
        let guest = Box::new(Guest::of(guest));
        let _ = self.0.send(RecorderMessage::Guest(guest, bytes.to_vec()));
    }

    fn names(&self, topics: TopicNames) {
        let _ = self.0.send(RecorderMessage::Names(topics));
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
    /// The file; nothing if there is only the folder.
    path: Option<PathBuf>,
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
    let run = RecordedRun {
        robot,
        layers,
        real,
        utc_at_zero,
        drawing: None,
    };
    let started = record_run(Some(path), None, &run)?;
    Ok((started.recorder, started.tape, started.guest_log))
}

/// The run that is recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordedRun<'r> {
    /// Its robot.
    pub robot: &'r Arc<Robot>,
    /// What describes the robot.
    pub layers: &'r [Layer],
    /// Whether time is real: the loop waits for nothing.
    pub real: bool,
    /// Nanoseconds of the Unix epoch at the robot's instant 0.
    pub utc_at_zero: u64,
    /// Draws the body for viewers; without it the recording has no body to see.
    pub drawing: Option<&'r Arc<dyn BodyDrawing>>,
}

/// A recording that has begun.
#[derive(Debug)]
pub struct StartedRecording {
    /// The recorder.
    pub recorder: Recorder,
    /// The loop's end of the tape.
    pub tape: TurnTape,
    /// Where guests and their log lines go.
    pub guest_log: GuestLogSender,
    /// Switches the recording in the folder.
    pub switch: RecordingSwitch,
}

/// Begins to record a run into a file, into the robot's folder of recordings, or into both. The folder is written
/// while its switch is on.
///
/// # Errors
/// A sentence: the file cannot be made.
pub fn record_run(
    path: Option<&Path>,
    archive: Option<ArchiveOptions>,
    run: &RecordedRun<'_>,
) -> Result<StartedRecording, String> {
    let info = RunInfo {
        drawing: run.drawing.cloned(),
        ..RunInfo::of(run.robot, run.layers, run.real, run.utc_at_zero)
    };
    let single = path.map(|path| begin_file(path, &info, run.layers));
    let single = single.transpose()?;
    let on = archive.as_ref().is_some_and(|archive| archive.on);
    let switch = Arc::new(SwitchState::new(on, path.is_some()));
    let (tape, reel) = tape(run.robot, !run.real, switch.wanted());
    let (sender, receiver) = mpsc::channel();
    let folder = archive.as_ref().map(|archive| archive.folder.path());
    let thread = RecorderThread {
        path: path.or(folder).map(Path::to_owned).unwrap_or_default(),
        single,
        failed: None,
        parts: archive
            .map(|archive| PartWriter::new(archive, info, run.layers, Arc::clone(&switch))),
        reel,
        receiver,
        turns: 0,
    };
    let thread = std::thread::Builder::new()
        .name("recorder".to_owned())
        .spawn(move || thread.run())
        .map_err(|error| format!("the recorder's thread cannot be started: {error}"))?;
    Ok(StartedRecording {
        recorder: Recorder {
            path: path.map(Path::to_owned),
            sender: sender.clone(),
            thread: Some(thread),
        },
        tape,
        guest_log: GuestLogSender(sender),
        switch: RecordingSwitch(switch),
    })
}

fn begin_file(
    path: &Path,
    info: &RunInfo,
    layers: &[Layer],
) -> Result<RecordingWriter<BufWriter<File>>, String> {
    let name = path.display();
    let made = OpenOptions::new().write(true).create_new(true).open(path);
    let file = made.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{name} is there already; fix: give another name, or delete it")
        }
        std::io::ErrorKind::NotFound => {
            let folder = path.parent().unwrap_or(path).display();
            format!("a recording cannot be made at {name}: there is no folder {folder}; fix: `mkdir -p {folder}`")
        }
        _ => format!("a recording cannot be made at {name}: {error}; fix: choose another folder"),
    })?;
    writing::mark(&file);
    RecordingWriter::begin(BufWriter::new(file), info, layers, CHUNK_BYTES)
}

impl Recorder {
    /// Waits until everything is written. The loop must have ended and dropped its tape.
    ///
    /// # Errors
    /// A sentence: what could not be written.
    pub fn finish(mut self) -> Result<RecordingSummary, String> {
        self.end(RecorderMessage::End).map_err(|why| {
            let path = self.path.take().unwrap_or_default();
            let path = path.display();
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
                .is_ok_and(|end| end.turns == 0)
            && let Some(path) = &self.path
        {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The recorder's thread: what comes, and where it goes.
struct RecorderThread {
    path: PathBuf,
    single: Option<RecordingWriter<BufWriter<File>>>,
    /// What went wrong with the single file.
    failed: Option<String>,
    parts: Option<PartWriter>,
    reel: TurnTapeReader,
    receiver: Receiver<RecorderMessage>,
    turns: u64,
}

impl RecorderThread {
    /// Writes until the loop has ended.
    fn run(mut self) -> Result<RecordingSummary, String> {
        self.write();
        if let Some(parts) = &mut self.parts {
            parts.close();
        }
        if let Some(why) = self.failed {
            return Err(why);
        }
        let (mut lost, mut bytes) = (0, 0);
        if let Some(single) = self.single {
            let (file, missing) = single.finish()?;
            lost = missing;
            bytes = file
                .get_ref()
                .metadata()
                .map_or(0, |metadata| metadata.len());
        }
        Ok(RecordingSummary {
            path: self.path,
            turns: self.turns,
            lost,
            bytes,
        })
    }

    fn write(&mut self) {
        let (mut bytes, mut closed) = (Vec::new(), Instant::now());
        let mut is_ended = false;
        // Without anywhere to write to, the tape is left: a loop that waits for room goes on.
        while self.single.is_some() || self.parts.is_some() {
            // Looked at first: what was recorded before the loop went is all there.
            let mut is_over = self.reel.is_abandoned();
            let any = self.reel.next(&mut bytes);
            // A guest is sent before the first turn in which it plays.
            while let Ok(message) = self.receiver.try_recv() {
                match message {
                    RecorderMessage::Names(topics) => self.names(&topics),
                    RecorderMessage::Guest(guest, bytes) => self.guest(*guest, bytes),
                    RecorderMessage::Line(line) => self.line(line),
                    RecorderMessage::End => is_ended = true,
                    RecorderMessage::Discard => (is_over, is_ended) = (true, true),
                }
            }
            if any {
                self.turns += 1;
                self.write_single(|writer| writer.turn(&bytes).map(|_| ()));
                if let Some(parts) = &mut self.parts {
                    parts.turn(&bytes);
                }
            } else if is_over && is_ended {
                return;
            }
            if closed.elapsed() > CHUNK {
                self.write_single(RecordingWriter::close_chunk);
                if let Some(parts) = &mut self.parts {
                    parts.flush();
                }
                closed = Instant::now();
            }
            if !any {
                if let Some(parts) = &mut self.parts {
                    parts.rest();
                }
                std::thread::sleep(POLL_INTERVAL);
            }
        }
    }

    fn names(&mut self, topics: &TopicNames) {
        if let Some(single) = &mut self.single {
            single.set_topics(topics.clone());
        }
        if let Some(parts) = &mut self.parts {
            parts.set_topics(topics);
        }
    }

    fn guest(&mut self, guest: Guest, bytes: Vec<u8>) {
        self.write_single(|value| value.guest(&guest, &bytes));
        if let Some(parts) = &mut self.parts {
            parts.guest(guest, bytes);
        }
    }

    fn line(&mut self, line: GuestLogLine) {
        self.write_single(|writer| writer.line(&line));
        if let Some(parts) = &mut self.parts {
            parts.line(line);
        }
    }

    /// Writes to the single file, until that fails.
    fn write_single(
        &mut self,
        write: impl FnOnce(&mut RecordingWriter<BufWriter<File>>) -> Result<(), String>,
    ) {
        if let Some(single) = &mut self.single
            && let Err(why) = write(single)
        {
            (self.single, self.failed) = (None, Some(why));
        }
    }
}
