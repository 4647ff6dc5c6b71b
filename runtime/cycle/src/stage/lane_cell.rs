//! The place of one lane on the stage: its settings, its life cycle and its waiting commands.
//! Made in the memory of a cycle; used by the whole stage.
//! A free place keeps only its generation, so that stale handles are recognized.

use crate::lane::{LaneId, LaneSettings, Life, priority};
use crate::time::{Instant, Span};
use crate::trajectory::{TRAJECTORIES, Trajectory};

/// A place for one lane. Opaque; only [`LaneCell::FREE`] makes one.
#[derive(Debug)]
pub struct LaneCell<'m> {
    pub(crate) generation: u32,
    /// `None` while the place is free.
    pub(crate) life: Option<Life>,
    pub(crate) settings: LaneSettings,
    /// The requested values, which take effect at the next edge.
    pub(crate) priority_asked: f64,
    pub(crate) weight_asked: f64,
    pub(crate) weights_changed: bool,
    /// The order in which lanes were opened: among equals the older goes first.
    pub(crate) age: u64,
    /// When it was opened, or resumed after a pause: the start of its fade-in.
    pub(crate) opened_at: Instant,
    pub(crate) fed_at: Instant,
    /// Whether it was ended because its client was silent for too long.
    pub(crate) silent: bool,
    /// Whether the body has retreated because of its silence.
    pub(crate) body_timed_out: bool,
    /// Commands in chains; at most `settings.room`.
    pub(crate) used: u32,
    /// Steps of work left in this turn.
    pub(crate) steps: u32,
    pub(crate) was_overridden: bool,
    /// How long its time has stood in total, and whether it stands in this turn.
    pub(crate) stood: Span,
    pub(crate) stands: bool,
    /// Whether a person has halted it.
    pub(crate) halted: bool,
    /// Whether the body returns to this lane's values.
    pub(crate) awaits_return: bool,
    /// In how many turns more what it drives directly counts as driven again, not for the first time: the body, or the
    /// lane, stood before, and the way to its value is none that it asks for.
    pub(crate) resumes_for: u8,
    /// The lane whose work it takes over, and which fades out meanwhile.
    pub(crate) takes_over: Option<LaneId>,
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
        resumes_for: 0,
        takes_over: None,
        trajectories: [const { None }; TRAJECTORIES],
    };

    /// The factor on all its weights at `now`.
    pub(crate) fn fade(&self, now: Instant) -> f64 {
        self.rise(now) * self.fall(now)
    }

    /// How far it has faded in, 0 to 1.
    pub(crate) fn rise(&self, now: Instant) -> f64 {
        (now - self.opened_at).share_of(self.settings.fade_in)
    }

    /// What is left of it while it fades out, 1 to 0.
    pub(crate) fn fall(&self, now: Instant) -> f64 {
        match self.life {
            Some(Life::Fading(since)) => 1.0 - (now - since).share_of(self.settings.fade_out),
            _ => 1.0,
        }
    }

    /// Whether its fade-in is not complete, or was not complete when the lane was ended.
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
