//! One actuator's way through a turn: commanded, limited, sent, and what was clipped between.
//! Written by the blend, then by the limits; read by everyone who looks at the body.
//! The law: commanded, limited and sent are three values, kept apart.

use crate::blend::{Blended, Mix};
use crate::body::{Actuator, Gains, Kind, Range};
use crate::frame::Target;
use crate::named_enum;

named_enum! {
    /// Why a value was changed on its way to the wire.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Clip {
        /// It was outside the actuator's range.
        Position => "position",
        /// It was outside the range that another actuator's place allows.
        Coupled => "coupled",
        /// It would have moved too fast.
        Velocity => "velocity",
        /// It would have changed its speed too fast.
        Acceleration => "acceleration",
        /// The motor is too hot for that much stiffness.
        Temperature => "temperature",
    }
}

/// How many reasons there are.
pub const CLIP_KINDS: usize = Clip::ALL.len();

/// Turns back that a board may acknowledge and be understood: a slow one is spoken to once in several.
pub(crate) const TOLD: usize = 16;

/// One actuator's state. Opaque but for its values; made by [`Track::NEW`] only.
#[derive(Clone, Copy, Debug)]
pub struct Track {
    /// What the lanes, or the safety state, asked for in this turn.
    pub commanded: f64,
    /// What the limits left of it.
    pub limited: f64,
    /// What the wire carries, back in the actuator's unit: `limited` after rounding to counts.
    pub sent: f64,
    /// What its board says it has taken; what was sent until a board says more.
    pub acknowledged: f64,
    /// What it goes on with when nobody asks for anything: the value sent, and for a stiffness
    /// the value commanded, so that heat and power weaken it once and not once in every turn.
    pub held: f64,
    /// How much of the actuator lanes claimed in this turn, 0 to 1; 0 means that nobody drives it.
    pub coverage: f64,
    /// The gains sent.
    pub gains: Gains,
    /// Whether it exerts no force, so that its targets follow its sensor.
    pub limp: bool,
    /// How often each reason changed its value, in the order of [`Clip`].
    pub clips: [u64; CLIP_KINDS],
    /// Which reasons changed its value in this turn: one bit each, in the order of [`Clip`].
    pub clipped_now: u8,
    /// The limited value of the turn before.
    pub(crate) before: f64,
    /// The values sent in the last turns, each in the place of its turn's number.
    pub(crate) told: [f64; TOLD],
    /// The limited value's speed in the last turn.
    pub(crate) speed: f64,
    /// What was commanded in the last turn: its change is the speed of what is followed.
    pub(crate) followed: f64,
    /// Where the body's own movement started, a retreat; where it is, when it comes back.
    pub(crate) origin: f64,
    /// It comes back to what lanes ask for, from somewhere else, at a bounded speed.
    pub(crate) returning: bool,
    /// How fast it may be in this turn, whatever its own velocity is: the way back is bounded.
    pub(crate) pace: f64,
    pub(crate) mix: Mix,
    /// The stiffness of this joint was sent as zero or less.
    pub(crate) unstiff: bool,
    /// It was sent as less than a half: such a joint is not expected to be where it is sent.
    pub(crate) weak: bool,
    /// Of a stiffness: turns until heat that weakens it is told again.
    pub(crate) weakened: u32,
    /// Impossible readings in a row.
    pub(crate) impossible: u32,
    /// Turns in a row in which it did not follow.
    pub(crate) astray: u32,
}

impl Track {
    /// An actuator that was never driven.
    pub const NEW: Track = Track {
        commanded: 0.0,
        limited: 0.0,
        sent: 0.0,
        acknowledged: 0.0,
        told: [0.0; TOLD],
        held: 0.0,
        coverage: 0.0,
        gains: Gains::LIMP,
        limp: false,
        clips: [0; CLIP_KINDS],
        clipped_now: 0,
        before: 0.0,
        speed: 0.0,
        followed: 0.0,
        origin: 0.0,
        returning: false,
        pace: f64::INFINITY,
        mix: Mix::EMPTY,
        unstiff: false,
        weak: false,
        weakened: 0,
        impossible: 0,
        astray: 0,
    };

    /// How often `reason` changed this actuator's value.
    pub fn clipped(&self, reason: Clip) -> u64 {
        self.clips[reason as usize]
    }

    /// The value sent is the one of this turn.
    pub(crate) fn tell(&mut self, turn: u64) {
        self.told[turn as usize % TOLD] = self.sent;
    }

    /// The board has taken the frame of the turn `acknowledged`, of those until `turn`. An older frame says nothing
    /// that is still kept, and none was sent before the first turn.
    pub(crate) fn acknowledge(&mut self, turn: u64, acknowledged: u64) {
        let is_kept = turn
            .checked_sub(acknowledged)
            .is_some_and(|it| it < TOLD as u64);
        if is_kept && acknowledged > 0 {
            self.acknowledged = self.told[acknowledged as usize % TOLD];
        }
    }

    pub(crate) fn clip(&mut self, reason: Clip) {
        self.clips[reason as usize] += 1;
        self.clipped_now |= 1 << reason as u8;
    }

    /// A part of the way from where the body's own movement started to where it leads.
    pub(crate) fn on_the_way(&self, to: f64, share: f64) -> f64 {
        if share < 1.0 {
            self.origin + (to - self.origin) * share
        } else {
            to
        }
    }

    /// From here on it comes back to what lanes ask for, unless it may be there at once: lights shine, wheels turn
    /// and triggers fire wherever the body is.
    pub(crate) fn come_back(&mut self, kind: Kind) {
        self.origin = self.held;
        self.returning = !matches!(kind, Kind::Light | Kind::Wheel | Kind::Trigger);
    }

    /// Whether what lanes ask for is farther away than they themselves have moved it, and than the way back reaches
    /// in a turn: a lane has come, has gone, or has another share.
    pub(crate) fn leaps(&self, asked: &Blended, reach: f64) -> bool {
        let way = (asked.value - self.commanded).abs();
        // Sums of shares are rounded.
        !self.returning && way > reach.max(asked.moved.abs()) * (1.0 + 1e-6) + 1e-12
    }

    /// One step of the way back to what lanes ask for: by `reach` at most. It is back when the joint itself is: an
    /// acceleration lets it lag behind.
    pub(crate) fn step_back(&mut self, asked: f64, reach: f64, seconds: f64) -> f64 {
        let gap = asked - self.origin;
        if gap.abs() <= reach {
            self.returning = (asked - self.limited).abs() > reach;
            self.origin = asked;
        } else {
            self.origin += libm::copysign(reach, gap);
        }
        self.pace = if self.returning {
            reach / seconds
        } else {
            f64::INFINITY
        };
        self.origin
    }

    /// The stop is pressed: the last value sent stands, and a wheel stands still.
    pub(crate) fn freeze(&mut self, actuator: &Actuator<'_>) {
        self.clipped_now = 0;
        self.speed = 0.0;
        if actuator.kind == Kind::Wheel {
            self.settle(actuator.range.clamp(0.0));
        }
    }

    /// From the limited value to the board's counts, which stay in `range`, and back.
    pub(crate) fn round(
        &mut self,
        actuator: &Actuator<'_>,
        range: Range,
        power: f64,
        target: &mut Target,
    ) {
        let is_stiffness = matches!(actuator.kind, Kind::Stiffness { .. });
        let powered = if is_stiffness && self.limited > 0.0 {
            power
        } else {
            1.0
        };
        target.counts = actuator.calibration.counts(self.limited * powered, range);
        target.gains = self.gains;
        self.sent = actuator.calibration.value(target.counts);
        self.held = if is_stiffness {
            actuator.range.clamp(self.commanded)
        } else {
            self.sent
        };
    }

    /// Whether the actuator exerts no force after this turn.
    pub(crate) fn slacken(&mut self, actuator: &Actuator<'_>, all_limp: bool) {
        let gainless = actuator.gains.is_some() && self.gains.is_limp();
        let jointed = matches!(actuator.kind, Kind::Joint | Kind::Hand);
        self.limp = jointed && (all_limp || self.unstiff || gainless);
    }

    /// Puts the actuator at `value`, at rest, as if it had always been there.
    pub(crate) fn settle(&mut self, value: f64) {
        self.commanded = value;
        self.limited = value;
        self.sent = value;
        self.held = value;
        self.followed = value;
        self.origin = value;
        self.speed = 0.0;
    }
}
