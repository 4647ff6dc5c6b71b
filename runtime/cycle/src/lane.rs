//! One source of commands: its priority, its weight, how it fades, how it ends.
//! Opened and ended by `stage`; read by the blend.
//! The law: whatever happens to whoever feeds it, a lane ends the way it declared.

use crate::sheet::{SHEETS, Sheet};
use crate::time::{Instant, Span};

/// The six named priorities; every finite number between or beyond is as good.
pub mod priority {
    /// Paused: the lane's time goes on, but nothing of it is expressed. So is every negative one.
    pub const IGNORED: f64 = -1.0;
    /// Below everything else.
    pub const BACKGROUND: f64 = 0.0;
    /// Below the usual.
    pub const LOW: f64 = 5.0;
    /// The usual; the lane `shared` has it.
    pub const STANDARD: f64 = 10.0;
    /// Above the usual.
    pub const HIGH: f64 = 50.0;
    /// Above everything but the body's own safety, which no lane outranks.
    pub const EMERGENCY: f64 = 100.0;
}

/// A handle to a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaneId {
    pub(crate) place: u16,
    pub(crate) generation: u32,
}

impl LaneId {
    /// A handle that never names a lane.
    pub const NOBODY: LaneId = LaneId {
        place: u16::MAX,
        generation: u32::MAX,
    };

    /// The handle as a number, for whoever writes it down.
    pub const fn number(self) -> u64 {
        (self.generation as u64) << 16 | self.place as u64
    }

    /// The handle of this number. It need not name any lane.
    pub const fn of_number(number: u64) -> LaneId {
        LaneId {
            place: number as u16,
            generation: (number >> 16) as u32,
        }
    }
}

/// What a lane does with an actuator when its last command there is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It keeps the last value and goes on claiming the actuator.
    Hold,
    /// It lets go; lanes below inherit the actuator in the next turn.
    Release,
    /// It lets go of what stays by itself, and goes on with what would not: the speed of a wheel.
    Speeds,
}

/// How a lane ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It fades out and lets everything go.
    Release,
    /// Its commands are deleted and its actuators kept where they are, until it is ended again.
    Hold,
    /// Its actuators move to the safe pose in this time; then it lets go.
    SafePose(Span),
}

/// What happens when a lane's client says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// After this long without a word the lane ends as it declared.
    pub after: Span,
    /// After this long the whole body goes to its safe pose.
    pub body_after: Option<Span>,
}

/// What a lane declares when it is opened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneSettings {
    /// Its priority; any finite number.
    pub priority: f64,
    /// Its weight on everything; finite, not negative.
    pub weight: f64,
    /// How many commands may wait in it, all actuators together (sheets bring their own room).
    pub room: u32,
    /// What it does with an actuator when its last command there is done.
    pub keep: Keep,
    /// How long it takes to come in.
    pub fade_in: Span,
    /// How long it takes to go out.
    pub fade_out: Span,
    /// How it ends.
    pub ending: Ending,
    /// What happens when its client says nothing.
    pub silence: Option<Silence>,
    /// Its time stands while the body does not do what lanes ask: a show goes on from where it is. Else
    /// its time is the robot's, and what passed meanwhile is dropped.
    pub waits: bool,
}

impl LaneSettings {
    /// Standard priority, full weight, room for one full timeline, no fades, released at its end.
    pub const STANDARD: LaneSettings = LaneSettings {
        priority: priority::STANDARD,
        weight: 1.0,
        room: crate::command::WAITING_MAX,
        keep: Keep::Hold,
        fade_in: Span::ZERO,
        fade_out: Span::ZERO,
        ending: Ending::Release,
        silence: None,
        waits: false,
    };
}

/// Where a lane is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It takes requests.
    Open,
    /// It holds its actuators and takes nothing more.
    Holding,
    /// It moves to the safe pose and takes nothing more.
    Retreating,
    /// It fades out since this instant.
    Fading(Instant),
}

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
    pub(crate) mourned: bool,
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
    pub(crate) sheets: [Option<Sheet<'m>>; SHEETS],
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
        mourned: false,
        used: 0,
        steps: 0,
        was_overridden: false,
        stood: Span::ZERO,
        stands: false,
        halted: false,
        awaits_return: false,
        sheets: [const { None }; SHEETS],
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
