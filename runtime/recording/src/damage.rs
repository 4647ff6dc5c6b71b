//! What can be wrong with a recording: damaged places in it, or why it cannot be used at all.
//! Returned when a recording is opened.
//! Each names its place, its reason, and what is left.

use std::fmt;

use super::run_info::FORMAT;

/// A place in a recording that is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The byte of the file at which the broken part begins.
    pub at: u64,
    /// The turns in it, as far as they are known.
    pub turns: Option<(u64, u64)>,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turns {
            Some((first, last)) if first == last => write!(f, "in turn {first}, ")?,
            Some((first, last)) => write!(f, "in turns {first} to {last}, ")?,
            None => {}
        }
        write!(f, "at byte {}: {}", self.at, self.why)
    }
}

/// Why a recording cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordingError {
    /// The file cannot be read.
    Io(String),
    /// The file is not a recording.
    NotARecording(String),
    /// It is a part of a run, and turns before it are missing: why, and the fix.
    Headless {
        /// Why they are missing.
        why: String,
        /// What can be done.
        fix: String,
    },
    /// Its messages have another format than those of this program.
    OtherFormat {
        /// Their format; 0 before there was one.
        format: u32,
        /// The version of the program that recorded it.
        version: String,
    },
    /// It is still being written, and its first turns are not in it yet.
    NoTurnsYet,
    /// It is a recording, but something that a replay needs is missing.
    Incomplete {
        /// What is missing or broken.
        why: String,
        /// Turns that can still be read.
        turns: u64,
    },
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordingError::Io(why) => f.write_str(why),
            RecordingError::Headless { why, fix } => write!(
                f,
                "it cannot be replayed: {why}, and a replay needs all turns from the first; its values can be \
                 shown (`dcm-run plot`, or a viewer of MCAP); fix: {fix}"
            ),
            RecordingError::OtherFormat { format: 0, .. } => f.write_str(
                "it cannot be replayed: it is of a time when recordings had other numbers; its values can be shown \
                 (`dcm-run plot`, or a viewer of MCAP); fix: record the run again",
            ),
            RecordingError::OtherFormat { format, version } => write!(
                f,
                "it cannot be replayed: it has format {format}, and this program reads format {FORMAT}; its values \
                 can be shown (`dcm-run plot`, or a viewer of MCAP); fix: replay it with dcm-run {version}, which \
                 recorded it"
            ),
            RecordingError::NoTurnsYet => f.write_str(
                "it is still being written, and has no turns yet; fix: try again in a second",
            ),
            RecordingError::NotARecording(why) => {
                write!(
                    f,
                    "not a recording of dcm-run: {why}; fix: record one with `dcm-run run … \
                     --record out.mcap`"
                )
            }
            RecordingError::Incomplete { why, turns } => write!(
                f,
                "it cannot be replayed: {why}; any MCAP reader can still read {turns} of its turns"
            ),
        }
    }
}

impl std::error::Error for RecordingError {}
