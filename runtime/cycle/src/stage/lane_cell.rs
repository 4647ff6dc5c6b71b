//! The place of one lane on the stage: what it declared, where it is in its life, and what waits in it.
//! Made in the memory of a cycle; used by everything that is done on the stage.
//! The law: a place that is free keeps only its generation, so that stale handles are known.

use crate::lane::{LaneSettings, Life, priority};
use crate::time::{Instant, Span};
use crate::trajectory::{TRAJECTORIES, Trajectory};

/// A place for one lane. Opaque; made by [`LaneCell::FREE`] only.
#[derive(Debug)]
pub struct LaneCell<'m> {
    pub(crate) generation: u32,
    /// `None` while the place is free.
    pub(crate) life: Option<Life>,
    pub(crate) settings: LaneSettings,
    /// What was asked for and is true from the next edge on.
    pub(crate) priority_asked: f64,
    pub(crate) weight_asked: f64,
    pub(crate) weights_changed: bool,
    /// The order in which lanes were opened: the older one goes first among equals.
    pub(crate) age: u64,
    /// When it was opened, or heard again after a pause: its fade-in starts here.
    pub(crate) opened_at: Instant,
    pub(crate) fed_at: Instant,
    /// Its client was silent for too long, and it was ended for that.
    pub(crate) silent: bool,
    /// The body has retreated for its silence.
    pub(crate) body_timed_out: bool,
    /// Commands in chains, of `settings.room`.
    pub(crate) used: u32,
    /// Steps of work left in this turn.
    pub(crate) steps: u32,
    pub(crate) was_overridden: bool,
    /// How long its time has stood, all in all, and whether it stands in this turn.
    pub(crate) stood: Span,
    pub(crate) stands: bool,
    /// A person has halted it.
    pub(crate) halted: bool,
    /// The body comes back to where this lane stands.
    pub(crate) awaits_return: bool,
    pub(crate) trajectories: [Option<Trajectory<'m>>; TRAJECTORIES],
}

impl LaneCell<'_> {
    /// A free place.
    pub const FREE: Self = LaneCell {
        generation: 0,
        life: None,
        settings: LaneSettings::STANDARD,
        priority_asked: 0.0,
        weight_asked: 0.0,
        weights_changed: false,
        age: 0,
        opened_at: Instant::ZERO,
        fed_at: Instant::ZERO,
        silent: false,
        body_timed_out: false,
        used: 0,
        steps: 0,
        was_overridden: false,
        stood: Span::ZERO,
        stands: false,
        halted: false,
        awaits_return: false,
        trajectories: [const { None }; TRAJECTORIES],
    };

    /// The factor on all its weights at `now`: rising while it comes in, falling while it goes.
    pub(crate) fn fade(&self, now: Instant) -> f64 {
        let rising = (now - self.opened_at).share_of(self.settings.fade_in);
        match self.life {
            Some(Life::Fading(since)) => {
                rising * (1.0 - (now - since).share_of(self.settings.fade_out))
            }
            _ => rising,
        }
    }

    /// Whether it has not come in yet; or was ended before it had, and so goes out as it came.
    pub(crate) fn is_coming_in(&self, now: Instant) -> bool {
        let until = match self.life {
            Some(Life::Fading(since)) => since,
            _ => now,
        };
        (until - self.opened_at) < self.settings.fade_in
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.settings.priority < priority::BACKGROUND
    }
}
