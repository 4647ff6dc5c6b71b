//! One source of commands: its priority, its weight, how it fades, how it ends.
//! Opened and ended by `stage`; read by the blend.
//! Whatever happens to its client, a lane ends in the way that it declared.

use crate::time::{Instant, Span};

/// How many commands may wait for one actuator in one lane.
pub const WAITING_MAX: u32 = 4096;

/// The six named priorities; any other finite number is valid too.
pub mod priority {
    /// Paused: the lane's time goes on, but it drives nothing. The same holds for every negative priority.
    pub const IGNORED: f64 = -1.0;
    /// Below everything else.
    pub const BACKGROUND: f64 = 0.0;
    /// Below the standard.
    pub const LOW: f64 = 5.0;
    /// The standard; the lane `shared` has it.
    pub const STANDARD: f64 = 10.0;
    /// Above the standard.
    pub const HIGH: f64 = 50.0;
    /// The highest named priority. The body's own safety outranks every lane.
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

    /// The handle as a number, for recordings.
    pub const fn number(self) -> u64 {
        (self.generation as u64) << 16 | self.place as u64
    }

    /// The handle with this number, which need not name a lane.
    pub const fn of_number(number: u64) -> LaneId {
        LaneId {
            place: number as u16,
            generation: (number >> 16) as u32,
        }
    }
}

/// What a lane does with an actuator after its last command there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Keeps the last value and the claim to the actuator.
    Hold,
    /// Releases the actuator; lanes below drive it from the next turn on.
    Release,
    /// Releases actuators that keep their value by themselves, and keeps those that would not, such as a wheel's speed.
    Speeds,
}

/// How a lane ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Fades out and releases everything.
    Release,
    /// Deletes its commands and holds its actuators where they are, until it is ended again.
    Hold,
    /// Moves its actuators to the safe pose in this time, then releases them.
    SafePose(Span),
}

/// The heartbeat timeouts of a lane: what happens if its client is silent. Any request of the client is a heartbeat,
/// and `Stage::feed` is one without a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SilenceTimeout {
    /// The lane ends as it declared after this time without a request.
    pub after: Span,
    /// The whole body goes to its safe pose after this time.
    pub body_after: Option<Span>,
}

/// The settings with which a lane is opened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneSettings {
    /// Its priority; any finite number.
    pub priority: f64,
    /// Its weight on everything; finite, not negative.
    pub weight: f64,
    /// How many commands may wait in it, all actuators together (trajectories bring their own room).
    pub room: u32,
    /// What it does with an actuator after its last command there.
    pub keep: Keep,
    /// The duration of the fade-in.
    pub fade_in: Span,
    /// The duration of the fade-out.
    pub fade_out: Span,
    /// How it ends.
    pub ending: Ending,
    /// The reaction to a silent client; `None` for no reaction.
    pub silence: Option<SilenceTimeout>,
    /// Whether its time stands while the body does not follow lanes, so that a show continues where it was. Otherwise
    /// its time is the robot's, and commands that pass meanwhile are dropped.
    pub waits: bool,
    /// Whether its requests are followed: how far each is can be asked, and how it ended. Then deleting a waiting
    /// command takes a step: such a lane should have room for at most half of
    /// [`STEPS_PER_TURN`](crate::STEPS_PER_TURN).
    pub follows: bool,
}

impl LaneSettings {
    /// Standard priority, full weight, room for one full timeline, no fades, released at its end.
    pub const STANDARD: LaneSettings = LaneSettings {
        priority: priority::STANDARD,
        weight: 1.0,
        room: WAITING_MAX,
        keep: Keep::Hold,
        fade_in: Span::ZERO,
        fade_out: Span::ZERO,
        ending: Ending::Release,
        silence: None,
        waits: false,
        follows: false,
    };
}

/// A lane's phase of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It takes requests.
    Open,
    /// It holds its actuators and takes no more requests.
    Holding,
    /// It moves to the safe pose and takes no more requests.
    Retreating,
    /// It has been fading out since this instant.
    Fading(Instant),
}
