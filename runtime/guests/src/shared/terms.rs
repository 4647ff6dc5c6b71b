//! A guest's number, and what it was granted.
//! Made by `manage::grant`; read wherever a guest is made or called.
//! They are settled before a guest is made; later only its lane's priority and weight change.

use std::sync::Arc;

use cycle::LaneSettings;

/// The number of a guest in its loop.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct GuestId(pub u32);

/// What a guest was granted, and how its lane is opened.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Fuel for each call of a hook.
    pub fuel: u64,
    /// Ticks of the clock that a hook may take.
    pub ticks: u64,
    /// Bytes of memory.
    pub memory: usize,
    /// The highest priority of its lane.
    pub priority_max: f64,
    /// The actuators it may drive; default: all.
    pub mask: Option<Vec<u32>>,
    /// How its lane is opened.
    pub lane: LaneSettings,
    /// The text, of a guest whose code is an interpreter.
    pub script: Arc<[u8]>,
    /// Values of parameters that were given when it was loaded.
    pub params: Vec<(String, f64)>,
    /// Whether the priority of its lane was asked for; if not, a version that takes over keeps the old one's.
    pub own_priority: bool,
    /// Whether it ends when `is-alive` answers no.
    pub prune: bool,
    /// Whether it comes in paused.
    pub paused: bool,
}
