//! The only writer of the page: a port of the cycle.
//! Made at start-up by `robot`; called once in every turn.
//! Publishing is a bounded sequence of stores. It never waits, allocates or makes a system call.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Relaxed, Release};

use cycle::{Body, Publisher, RealtimeVerdict, Span, View};
use memmap2::MmapMut;

use crate::layout::{
    LABEL_NAME_MAX, LABEL_UNIT_MAX, MAGIC, PageShape, RING, VERSION, frame, header, label,
    state_number,
};
use crate::map::MappedWords;
use crate::seqlock;
use crate::window::Window;

/// The contents of a new page's header and labels.
#[derive(Clone, Copy, Debug)]
pub struct Creation<'a> {
    /// The body whose state the page shows.
    pub body: &'a Body<'a>,
    /// The unit of each actuator; may be shorter than the list.
    pub actuator_units: &'a [&'a str],
    /// The unit of each sensor; may be shorter than the list.
    pub sensor_units: &'a [&'a str],
    /// The loop's period.
    pub period: Span,
    /// UTC in ns since 1970 at the robot's instant 0.
    pub utc_at_zero: i64,
    /// The number of this run.
    pub run: u64,
}

/// Why a page was not made.
#[derive(Debug)]
pub enum CreateError {
    /// This name or unit is too long for a label.
    TooLong(String),
    /// The file could not be made or mapped.
    Io(PathBuf, io::Error),
}

impl fmt::Display for CreateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CreateError::TooLong(text) => write!(
                f,
                "\"{text}\" is too long for the page: names have room for {LABEL_NAME_MAX} bytes, \
                 units for {LABEL_UNIT_MAX}"
            ),
            CreateError::Io(path, error) => {
                write!(f, "making the page {}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for CreateError {}

/// The writer. When it is dropped it marks the page as closed; the file stays, as the black box.
#[derive(Debug)]
pub struct PageWriter {
    map: Arc<MappedWords<MmapMut>>,
    shape: PageShape,
    /// Work in the last turn in ns, as set by `worked`.
    work: u64,
    /// How often zeros had been moved when their labels were written last.
    trims: u64,
}

impl PageWriter {
    /// Makes a page at `path`. Readers see the old file or the complete new one, never a part.
    ///
    /// # Errors
    /// [`CreateError`] names the label or the file.
    pub fn create(path: &Path, made_for: &Creation<'_>) -> Result<PageWriter, CreateError> {
        let shape = PageShape::of(made_for.body);
        let fail = |error| CreateError::Io(path.to_owned(), error);
        let draft = path.with_extension(format!("{}.draft", std::process::id()));
        let made = new_file(&draft, shape.file_words())
            .and_then(|file| MappedWords::writable(&file))
            .map_err(fail)
            .and_then(|map| {
                let writer = PageWriter {
                    map: Arc::new(map),
                    shape,
                    work: 0,
                    trims: 0,
                };
                writer.fill(made_for)?;
                fs::rename(&draft, path).map_err(fail)?;
                Ok(writer)
            });
        if made.is_err() {
            // Nobody uses the draft; it does no harm if it stays.
            let _ = fs::remove_file(&draft);
        }
        made
    }

    /// Makes a page that only this process sees.
    ///
    /// # Errors
    /// [`CreateError`] names the label, or says that there is no memory.
    pub fn private(made_for: &Creation<'_>) -> Result<PageWriter, CreateError> {
        let shape = PageShape::of(made_for.body);
        let map = MappedWords::private(shape.file_words());
        let writer = PageWriter {
            map: Arc::new(map.map_err(|error| CreateError::Io(PathBuf::from("memory"), error))?),
            shape,
            work: 0,
            trims: 0,
        };
        writer.fill(made_for)?;
        Ok(writer)
    }

    /// The newest frame for guests of this process, which read it in place.
    pub fn window(&self) -> Window {
        Window::new(Arc::clone(&self.map), self.shape)
    }

    /// Sets the work time of the last turn, which the next frame shows.
    pub fn worked(&mut self, work: Span) {
        self.work = work.nanos();
    }

    /// Sets whether the loop keeps its period.
    pub fn judged(&self, verdict: RealtimeVerdict) {
        self.map.words()[header::REALTIME].store(verdict as u64, Relaxed);
    }

    /// Writes the header and the labels, and touches every frame so that no page fault happens later.
    fn fill(&self, made_for: &Creation<'_>) -> Result<(), CreateError> {
        let words = self.map.words();
        for word in words {
            word.store(0, Relaxed);
        }
        let unit =
            |units: &[&str], place: usize| units.get(place).copied().unwrap_or("").to_owned();
        let mut at = PageShape::labels_at();
        for (place, label) in made_for.body.actuators.iter().enumerate() {
            let words = &words[at..at + label::WORDS];
            write_label(
                words,
                label.name,
                &unit(made_for.actuator_units, place),
                label.board.0,
            )?;
            words[label::MIN].store(label.range.min.to_bits(), Relaxed);
            words[label::MAX].store(label.range.max.to_bits(), Relaxed);
            at += label::WORDS;
        }
        for (place, label) in made_for.body.sensors.iter().enumerate() {
            let words = &words[at..at + label::WORDS];
            write_label(
                words,
                label.name,
                &unit(made_for.sensor_units, place),
                label.board.0,
            )?;
            at += label::WORDS;
        }
        let fields = [
            (header::MAGIC, MAGIC),
            (header::VERSION, VERSION),
            (header::FILE_WORDS, self.shape.file_words() as u64),
            (header::RING, RING as u64),
            (header::FRAME_WORDS, self.shape.frame_words() as u64),
            (header::ACTUATORS, self.shape.actuators as u64),
            (header::SENSORS, self.shape.sensors as u64),
            (header::BOARDS, self.shape.boards as u64),
            (header::LABELS_AT, PageShape::labels_at() as u64),
            (header::RING_AT, self.shape.ring_at() as u64),
            (header::PERIOD, made_for.period.nanos()),
            (header::UTC_AT_ZERO, made_for.utc_at_zero.cast_unsigned()),
            (header::RUN, made_for.run),
            (header::WRITER, u64::from(std::process::id())),
        ];
        for (word, value) in fields {
            words[word].store(value, Relaxed);
        }
        Ok(())
    }

    /// Stores in the labels how far the zeros of the joints were moved.
    fn store_trims(&self, view: &View<'_>) {
        let labels = self.map.words()[PageShape::labels_at()..].chunks_exact(label::WORDS);
        for (words, track) in labels.zip(view.tracks) {
            words[label::TRIM].store(track.trim.to_bits(), Relaxed);
        }
    }

    /// Stores a turn's words in its frame.
    fn store(&self, frame: &[AtomicU64], view: &View<'_>) {
        let fields = [
            (frame::TURN, view.turn),
            (frame::NOW, view.now.nanos()),
            (frame::ELAPSED, view.elapsed.nanos()),
            (frame::WORK, self.work),
            (frame::STATE, state_number(view.state)),
            (frame::POWER, view.power.to_bits()),
            (frame::EVENTS, view.events.written()),
        ];
        for (word, value) in fields {
            frame[word].store(value, Relaxed);
        }
        let actuators = frame[frame::WORDS..].chunks_exact(frame::ACTUATOR_WORDS);
        for (words, track) in actuators.zip(view.tracks) {
            let values = [
                track.commanded,
                track.limited,
                track.sent,
                track.acknowledged,
                track.coverage,
            ];
            for (word, value) in words.iter().zip(values) {
                word.store(value.to_bits(), Relaxed);
            }
            words[5].store(track.clips.iter().sum(), Relaxed);
        }
        for (word, value) in frame[self.shape.sensors_at()..].iter().zip(view.sensors) {
            word.store(value.to_bits(), Relaxed);
        }
        let boards = frame[self.shape.boards_at()..].chunks_exact(frame::BOARD_WORDS);
        for (words, link) in boards.zip(view.links) {
            let values = [
                link.acks,
                link.nacks,
                u64::from(link.age),
                u64::from(link.error),
            ];
            for (word, value) in words.iter().zip(values) {
                word.store(value, Relaxed);
            }
        }
    }
}

impl Drop for PageWriter {
    fn drop(&mut self) {
        self.map.words()[header::CLOSED].store(1, Release);
    }
}

impl Publisher for PageWriter {
    fn publish(&mut self, view: &View<'_>) {
        if self.trims != view.trims {
            self.store_trims(view);
            self.trims = view.trims;
        }
        let words = self.map.words();
        let place = (view.turn as usize) & (RING - 1);
        let at = self.shape.ring_at() + place * self.shape.frame_words();
        let frame = &words[at..at + self.shape.frame_words()];
        let latest = &words[header::LATEST];
        seqlock::write(&frame[frame::STAMP], latest, view.turn, || {
            self.store(frame, view);
        });
    }
}

fn new_file(path: &Path, words: usize) -> io::Result<File> {
    // Never write to a file of that name that exists: in a shared folder, it could be a link to any file.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(0o644);
    let mut file = options.open(path)?;
    // Whatever the umask is: anybody may read it.
    file.set_permissions(fs::Permissions::from_mode(0o644))?;
    // Zeros instead of a hole: a full device gives an error here, and not a signal in the middle of a turn.
    io::copy(&mut io::repeat(0).take(words as u64 * 8), &mut file)?;
    Ok(file)
}

fn write_label(words: &[AtomicU64], name: &str, unit: &str, board: u8) -> Result<(), CreateError> {
    if name.len() > LABEL_NAME_MAX {
        return Err(CreateError::TooLong(name.to_owned()));
    }
    if unit.len() > LABEL_UNIT_MAX {
        return Err(CreateError::TooLong(unit.to_owned()));
    }
    for (word, bytes) in words[label::NAME].iter().zip(name.as_bytes().chunks(8)) {
        word.store(text_word(bytes), Relaxed);
    }
    words[label::UNIT].store(text_word(unit.as_bytes()), Relaxed);
    words[label::BOARD].store(u64::from(board), Relaxed);
    Ok(())
}

fn text_word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_ne_bytes(word)
}
