//! Whatever takes commands: joints, hands, lights, wheels. `HeadYaw.to(0.5).at(now() + 300.ms())`.

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
///         HeadYaw.to(0.2).over(200.ms()); // evenly
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

/// What an actuator can do. Figures of one that this body does not have are NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The lowest value it may be sent.
    pub lowest: f64,
    /// The highest value it may be sent.
    pub highest: f64,
    /// Its fastest change, units per second; infinite if nothing bounds it.
    pub velocity: f64,
    /// Its fastest change of speed; infinite if nothing bounds it.
    pub acceleration: f64,
    /// Where it rests.
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

    /// Whether this body has it. Commands to one that it has not answer [`Answer::Unknown`].
    pub fn is_present(&self) -> bool {
        self.number() != raw::NONE
    }

    /// Towards this value: say when by [`Move::at`], [`Move::over`] or [`Move::now`].
    #[inline]
    pub fn to(&self, value: impl Into<f64>) -> Move {
        Move {
            to: self.number(),
            value: value.into(),
            merge: Merge::Merge,
        }
    }

    /// Through these keys, whose times rise. It begins where the actuator stands now, unless the first key is
    /// at time 0. Say when by [`Phrase::at`] or [`Phrase::now`].
    pub fn through<'k>(&self, keys: &'k [(Span, f64)]) -> Phrase<'k> {
        Phrase {
            to: self.number(),
            keys: Keys::new(keys, Through::default()),
            error: ERROR,
        }
    }

    /// Along any curve from this instant on, within an error. What waits for that instant or later is dropped.
    pub fn along(&self, curve: impl Curve, from: Instant, error: f64) -> Answer {
        follow(self.number(), curve, from, error)
    }

    /// Drops everything that waits: it stops where it is.
    pub fn clear(&self) -> Answer {
        Answer::of(raw::clear(self.number()))
    }

    /// How many commands of this guest waited when this call of a hook began, less what it has cleared since.
    /// A score is answered 0.
    pub fn waiting(&self) -> u32 {
        raw::waiting(self.number())
    }

    /// The value that was last sent to it, by whoever.
    pub fn sent(&self) -> f64 {
        raw::sent(self.number())
    }

    /// What its board says that it has taken.
    pub fn acknowledged(&self) -> f64 {
        raw::acknowledged(self.number())
    }

    /// What it can do.
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

    /// How long the way to this value takes from where it stands now, at a share of its fastest speed on
    /// average. Easings are faster than their average in the middle, 1.9 times at most: a share of 0.5 suits all
    /// but those that swing. No time at all if nothing bounds its speed.
    pub fn time_to(&self, value: impl Into<f64>, share: f64) -> Span {
        let way = libm::fabs(value.into() - self.sent());
        crate::time::Time::s(way / (self.limits().velocity * share))
    }

    /// Drives it to this value in this turn only, past its timeline.
    pub fn drive(&self, value: impl Into<f64>) -> Answer {
        self.drive_by(value, 1.0)
    }

    /// Drives it in this turn only, with a share of 0 to 1.
    pub fn drive_by(&self, value: impl Into<f64>, share: f64) -> Answer {
        Answer::of(raw::drive(self.number(), value.into(), share))
    }

    /// Asks for these gains in this turn, with a share of 0 to 1. All zero is limp.
    pub fn gains(&self, p: f64, i: f64, d: f64, share: f64) -> Answer {
        Answer::of(raw::set_gains(self.number(), p, i, d, share))
    }

    /// This guest's share on this actuator alone, 0 to 1.
    pub fn set_weight(&self, weight: f64) -> Answer {
        Answer::of(raw::set_weight_on(self.number(), weight))
    }

    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.0.number(raw::find_actuator)
    }

    pub(crate) fn learn(&self) -> bool {
        self.0.learn(raw::find_actuator(self.0.name))
    }
}

/// Strikes a pose: all go there together, softly, from wherever they stand. It takes as long as the longest way
/// needs at this share of its actuator's fastest speed (see [`Actuator::time_to`]), and no less than `at_least`.
/// Answers when they are there.
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
    let needs = |it: &(&Actuator, f64)| it.0.time_to(it.1, share);
    let there = now() + pose.iter().map(needs).fold(at_least, Span::max);
    for (actuator, value) in pose {
        actuator.to(*value).eased(Ease::Jerkless).at(there);
    }
    there
}

/// One command in the making: it moves evenly from where the actuator is to the value.
#[derive(Clone, Copy, Debug)]
#[must_use = "say when: `.at(instant)`, `.over(span)` or `.now()`"]
pub struct Move {
    pub(crate) to: u32,
    pub(crate) value: f64,
    merge: Merge,
}

impl Move {
    /// It is there at this instant. One that has passed is now.
    pub fn at(self, at: Instant) -> Answer {
        Answer::of(match self.merge {
            Merge::Merge => raw::set(self.to, self.value, at.nanos()),
            other => raw::put(self.to, self.value, at.nanos(), other as u32),
        })
    }

    /// It is there when this span has passed.
    pub fn over(self, span: Span) -> Answer {
        self.at(now() + span)
    }

    /// It is there now: in `pre_process` the value goes out in this very turn.
    pub fn now(self) -> Answer {
        self.at(now())
    }

    /// In place of everything that waits for the actuator.
    pub fn replacing(self) -> Move {
        self.merging(Merge::ClearAll)
    }

    /// What happens to commands that wait.
    pub fn merging(self, merge: Merge) -> Move {
        Move { merge, ..self }
    }

    /// Not evenly, but like this.
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

/// An eased movement in the making. What waits for its start or later is dropped.
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
    /// From this value, in place of where the actuator stands now.
    pub fn from(self, value: impl Into<f64>) -> EasedMove {
        EasedMove {
            from: Some(value.into()),
            ..self
        }
    }

    /// From this instant on, in place of now.
    pub fn starting(self, at: Instant) -> EasedMove {
        EasedMove {
            starting: Some(at),
            ..self
        }
    }

    /// As near to the curve as this, everywhere; [`ERROR`] unless it is said.
    pub fn within(self, error: f64) -> EasedMove {
        EasedMove { error, ..self }
    }

    /// It is there at this instant.
    pub fn at(self, end: Instant) -> Answer {
        let start = self.starting.unwrap_or_else(now);
        self.between(start, end - start)
    }

    /// It takes this long.
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

/// A way through keys in the making. What waits for its start or later is dropped.
#[derive(Clone, Copy, Debug)]
#[must_use = "say when: `.at(instant)` or `.now()`"]
pub struct Phrase<'k> {
    to: u32,
    keys: Keys<'k>,
    error: f64,
}

impl Phrase<'_> {
    /// How it goes through its keys.
    pub fn going(self, through: Through) -> Self {
        Phrase {
            keys: self.keys.going(through),
            ..self
        }
    }

    /// As near to the curve as this, everywhere; [`ERROR`] unless it is said.
    pub fn within(self, error: f64) -> Self {
        Phrase { error, ..self }
    }

    /// From this value, in place of where the actuator stands now.
    pub fn from(self, value: impl Into<f64>) -> Self {
        Phrase {
            keys: self.keys.beginning(value.into()),
            ..self
        }
    }

    /// It starts at this instant.
    pub fn at(self, start: Instant) -> Answer {
        let keys = match self.keys.begins() {
            true => self.keys,
            false => self.keys.beginning(raw::sent(self.to)),
        };
        follow(self.to, keys, start, self.error)
    }

    /// It starts now.
    pub fn now(self) -> Answer {
        self.at(now())
    }
}

/// Sends a curve. The first command drops what waits for its instant or later.
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
