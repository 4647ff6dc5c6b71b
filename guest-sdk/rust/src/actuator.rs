//! Actuators: joints, hands, lights, wheels. `HeadYaw.to(0.5).at(now() + 300.ms())`.

use crate::answer::{Answer, Merge};
use crate::curve::Curve;
use crate::ease::{Ease, Eased};
use crate::flatten::{ERROR, flatten};
use crate::handle::Handle;
use crate::keys::{Keys, Through};
use crate::raw;
use crate::time::{Instant, Span, now};

/// An actuator of the body, by name. The cast of a [`choreography!`](crate::choreography) makes them.
///
/// ```
/// use choreography::prelude::*;
///
/// choreography! {
///     /// Looks to the left.
///     motion Look as "look";
///     joints HeadYaw;
/// }
///
/// struct Look;
///
/// impl Motion for Look {
///     fn start() -> Look {
///         HeadYaw.to(0.2).over(200.ms()); // at constant speed
///         HeadYaw.to(30.deg()).eased(Ease::Sine).starting(now() + 1.s()).over(800.ms());
///         Look
///     }
/// }
///
/// let mut stage = Rehearsal::of::<Look>(nao());
/// stage.run_for(2.s());
/// assert!((stage.sent(&HeadYaw) - 0.5236).abs() < 1e-4);
/// ```
#[derive(Debug)]
pub struct Actuator(Handle);

/// The limits of an actuator. They are NaN if this body does not have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The lowest value of its range.
    pub lowest: f64,
    /// The highest value of its range.
    pub highest: f64,
    /// Its maximum velocity, units per second; infinite if there is no limit.
    pub velocity: f64,
    /// Its maximum acceleration; infinite if there is no limit.
    pub acceleration: f64,
    /// Its value at rest.
    pub rest: f64,
}

impl Actuator {
    /// The actuator of this name.
    pub const fn named(name: &'static str) -> Actuator {
        Actuator(Handle::new(name))
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.0.name
    }

    /// Whether this body has it. If not, commands to it return [`Answer::Unknown`].
    pub fn is_present(&self) -> bool {
        self.number() != raw::NONE
    }

    /// A command to this value; [`Move::at`], [`Move::over`] or [`Move::now`] sets its time and sends it.
    #[inline]
    pub fn to(&self, value: impl Into<f64>) -> Move {
        Move {
            to: self.number(),
            value: value.into(),
            merge: Merge::Merge,
        }
    }

    /// A movement through these keys, whose times must increase. It begins at the current value, unless the first key
    /// is at time 0. [`Phrase::at`] or [`Phrase::now`] sends it.
    pub fn through<'k>(&self, keys: &'k [(Span, f64)]) -> Phrase<'k> {
        Phrase {
            to: self.number(),
            keys: Keys::new(keys, Through::default()),
            error: ERROR,
        }
    }

    /// Follows a curve from this instant on, within an error. Commands that wait for that instant or later are dropped.
    pub fn along(&self, curve: impl Curve, from: Instant, error: f64) -> Answer {
        follow(self.number(), curve, from, error)
    }

    /// Drops all waiting commands: the actuator stops where it is.
    pub fn clear(&self) -> Answer {
        Answer::of(raw::clear(self.number()))
    }

    /// The number of commands of this guest that waited when this call of a hook began, without those cleared since.
    /// In a score it returns 0.
    pub fn waiting(&self) -> u32 {
        raw::waiting(self.number())
    }

    /// The value that was last sent to it, by any guest or client.
    pub fn sent(&self) -> f64 {
        raw::sent(self.number())
    }

    /// The value that its board has acknowledged.
    pub fn acknowledged(&self) -> f64 {
        raw::acknowledged(self.number())
    }

    /// Its limits.
    pub fn limits(&self) -> Limits {
        let of = self.number();
        Limits {
            lowest: raw::lowest(of),
            highest: raw::highest(of),
            velocity: raw::velocity(of),
            acceleration: raw::acceleration(of),
            rest: raw::rest(of),
        }
    }

    /// The time from the current to this value, at a share of its maximum velocity on average. The peak velocity of an
    /// easing is up to 1.9 times its average, so a share of 0.5 suits all easings but `Back` and `Through::Swings`.
    /// Returns zero if its velocity has no limit.
    pub fn time_to(&self, value: impl Into<f64>, share: f64) -> Span {
        let way = libm::fabs(value.into() - self.sent());
        crate::time::Time::s(way / (self.limits().velocity * share))
    }

    /// Drives it to this value in this turn only, beside its timeline.
    pub fn drive(&self, value: impl Into<f64>) -> Answer {
        self.drive_by(value, 1.0)
    }

    /// Drives it in this turn only, with a weight of 0 to 1,000.
    pub fn drive_by(&self, value: impl Into<f64>, share: f64) -> Answer {
        Answer::of(raw::drive(self.number(), value.into(), share))
    }

    /// Requests these gains in this turn, with a weight of 0 to 1,000. Zero gains make it limp.
    pub fn gains(&self, p: f64, i: f64, d: f64, share: f64) -> Answer {
        Answer::of(raw::set_gains(self.number(), p, i, d, share))
    }

    /// Sets this guest's weight on this actuator alone, 0 to 1,000.
    pub fn set_weight(&self, weight: f64) -> Answer {
        Answer::of(raw::set_weight_on(self.number(), weight))
    }

    /// Whether both are the same actuator of this body, or have the same name.
    pub(crate) fn is_same(&self, other: &Actuator) -> bool {
        let same = self.number() == other.number() && self.is_present();
        same || self.name() == other.name()
    }

    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.0.number(raw::find_actuator)
    }

    pub(crate) fn learn(&self) -> bool {
        self.0.learn(raw::find_actuator(self.0.name))
    }
}

/// Moves to a pose: all actuators move smoothly, and arrive together. It takes the time of the longest movement at this
/// share of its actuator's maximum velocity (see [`Actuator::time_to`]), and at least `at_least`.
/// Returns the instant of arrival.
///
/// ```
/// use choreography::prelude::*;
///
/// static Yaw: Actuator = Actuator::named("HeadYaw");
/// static Pitch: Actuator = Actuator::named("HeadPitch");
///
/// let mut stage = Rehearsal::alone(nao());
/// let there = strike(&[(&Yaw, 1.0), (&Pitch, 0.1)], 0.2, 500.ms());
/// stage.run_for(there - now());
/// assert_eq!((stage.sent(&Yaw), stage.sent(&Pitch)), (1.0, 0.1));
/// assert!(stage.fastest(&Yaw) < 0.4 * Yaw.limits().velocity);
/// ```
pub fn strike(pose: &[(&Actuator, f64)], share: f64, at_least: Span) -> Instant {
    let needs = |pair: &(&Actuator, f64)| pair.0.time_to(pair.1, share);
    let there = now() + pose.iter().map(needs).fold(at_least, Span::max);
    for (actuator, value) in pose {
        actuator.to(*value).eased(Ease::Jerkless).at(there);
    }
    there
}

/// A command that is being built: a movement at constant speed from the current value.
#[derive(Clone, Copy, Debug)]
#[must_use = "say when: `.at(instant)`, `.over(span)` or `.now()`"]
pub struct Move {
    pub(crate) to: u32,
    pub(crate) value: f64,
    merge: Merge,
}

impl Move {
    /// Sends it: the value is reached at this instant. A past instant counts as now.
    pub fn at(self, at: Instant) -> Answer {
        Answer::of(match self.merge {
            Merge::Merge => raw::set(self.to, self.value, at.nanos()),
            other => raw::put(self.to, self.value, at.nanos(), other as u32),
        })
    }

    /// Sends it: the value is reached after this span.
    pub fn over(self, span: Span) -> Answer {
        self.at(now() + span)
    }

    /// Sends it for now: in `pre_process` the value is sent in the same turn.
    pub fn now(self) -> Answer {
        self.at(now())
    }

    /// Replaces all waiting commands of the actuator.
    pub fn replacing(self) -> Move {
        self.merging(Merge::ClearAll)
    }

    /// What happens to waiting commands.
    pub fn merging(self, merge: Merge) -> Move {
        Move { merge, ..self }
    }

    /// Uses an easing in place of constant speed.
    pub fn eased(self, ease: Ease) -> EasedMove {
        EasedMove {
            to: self.to,
            value: self.value,
            ease,
            from: None,
            starting: None,
            error: ERROR,
        }
    }
}

/// An eased movement that is being built. Commands that wait for its start or later are dropped.
#[derive(Clone, Copy, Debug)]
#[must_use = "say when: `.at(instant)` or `.over(span)`"]
pub struct EasedMove {
    to: u32,
    value: f64,
    ease: Ease,
    from: Option<f64>,
    starting: Option<Instant>,
    error: f64,
}

impl EasedMove {
    /// Begins at this value, in place of the current one.
    pub fn from(self, value: impl Into<f64>) -> EasedMove {
        EasedMove {
            from: Some(value.into()),
            ..self
        }
    }

    /// Begins at this instant, in place of now.
    pub fn starting(self, at: Instant) -> EasedMove {
        EasedMove {
            starting: Some(at),
            ..self
        }
    }

    /// The maximum error of the lines against the curve; default: [`ERROR`].
    pub fn within(self, error: f64) -> EasedMove {
        EasedMove { error, ..self }
    }

    /// Sends it: it ends at this instant.
    pub fn at(self, end: Instant) -> Answer {
        let start = self.starting.unwrap_or_else(now);
        self.between(start, end - start)
    }

    /// Sends it: it takes this long.
    pub fn over(self, span: Span) -> Answer {
        self.between(self.starting.unwrap_or_else(now), span)
    }

    fn between(self, start: Instant, span: Span) -> Answer {
        let from = self.from.unwrap_or_else(|| raw::sent(self.to));
        follow(
            self.to,
            Eased::between(from, self.value, span, self.ease),
            start,
            self.error,
        )
    }
}

/// A movement through keys that is being built. Commands that wait for its start or later are dropped.
#[derive(Clone, Copy, Debug)]
#[must_use = "say when: `.at(instant)` or `.now()`"]
pub struct Phrase<'k> {
    to: u32,
    keys: Keys<'k>,
    error: f64,
}

impl Phrase<'_> {
    /// How it passes its keys.
    pub fn going(self, through: Through) -> Self {
        Phrase {
            keys: self.keys.going(through),
            ..self
        }
    }

    /// The maximum error of the lines against the curve; default: [`ERROR`].
    pub fn within(self, error: f64) -> Self {
        Phrase { error, ..self }
    }

    /// Begins at this value, in place of the current one.
    pub fn from(self, value: impl Into<f64>) -> Self {
        Phrase {
            keys: self.keys.beginning(value.into()),
            ..self
        }
    }

    /// Sends it: it starts at this instant.
    pub fn at(self, start: Instant) -> Answer {
        let keys = match self.keys.begins() {
            true => self.keys,
            false => self.keys.beginning(raw::sent(self.to)),
        };
        follow(self.to, keys, start, self.error)
    }

    /// Sends it: it starts now.
    pub fn now(self) -> Answer {
        self.at(now())
    }
}

/// Sends a curve. The first command drops those that wait for its instant or later.
fn follow(to: u32, curve: impl Curve, start: Instant, error: f64) -> Answer {
    let mut merge = Merge::ClearAfter;
    for point in flatten(curve, error) {
        let answer = Move {
            to,
            value: point.value,
            merge,
        }
        .at(start + point.at);
        if !answer.is_done() {
            return answer;
        }
        merge = Merge::Merge;
    }
    Answer::Done
}
