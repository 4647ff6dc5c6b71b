//! What can be wrong with a recording: places in it that are not as they were written, or why there is none.
//! Said by whoever opens one.
//! The law: each has its place, its reason, and what is left all the same.

use std::fmt;

/// A place in a recording that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The byte of the file at which the broken part begins.
    pub at: u64,
    /// The turns in it, as far as that can be said.
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

/// Why there is no recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordingError {
    /// It cannot be read at all.
    Io(String),
    /// It is something else.
    NotARecording(String),
    /// It is one, but what has to be known of it is missing; what could be seen of it.
    Incomplete {
        /// What is missing, or broken.
        why: String,
        /// Turns that are in it all the same.
        turns: u64,
    },
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordingError::Io(why) => f.write_str(why),
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
