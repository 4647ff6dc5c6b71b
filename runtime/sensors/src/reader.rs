//! The reader of the page, in any process: it reads complete frames in place, or none.
//! Used by the command line, the daemon, guests, and any other program that maps the file.
//! A reader never makes the writer wait, and no content of the file makes it panic.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use cycle::{Instant, RealtimeVerdict, Span, State};
use memmap2::Mmap;

use crate::layout::{
    Label, MAGIC, PageShape, RING, VERSION, frame, header, label, state_of, verdict_of,
};
use crate::map::MappedWords;
use crate::seqlock;

/// Attempts to read the newest frame before giving up.
const TRIES: usize = 64;

/// Reads a page.
#[derive(Debug)]
pub struct PageReader {
    map: MappedWords<Mmap>,
    shape: PageShape,
}

/// Why a file cannot be read as a page.
#[derive(Debug)]
pub enum OpenError {
    /// The file could not be opened or mapped.
    Io(PathBuf, io::Error),
    /// The file is not a page.
    NotAPage(PathBuf),
    /// The page has another version.
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// The file is truncated, or its header is inconsistent.
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
}

/// The error in the words of the system, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_owned()
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io(path, error) => write!(
                f,
                "the page {} cannot be opened: {}; fix: `dcm-run ps` shows whether its loop runs",
                path.display(),
                plain(error)
            ),
            OpenError::NotAPage(path) => {
                write!(
                    f,
                    "{} is not a page: it does not begin with DCMPAGE; fix: name a loop, or the file of its page",
                    path.display()
                )
            }
            OpenError::Version { path, found } => write!(
                f,
                "{} is a page of version {found}, but this program reads version {VERSION}; fix: use \
                 the program that matches the loop",
                path.display()
            ),
            OpenError::Broken { path, what } => {
                write!(
                    f,
                    "{} is an invalid page: {what}; fix: start its loop again, which writes a new one",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for OpenError {}

impl PageReader {
    /// Maps a page for reading.
    ///
    /// # Errors
    /// [`OpenError`] names the file and what is wrong with it.
    pub fn open(path: &Path) -> Result<PageReader, OpenError> {
        let fail = |error| OpenError::Io(path.to_owned(), error);
        let file = File::open(path).map_err(fail)?;
        // An empty file cannot be mapped, and is not a page.
        if file.metadata().map_err(fail)?.len() < header::WORDS as u64 * 8 {
            return Err(OpenError::NotAPage(path.to_owned()));
        }
        let map = MappedWords::read_only(&file).map_err(fail)?;
        let shape = check(map.words(), path)?;
        Ok(PageReader { map, shape })
    }

    /// The numbers of actuators, sensors and boards.
    pub fn shape(&self) -> PageShape {
        self.shape
    }

    /// The labels of the actuators.
    pub fn actuators(&self) -> Vec<Label> {
        self.labels(0..self.shape.actuators)
    }

    /// The labels of the sensors.
    pub fn sensors(&self) -> Vec<Label> {
        self.labels(self.shape.actuators..self.shape.actuators + self.shape.sensors)
    }

    /// The loop's period.
    pub fn period(&self) -> Span {
        Span::from_nanos(self.header(header::PERIOD))
    }

    /// UTC in ns since 1970 at the robot's instant 0.
    pub fn utc_at_zero(&self) -> i64 {
        self.header(header::UTC_AT_ZERO).cast_signed()
    }

    /// Whether the loop keeps its period, as of its last turns.
    pub fn realtime(&self) -> RealtimeVerdict {
        verdict_of(self.header(header::REALTIME))
    }

    /// The number of the run that wrote the page.
    pub fn run(&self) -> u64 {
        self.header(header::RUN)
    }

    /// The id of the process that wrote it.
    pub fn writer(&self) -> u64 {
        self.header(header::WRITER)
    }

    /// Whether the writer closed the page properly. If not, it runs or was killed.
    pub fn is_closed(&self) -> bool {
        self.header(header::CLOSED) != 0
    }

    /// As `is_closed`; whoever then looks for the newest turn sees the last one.
    pub(crate) fn has_ended(&self) -> bool {
        self.map.words()[header::CLOSED].load(Acquire) != 0
    }

    /// The turn of the newest complete frame; 0 for none.
    pub fn latest(&self) -> u64 {
        seqlock::newest(&self.map.words()[header::LATEST])
    }

    /// Reads the newest frame in place. `None` if there is none yet, or if the writer overwrote every attempt.
    pub fn read<R>(&self, read: impl Fn(Frame<'_>) -> R) -> Option<R> {
        (0..TRIES).find_map(|_| self.read_turn(self.latest(), &read))
    }

    /// Reads the frame of one turn in place. `None` if it is not written yet, or is overwritten.
    pub fn read_turn<R>(&self, turn: u64, read: impl FnOnce(Frame<'_>) -> R) -> Option<R> {
        let place = (turn as usize) & (RING - 1);
        let at = self.shape.ring_at() + place * self.shape.frame_words();
        let words = &self.map.words()[at..at + self.shape.frame_words()];
        let shape = self.shape;
        seqlock::read(&words[frame::STAMP], turn, || read(Frame { words, shape }))
    }

    /// The turns that are still kept, the oldest first.
    pub fn turns(&self) -> impl Iterator<Item = u64> + use<> {
        let latest = self.latest();
        latest.saturating_sub(RING as u64 - 1).max(1)..latest.saturating_add(1)
    }

    fn header(&self, word: usize) -> u64 {
        self.map.words()[word].load(Relaxed)
    }

    /// How far the zero of each joint was moved since the start of the loop; 0 for other actuators.
    pub fn trims(&self) -> Vec<f64> {
        let labels = self.map.words()[PageShape::labels_at()..].chunks_exact(label::WORDS);
        let labels = labels.take(self.shape.actuators);
        let trim = |item: &[AtomicU64]| f64::from_bits(item[label::TRIM].load(Relaxed));
        labels.map(trim).collect()
    }

    fn labels(&self, places: std::ops::Range<usize>) -> Vec<Label> {
        places
            .map(|place| {
                let at = PageShape::labels_at() + place * label::WORDS;
                let words = &self.map.words()[at..at + label::WORDS];
                let value = |word: usize| f64::from_bits(words[word].load(Relaxed));
                Label {
                    name: text(&words[label::NAME]),
                    unit: text(&words[label::UNIT..=label::UNIT]),
                    range: (value(label::MIN), value(label::MAX)),
                    board: words[label::BOARD].load(Relaxed) as u8,
                    trim: value(label::TRIM),
                }
            })
            .collect()
    }
}

/// A frame, in place. Its values are consistent only if the read that passed it returns `Some`.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'p> {
    words: &'p [AtomicU64],
    shape: PageShape,
}

// Inlined into other crates: a call for each value costs five times as much as the value.
impl Frame<'_> {
    #[inline]
    fn word(&self, at: usize) -> u64 {
        self.words[at].load(Relaxed)
    }

    #[inline]
    fn value(&self, at: usize) -> f64 {
        f64::from_bits(self.word(at))
    }

    /// The turn's number.
    #[inline]
    pub fn turn(&self) -> u64 {
        self.word(frame::TURN)
    }

    /// The turn's instant.
    #[inline]
    pub fn now(&self) -> Instant {
        Instant::from_nanos(self.word(frame::NOW))
    }

    /// The time since the previous turn.
    #[inline]
    pub fn elapsed(&self) -> Span {
        Span::from_nanos(self.word(frame::ELAPSED))
    }

    /// The work time of the previous turn.
    #[inline]
    pub fn work(&self) -> Span {
        Span::from_nanos(self.word(frame::WORK))
    }

    /// The safety state; `None` if the number in the file is unknown.
    #[inline]
    pub fn state(&self) -> Option<State> {
        state_of(self.word(frame::STATE))
    }

    /// The factor on gains and stiffnesses.
    #[inline]
    pub fn power(&self) -> f64 {
        self.value(frame::POWER)
    }

    /// Entries written to the event log so far.
    #[inline]
    pub fn events(&self) -> u64 {
        self.word(frame::EVENTS)
    }

    /// The commanded value of an actuator. This and the functions below return `None` if the number is out of range.
    #[inline]
    pub fn commanded(&self, actuator: usize) -> Option<f64> {
        self.of_actuator(actuator, 0)
    }

    /// The value after the limits.
    #[inline]
    pub fn limited(&self, actuator: usize) -> Option<f64> {
        self.of_actuator(actuator, 1)
    }

    /// The value sent.
    #[inline]
    pub fn sent(&self, actuator: usize) -> Option<f64> {
        self.of_actuator(actuator, 2)
    }

    /// The value that the board acknowledged.
    #[inline]
    pub fn acknowledged(&self, actuator: usize) -> Option<f64> {
        self.of_actuator(actuator, 3)
    }

    /// The share of the actuator that lanes claimed.
    #[inline]
    pub fn coverage(&self, actuator: usize) -> Option<f64> {
        self.of_actuator(actuator, 4)
    }

    /// How often limits changed its value so far.
    #[inline]
    pub fn clips(&self, actuator: usize) -> Option<u64> {
        self.of_actuator(actuator, 5).map(f64::to_bits)
    }

    /// A sensor's value.
    #[inline]
    pub fn sensor(&self, sensor: usize) -> Option<f64> {
        (sensor < self.shape.sensors).then(|| self.value(self.shape.sensors_at() + sensor))
    }

    /// A board's exchanges: answered, not answered, turns since the last answer, error code.
    #[inline]
    pub fn board(&self, board: usize) -> Option<[u64; 4]> {
        let at = self.shape.boards_at() + board * frame::BOARD_WORDS;
        (board < self.shape.boards).then(|| [0, 1, 2, 3].map(|word| self.word(at + word)))
    }

    #[inline]
    fn of_actuator(&self, actuator: usize, word: usize) -> Option<f64> {
        let at = frame::WORDS + actuator * frame::ACTUATOR_WORDS + word;
        (actuator < self.shape.actuators).then(|| self.value(at))
    }
}

/// Checks the header against itself and the file's length.
fn check(words: &[AtomicU64], path: &Path) -> Result<PageShape, OpenError> {
    let word = |at: usize| words[at].load(Relaxed);
    let broken = |what| OpenError::Broken {
        path: path.to_owned(),
        what,
    };
    if word(header::MAGIC) != MAGIC {
        return Err(OpenError::NotAPage(path.to_owned()));
    }
    if word(header::VERSION) != VERSION {
        return Err(OpenError::Version {
            path: path.to_owned(),
            found: word(header::VERSION),
        });
    }
    // More than any robot has, and low enough that no product below can overflow.
    let count = |at| {
        usize::try_from(word(at))
            .ok()
            .filter(|count| *count <= 1 << 20)
    };
    let counts = (
        count(header::ACTUATORS),
        count(header::SENSORS),
        count(header::BOARDS),
    );
    let (Some(actuators), Some(sensors), Some(boards)) = counts else {
        return Err(broken("it claims too many actuators, sensors or boards"));
    };
    let shape = PageShape {
        actuators,
        sensors,
        boards,
    };
    let layout = [
        (header::RING, RING),
        (header::FRAME_WORDS, shape.frame_words()),
        (header::LABELS_AT, PageShape::labels_at()),
        (header::RING_AT, shape.ring_at()),
        (header::FILE_WORDS, shape.file_words()),
    ];
    if layout
        .iter()
        .any(|(at, wanted)| word(*at) != *wanted as u64)
    {
        return Err(broken("its header is inconsistent"));
    }
    if words.len() < shape.file_words() {
        return Err(broken("the file is truncated"));
    }
    Ok(shape)
}

fn text(words: &[AtomicU64]) -> String {
    let bytes: Vec<u8> = words
        .iter()
        .flat_map(|word| word.load(Relaxed).to_ne_bytes())
        .collect();
    let end = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}
