//! The guest's lane: its priority, its weight, and its end.

use crate::answer::{Answer, State};
use crate::raw;

/// The priority of a guest. Any finite number can be used, also between the named ones.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Priority(pub f64);

impl Priority {
    /// No effect, for now.
    pub const SILENT: Priority = Priority(-1.0);
    /// Lower than everything else.
    pub const BACKGROUND: Priority = Priority(0.0);
    /// Lower than normal.
    pub const LOW: Priority = Priority(5.0);
    /// Normal.
    pub const STANDARD: Priority = Priority(10.0);
    /// Higher than normal.
    pub const HIGH: Priority = Priority(50.0);
    /// Higher than everything but the body's own safety.
    pub const EMERGENCY: Priority = Priority(100.0);
}

/// Sets this guest's priority, at most what its grant allows.
pub fn set_priority(priority: Priority) -> Answer {
    Answer::of(raw::set_priority(priority.0))
}

/// Sets this guest's weight among guests of the same priority, 0 to 1,000.
pub fn set_weight(weight: f64) -> Answer {
    Answer::of(raw::set_weight(weight))
}

/// The state of the body.
pub fn body_state() -> State {
    State::of(raw::body_state())
}

/// Whether a guest of higher priority overrides this one on any actuator.
pub fn is_hidden() -> bool {
    raw::is_hidden() != 0
}

/// Ends the guest: its lane fades out, `stop` is called, and the guest is removed.
pub fn finish() -> Answer {
    Answer::of(raw::finish())
}
