//! The log: one stream of entries from every room that may log, from the events of the body, and from the guests.
//!
//! Rooms use the macros of `tracing`; `guests` writes a guest's line into the same stream, under the guest's name.
//! [`start`], which `dcm-run` calls once, decides what is written where: `filter` reads the words of `--log`, `layer`
//! makes a [`protocol::LogEntry`] of what is logged, `format` makes text, JSON or journald's fields of it, and `writer`
//! writes it on a thread of its own. [`listen`] takes the stream for the history that `dcm-run logs` reads.
//! Nothing here runs in a turn, whoever logs never waits for a file or a pipe, and what is lost is counted.

mod filter;
mod format;
mod guest;
mod layer;
mod writer;

use std::sync::{Arc, OnceLock};

use protocol::LogEntry;
use rustix::fs::{FileType, Stat, fstat, stat};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterFn, LevelFilter};
use tracing_subscriber::layer::SubscriberExt;

pub use filter::{Filter, FilterError, PARTS};
pub use format::{LogFormat, text};
pub use guest::guest_line;
pub use writer::{Held, LogWriter};

use layer::EntryLayer;
use writer::Destination;

/// The target of the events of a body.
pub const BODY: &str = "robot::body";

/// The target of what only those may read who can read this process's output: it is kept out of the history.
pub const SECRET: &str = "daemon::secret";

/// What is written where.
#[derive(Debug)]
pub struct LogOptions {
    /// What is written; `None` for nothing.
    pub filter: Option<Filter>,
    /// How it is written.
    pub format: LogFormat,
    /// Whether text has colours.
    pub colours: bool,
}

/// Who hears the stream, for the history.
type EntryListener = Box<dyn Fn(LogEntry) + Send + Sync>;

static LISTENER: OnceLock<EntryListener> = OnceLock::new();

/// Hands every entry that belongs into the history to this function from now on: what is `info` or more, and details of
/// the body and the guests. It is called by whoever logs, so it must be quick. The first listener of a process stays.
pub fn listen(listener: impl Fn(LogEntry) + Send + Sync + 'static) {
    // A second listener is a mistake of ours that no test would miss: the history of the first stays right.
    let _ = LISTENER.set(Box::new(listener));
}

/// Tells the history if nobody reads standard error: for a process that [`listen`]s.
pub fn warn_if_unread() {
    let device = |stat: Stat| (FileType::from_raw_mode(stat.st_mode), stat.st_rdev);
    // A stream that was closed is `/dev/null` as well: Rust's runtime opens it at the start.
    let stderr = fstat(std::io::stderr()).map(device);
    let null = stat("/dev/null").map(device);
    if matches!((stderr, null), (Ok(stderr), Ok(null)) if stderr == null) {
        tracing::info!(
            "standard error is closed: the log is only in the history, which `dcm-run logs` prints"
        );
    }
}

/// Starts the log of this process. The returned writer is to be finished before the process ends.
///
/// Under systemd, whose journal reads standard error, entries go to journald with their fields, if it can be reached.
pub fn start(options: LogOptions) -> LogWriter {
    let (destination, problem) = match &options.filter {
        Some(_) => Destination::choose(),
        None => (Destination::stderr(), None),
    };
    let format = match destination {
        Destination::Stderr(_) => options.format,
        Destination::Journald(_) => LogFormat::Journald,
    };
    let doubts = options.filter.as_ref().map_or(Vec::new(), Filter::doubts);
    let writer = LogWriter::start(destination);
    let queue = writer.queue();
    let colours = options.colours && format == LogFormat::Text;
    let written = options.filter.map(|filter| {
        let write = move |entry: LogEntry| queue.push(format.line(&entry, colours));
        EntryLayer::new(write).with_filter(filter.into_env_filter())
    });
    let told = EntryLayer::new(|entry| {
        if let Some(listener) = LISTENER.get() {
            listener(entry);
        }
    });
    let subscriber = tracing_subscriber::registry().with(written).with(
        told.with_filter(FilterFn::new(is_of_history).with_max_level_hint(LevelFilter::DEBUG)),
    );
    // A test starts it once for each process; there is nobody else who could have set one.
    let _ = tracing::subscriber::set_global_default(subscriber);
    for doubt in doubts.into_iter().chain(problem) {
        tracing::warn!("{doubt}");
    }
    writer
}

/// Whether an entry belongs into the history.
fn is_of_history(of: &tracing::Metadata<'_>) -> bool {
    let level = *of.level();
    if of.is_span() || guest::is_line(of) || of.target() == BODY {
        return level <= tracing::Level::DEBUG;
    }
    if of.target() == SECRET {
        return false;
    }
    let room = of.target().split("::").next().unwrap_or_default();
    level <= tracing::Level::INFO && PARTS.contains(&room)
}

/// A function that tells what the robot's time is, ns: entries of rooms, which do not know it, get it from there.
pub fn set_clock(now: impl Fn() -> u64 + Send + Sync + 'static) {
    // As with the listener.
    let _ = layer::CLOCK.set(Arc::new(now));
}
