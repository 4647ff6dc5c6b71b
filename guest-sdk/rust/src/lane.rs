//! The guest among guests: how early it is heard, with which share, and when it has done.

use crate::answer::{Answer, State};
use crate::raw;

/// How early a guest is heard. Every finite number between those with names is as good.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Priority(pub f64);

impl Priority {
    /// Not heard at all, for now.
    pub const SILENT: Priority = Priority(-1.0);
    /// Below everything else.
    pub const BACKGROUND: Priority = Priority(0.0);
    /// Below the usual.
    pub const LOW: Priority = Priority(5.0);
    /// The usual.
    pub const STANDARD: Priority = Priority(10.0);
    /// Above the usual.
    pub const HIGH: Priority = Priority(50.0);
    /// Above everything but the body's own safety.
    pub const EMERGENCY: Priority = Priority(100.0);
}

/// Sets this guest's priority, no higher than its grant allows.
pub fn set_priority(priority: Priority) -> Answer {
    Answer::of(raw::set_priority(priority.0))
}

/// Sets this guest's share among guests of the same priority, 0 to 1.
pub fn set_weight(weight: f64) -> Answer {
    Answer::of(raw::set_weight(weight))
}

/// What the whole body is doing.
pub fn body_state() -> State {
    State::of(raw::body_state())
}

/// Whether a guest of higher priority hides this one on any actuator.
pub fn is_hidden() -> bool {
    raw::is_hidden() != 0
}

/// The guest has done what it came for: it fades out, `stop` is called, and it is gone.
pub fn finish() -> Answer {
    Answer::of(raw::finish())
}
