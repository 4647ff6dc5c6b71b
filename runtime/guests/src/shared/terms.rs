//! A guest's number, and what it was granted.
//! Made by `manage::grant`; read wherever a guest is made or called.
//! The law: terms are settled before a guest is made.

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
    /// What it may drive; everything if it is not said.
    pub mask: Option<Vec<u32>>,
    /// How its lane is opened.
    pub lane: LaneSettings,
    /// Parameters that were asked for beforehand.
    pub params: Vec<(String, f64)>,
    /// Whether its lane's priority was wished for, and not only the usual one.
    pub own_priority: bool,
    /// Whether it goes when it is not alive any more, or only falls silent.
    pub prune: bool,
    /// Whether it comes in silent, until it is resumed.
    pub paused: bool,
}
