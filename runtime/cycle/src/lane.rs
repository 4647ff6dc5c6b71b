//! One source of commands: its priority, its weight, how it fades, how it ends.
//! Opened and ended by `stage`; read by the blend.
//! The law: whatever happens to whoever feeds it, a lane ends the way it declared.

use crate::time::{Instant, Span};

/// How many commands may wait for one actuator in one lane.
pub const WAITING_MAX: u32 = 4096;

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

/// The timeouts of a lane whose client says nothing: any request of the client is its heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SilenceTimeout {
    /// The lane ends as it declared after this time without a request.
    pub after: Span,
    /// The whole body goes to its safe pose after this time.
    pub body_after: Option<Span>,
}

/// What a lane declares when it is opened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneSettings {
    /// Its priority; any finite number.
    pub priority: f64,
    /// Its weight on everything; finite, not negative.
    pub weight: f64,
    /// How many commands may wait in it, all actuators together (trajectories bring their own room).
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
    pub silence: Option<SilenceTimeout>,
    /// Its time stands while the body does not do what lanes ask: a show goes on from where it is. Else
    /// its time is the robot's, and what passed meanwhile is dropped.
    pub waits: bool,
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
