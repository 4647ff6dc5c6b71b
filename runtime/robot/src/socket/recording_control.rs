//! How a request reaches the recording of a run. `recording` implements it; the request handler asks it.
//! It is called outside the loop, and neither waits for the disk nor for a turn.

use std::fmt::Debug;

use ::protocol::RecordingStatus;

/// Switches the recording of a run on and off.
pub trait RecordingControl: Debug + Send + Sync {
    /// How it stands.
    fn status(&self) -> RecordingStatus;

    /// Records from now on, or no longer. What was wrong is tried again.
    fn record(&self, on: bool);
}
