//! The recording of a run in the robot's folder: one file after the other, each of which can be read by itself.
//! Written by the recorder's thread. Every file begins with the run, the description and the guests that are
//! there; between one file and the next no turn is missing. A disk that fails stops the recording, and nothing else;
//! when it has room again, the recording goes on.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use archive::RecordingFolder;
use description::Layer;
use guests::{GuestLogLine, TopicNames};
use prost::Message;
use rustix::fs::statvfs;

use super::run_info::RunInfo;
use super::switch::SwitchState;
use super::writer::{CHUNK_BYTES, RecordingWriter};
use super::{Guest, Turn, writing};

/// How often what was written is sent to the disk itself.
const SYNC_INTERVAL: Duration = Duration::from_secs(10);

/// How often it is tried again after a failure, and how much room there must be for that.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
const ROOM: u64 = 2 * CHUNK_BYTES;

/// Log lines that wait for a file to begin.
const LINES_MAX: usize = 1_000;

/// Where the runs of a robot are kept.
#[derive(Debug)]
pub struct ArchiveOptions {
    /// The folder.
    pub folder: RecordingFolder,
    /// Whether the run is recorded from its first turn.
    pub on: bool,
    /// Texts that are attached to every file: name and contents.
    pub attachments: Vec<(String, String)>,
}

/// The recording of a run, in parts.
pub(super) struct PartWriter {
    options: ArchiveOptions,
    info: RunInfo,
    layers: Vec<Layer>,
    switch: Arc<SwitchState>,
    /// The guests that are there, with their bytes; and those of them that a turn has shown.
    guests: Vec<(Guest, Vec<u8>)>,
    seen: BTreeSet<u32>,
    /// What guests said before the file begins.
    lines: Vec<GuestLogLine>,
    open: Option<OpenPart>,
    /// The files that were broken off by the disk, and when the last one was.
    broken: Vec<String>,
    failed: Instant,
    part: u32,
    /// Recording is or was off since the last file: the next one says that turns before it are missing.
    was_off: bool,
}

/// The file that is written.
struct OpenPart {
    name: String,
    writer: RecordingWriter<BufWriter<CountingFile>>,
    /// For its data to reach the disk.
    file: File,
    synced: Instant,
}

/// A file that counts what is written.
struct CountingFile {
    file: File,
    bytes: Arc<AtomicU64>,
}

impl Write for CountingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.bytes.fetch_add(count as u64, Ordering::AcqRel);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for CountingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl PartWriter {
    pub(super) fn new(
        options: ArchiveOptions,
        info: RunInfo,
        layers: &[Layer],
        switch: Arc<SwitchState>,
    ) -> PartWriter {
        PartWriter {
            options,
            info,
            layers: layers.to_vec(),
            switch,
            guests: Vec::new(),
            seen: BTreeSet::new(),
            lines: Vec::new(),
            open: None,
            broken: Vec::new(),
            failed: Instant::now(),
            part: 0,
            was_off: false,
        }
    }

    /// The names of topics, for this file and those that follow.
    pub(super) fn set_topics(&mut self, topics: &TopicNames) {
        self.info.topics = Some(topics.clone());
        if let Some(open) = &mut self.open {
            open.writer.set_topics(topics.clone());
        }
    }

    /// A guest that was loaded.
    pub(super) fn guest(&mut self, guest: Guest, bytes: Vec<u8>) {
        self.write(|value| value.guest(&guest, &bytes));
        self.guests.push((guest, bytes));
        // While nothing is recorded, nobody sees who goes; so many can be there at once.
        if self.guests.len() > guests::GUESTS {
            self.guests.remove(0);
        }
    }

    /// A log line of a guest.
    pub(super) fn line(&mut self, line: GuestLogLine) {
        if self.open.is_some() {
            self.write(|writer| writer.line(&line));
        } else if self.lines.len() < LINES_MAX && self.switch.is_on() {
            self.lines.push(line);
        }
    }

    /// A turn, as it came from the tape.
    pub(super) fn turn(&mut self, bytes: &[u8]) {
        if !self.switch.is_on() {
            return self.rest();
        }
        let most = self.options.folder.most();
        if self.open.is_some() && self.switch.bytes().load(Ordering::Acquire) >= most {
            self.close();
        }
        if self.open.is_none() && self.switch.is_on() {
            self.begin(bytes);
        }
        let mut turn = None;
        self.write(|writer| writer.turn(bytes).map(|made| turn = Some(made)));
        if let Some(turn) = turn {
            self.forget(&turn);
        }
    }

    /// Everything so far goes to the file; now and then it goes to the disk.
    pub(super) fn flush(&mut self) {
        self.write(RecordingWriter::close_chunk);
        if self.open.is_some() && self.switch.works() {
            tracing::info!("the recording goes on");
            self.mend();
        }
        let Some(open) = self
            .open
            .as_mut()
            .filter(|part| part.synced.elapsed() > SYNC_INTERVAL)
        else {
            return;
        };
        open.synced = Instant::now();
        if let Err(error) = open.file.sync_data() {
            self.fail(&format!("the recording cannot be written: {error}"));
        }
    }

    /// If nothing is recorded any more, the file ends. If that is so because the disk had failed, it is tried again.
    pub(super) fn rest(&mut self) {
        if self.switch.is_on() {
            return;
        }
        self.was_off = true;
        self.lines.clear();
        self.close();
        if self.switch.waits() && self.failed.elapsed() >= RETRY_INTERVAL {
            self.failed = Instant::now();
            if self.has_room() {
                self.switch.try_again();
            }
        }
    }

    fn has_room(&self) -> bool {
        let folder = &self.options.folder;
        // A folder that is not there yet is made by the next try.
        statvfs(folder.path()).map_or(true, |disk| {
            disk.f_bavail.saturating_mul(disk.f_frsize) >= ROOM.min(folder.most())
        })
    }

    /// Closes the files that were broken off.
    fn mend(&mut self) {
        for name in std::mem::take(&mut self.broken) {
            if let Err(error) = self.options.folder.mend(&name) {
                tracing::warn!("{name} cannot be closed: {error}");
            }
        }
    }

    /// Ends the file.
    pub(super) fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let finished = open.writer.finish().map(|_| ());
        if let Err(why) = finished {
            return self.fail(&format!("the recording cannot be written: {why}"));
        }
        // Only now is it whole for whoever fetches it.
        self.switch.opened(None);
        // The disk takes its time; what goes on is not to wait for it. Without a thread the system writes it out.
        let _ = std::thread::Builder::new().spawn(move || open.file.sync_all());
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut RecordingWriter<BufWriter<CountingFile>>) -> Result<(), String>,
    ) {
        if let Some(open) = &mut self.open
            && let Err(why) = write(&mut open.writer)
        {
            self.fail(&format!("the recording cannot be written: {why}"));
        }
    }

    /// Begins the file whose first turn this is.
    fn begin(&mut self, bytes: &[u8]) {
        let first = Turn::decode(bytes).map_or(0, |turn| turn.number);
        if let Err(why) = self.try_begin(first) {
            self.fail(&format!("no recording can be made: {why}"));
        }
    }

    fn try_begin(&mut self, first: u64) -> Result<(), String> {
        let told = |error: io::Error| error.to_string();
        self.part += 1;
        let run = self.info.run.utc_at_zero;
        (self.info.run.run, self.info.run.part) = (run, self.part);
        self.info.run.first_turn = first;
        self.info.run.switched_on = std::mem::take(&mut self.was_off);
        let folder = &self.options.folder;
        let (name, file) = folder.create(run).map_err(told)?;
        let begun = self.begin_file(name.clone(), file);
        if begun.is_err() {
            // There is nothing in it.
            self.switch.opened(None);
            let _ = std::fs::remove_file(self.options.folder.path().join(name));
        }
        self.open = Some(begun?);
        Ok(())
    }

    fn begin_file(&mut self, name: String, file: File) -> Result<OpenPart, String> {
        let told = |error: io::Error| error.to_string();
        let folder = &self.options.folder;
        writing::mark(&file);
        let bytes = self.switch.bytes();
        bytes.store(0, Ordering::Release);
        // From here on nobody removes it.
        self.switch.opened(Some(name.clone()));
        let counted = CountingFile {
            file: file.try_clone().map_err(told)?,
            bytes,
        };
        // A chunk is no more than a small part of what a file may have.
        let chunk = CHUNK_BYTES.min(folder.most() / 2).max(1);
        let to = BufWriter::new(counted);
        let mut writer = RecordingWriter::begin(to, &self.info, &self.layers, chunk)?;
        for (name, text) in &self.options.attachments {
            writer.attach(name, "application/toml", text.as_bytes())?;
        }
        let version = self.info.run.version.clone();
        let words = [
            ("run", self.info.run.run.to_string()),
            ("version", version),
            ("kernel", kernel()),
        ];
        writer.note("dcm.run", &words)?;
        for (guest, bytes) in &self.guests {
            writer.guest(guest, bytes)?;
        }
        for line in self.lines.drain(..) {
            writer.line(&line)?;
        }
        Ok(OpenPart {
            name,
            writer,
            file,
            synced: Instant::now(),
        })
    }

    /// Guests that were there and are no longer.
    fn forget(&mut self, turn: &Turn) {
        let there: BTreeSet<u32> = turn.guests.iter().map(|guest| guest.guest).collect();
        if there == self.seen {
            return;
        }
        let seen = &self.seen;
        self.guests
            .retain(|(guest, _)| there.contains(&guest.number) || !seen.contains(&guest.number));
        self.seen = there;
    }

    /// Nothing more is recorded for now. The file is left as it is, and closed when there is room again, or at the next
    /// start.
    fn fail(&mut self, why: &str) {
        self.broken.extend(self.open.take().map(|item| item.name));
        self.failed = Instant::now();
        let is_known = self.switch.failed(why.to_owned());
        if !is_known {
            tracing::error!("{why}; it goes on by itself when the disk does");
        }
    }
}

/// The system's kernel.
fn kernel() -> String {
    let read = |name: &str| std::fs::read_to_string(format!("/proc/sys/kernel/{name}"));
    let words =
        ["ostype", "osrelease"].map(|text| read(text).unwrap_or_default().trim().to_owned());
    format!("{} {} {}", words[0], words[1], std::env::consts::ARCH)
}
