//! One actuator's values in a turn: commanded, limited and sent, and the clips in between.
//! Written by the blend, then by the limits; read by the publisher and by clients.
//! Commanded, limited and sent are three values, kept apart.

use crate::blend::{Blended, Mix};
use crate::body::{Actuator, Gains, Kind, Range};
use crate::frame::Target;
use crate::named_enum;

named_enum! {
    /// Why a limit changed a value.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Clip {
        /// It was outside the actuator's range.
        Position => "position",
        /// It was outside the range that another actuator's position allows.
        Coupled => "coupled",
        /// It would have moved too fast.
        Velocity => "velocity",
        /// It would have changed its speed too fast.
        Acceleration => "acceleration",
        /// The motor is too hot for that much stiffness.
        Temperature => "temperature",
        /// The motor takes too much current for that much stiffness.
        Current => "current",
    }
}

/// The number of reasons.
pub const CLIP_KINDS: usize = Clip::ALL.len();

/// One actuator's state. Opaque except for its values; only [`Track::NEW`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Track {
    /// The value that the lanes, or the safety state, commanded in this turn.
    pub commanded: f64,
    /// The value after the limits.
    pub limited: f64,
    /// The value sent, in the actuator's unit: `limited` after rounding to counts.
    pub sent: f64,
    /// The value that the board acknowledged; the value sent, until a board acknowledges one.
    pub acknowledged: f64,
    /// The value that stays if no lane commands one: the value sent, or for a stiffness the value commanded, so that
    /// heat and power weaken it only once and not in every turn.
    pub held: f64,
    /// The share of the actuator that lanes claimed in this turn, 0 to 1; 0 if no lane drives it.
    pub coverage: f64,
    /// The gains sent.
    pub gains: Gains,
    /// How far the zero of this joint was moved since the start, in its unit: see `stage::trim`.
    pub trim: f64,
    /// Whether the board of its sensor answered in the last turn.
    pub(crate) is_read: bool,
    /// Whether it exerts no force, so that its targets follow its sensor.
    pub limp: bool,
    /// How often each reason changed its value, in the order of [`Clip`].
    pub clips: [u64; CLIP_KINDS],
    /// Which reasons changed its value in this turn: one bit each, in the order of [`Clip`].
    pub clipped_now: u8,
    /// The limited value of the previous turn.
    pub(crate) before: f64,
    /// The limited value's speed in the last turn.
    pub(crate) speed: f64,
    /// The commanded value of the last turn: its change is the speed of the target.
    pub(crate) followed: f64,
    /// Where a retreat started, or where the actuator is while it returns.
    pub(crate) origin: f64,
    /// Whether it still slows down because a lane has ended, which holds it then.
    pub(crate) stopping: bool,
    /// Whether it returns to its lanes' value at a bounded speed.
    pub(crate) returning: bool,
    /// The speed limit of this turn while it returns, besides its own velocity limit.
    pub(crate) pace: f64,
    pub(crate) mix: Mix,
    /// Whether the stiffness of this joint was sent as zero or less.
    pub(crate) unstiff: bool,
    /// Whether the stiffness of this joint was commanded as zero or less.
    pub(crate) loosened: bool,
    /// Whether it was limp in the last turn, and would have been by its own stiffness or gains.
    pub(crate) slack: bool,
    /// Whether its commands have been dropped since it is slack, or need not be.
    pub(crate) dropped: bool,
    /// Whether the stiffness was sent as less than a half: then the joint is not expected to follow.
    pub(crate) weak: bool,
    /// For a stiffness: turns until weakening by heat is logged again.
    pub(crate) weakened: u32,
    /// Impossible readings in a row.
    pub(crate) impossible: u32,
    /// Turns in a row in which it did not follow.
    pub(crate) astray: u32,
}

impl Track {
    /// The state of an actuator that was never driven.
    pub const NEW: Track = Track {
        commanded: 0.0,
        limited: 0.0,
        sent: 0.0,
        acknowledged: 0.0,
        held: 0.0,
        coverage: 0.0,
        gains: Gains::LIMP,
        trim: 0.0,
        is_read: false,
        limp: false,
        clips: [0; CLIP_KINDS],
        clipped_now: 0,
        before: 0.0,
        speed: 0.0,
        followed: 0.0,
        origin: 0.0,
        stopping: false,
        returning: false,
        pace: f64::INFINITY,
        mix: Mix::EMPTY,
        unstiff: false,
        loosened: false,
        slack: false,
        dropped: false,
        weak: false,
        weakened: 0,
        impossible: 0,
        astray: 0,
    };

    /// How often `reason` changed this actuator's value.
    pub fn clipped(&self, reason: Clip) -> u64 {
        self.clips[reason as usize]
    }

    pub(crate) fn clip(&mut self, reason: Clip) {
        self.clips[reason as usize] += 1;
        self.clipped_now |= 1 << reason as u8;
    }

    /// The value at a share of the way from `origin` to `to`.
    pub(crate) fn on_the_way(&self, to: f64, share: f64) -> f64 {
        if share < 1.0 {
            self.origin + (to - self.origin) * share
        } else {
            to
        }
    }

    /// Begins the return to the lanes' value. Lights, wheels and triggers need no return: they take the value at once.
    pub(crate) fn begin_return(&mut self, kind: Kind) {
        self.origin = self.held;
        self.stopping = false;
        self.returning = !matches!(kind, Kind::Light | Kind::Wheel | Kind::Trigger);
    }

    /// Whether the lanes' value jumps: it is farther away than the lanes themselves have moved it, and farther than one
    /// step of the return. That happens when a lane comes, goes, or changes its share.
    pub(crate) fn leaps(&self, asked: &Blended, reach: f64) -> bool {
        let way = (asked.value - self.commanded).abs();
        // Tolerance for the rounding of sums of shares.
        !self.returning
            && !self.stopping
            && way > reach.max(asked.moved.abs()) * (1.0 + 1e-6) + 1e-12
    }

    /// One step of the return to the lanes' value, which has `moved` meanwhile: by at most the return's own `reach`, or
    /// as far as it has moved. The return ends when the joint itself has arrived, since with an acceleration limit it
    /// lags, or where its limits let it go no farther.
    pub(crate) fn step_back(
        &mut self,
        actuator: &Actuator<'_>,
        asked: &Blended,
        reach: f64,
        seconds: f64,
    ) -> f64 {
        let most = reach.max(asked.moved.abs());
        let asked = asked.value;
        let gap = asked - self.origin;
        if gap.abs() <= most {
            let way = self.allowed(actuator).clamp(asked) - self.limited;
            let at_edge = self.is_at_rest() && self.clipped_now & (1 << Clip::Coupled as u8) != 0;
            self.returning = way.abs() > most && !at_edge;
            self.origin = asked;
        } else {
            self.origin += libm::copysign(most, gap);
        }
        self.pace = if self.returning {
            most / seconds
        } else {
            f64::INFINITY
        };
        self.origin
    }

    /// Whether its value did not change in the last turn.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.speed.abs() <= 0.0
    }

    /// Where the actuator stays if nothing moves it. While a joint slows down, the rounded value is no target: it would
    /// move on with each count.
    pub(crate) fn stay(&self, kind: Kind) -> f64 {
        if kind.is_jointed() && !self.is_at_rest() {
            self.limited
        } else {
            self.held
        }
    }

    /// Freezes the actuator after an emergency stop: it keeps the last value sent; a wheel stops.
    pub(crate) fn freeze(&mut self, actuator: &Actuator<'_>) {
        self.clipped_now = 0;
        self.speed = 0.0;
        if actuator.kind == Kind::Wheel {
            self.rest_at(actuator.range.clamp(0.0));
        }
        self.before = self.limited;
    }

    /// Rounds the limited value to the board's counts within `range`, and converts back.
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
        let calibration = actuator.calibration.moved(self.trim);
        target.counts = calibration.counts(self.limited * powered, range);
        target.gains = self.gains;
        self.sent = calibration.value(target.counts);
        self.held = if is_stiffness {
            actuator.range.clamp(self.commanded)
        } else {
            self.sent
        };
    }

    /// Determines whether the actuator exerts no force after this turn.
    pub(crate) fn slacken(&mut self, actuator: &Actuator<'_>, all_limp: bool) {
        let gainless = actuator.gains.is_some() && self.gains.is_limp();
        let jointed = matches!(actuator.kind, Kind::Joint | Kind::Hand);
        self.limp = jointed && (all_limp || self.unstiff || gainless);
    }

    /// Sets the actuator to `value`, at rest.
    pub(crate) fn rest_at(&mut self, value: f64) {
        self.commanded = value;
        self.limited = value;
        self.sent = value;
        self.held = value;
        self.followed = value;
        self.origin = value;
        self.speed = 0.0;
        self.stopping = false;
    }
}
