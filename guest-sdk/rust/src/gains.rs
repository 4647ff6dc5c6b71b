//! How much force joints have: a level of power for one, some or all of them, explicit gains, and the fade of a start.
//! Called by motions: a [`GainSet`] by `pre_process`, in every turn in which it counts.
//! Gains hold for one turn. What no guest asks for returns to the body's own.
//!
//! A joint whose stiffness is an actuator of its own (NAO's) gets its level there, the others by their gains.
//!
//! ```
//! use choreography::gains::GainSet;
//! use choreography::prelude::*;
//!
//! choreography! {
//!     /// Lets the head hang while it is touched.
//!     motion Droop as "droop";
//!     hooks pre_process;
//!     joints HeadYaw, HeadPitch, YawForce = "HeadYawStiffness", PitchForce = "HeadPitchStiffness";
//!     sensors Touch = "Head/Touch/Front";
//!     loops;
//! }
//!
//! struct Droop(GainSet<2>);
//!
//! impl Motion for Droop {
//!     fn start() -> Droop {
//!         let head = GainSet::new([&HeadYaw, &HeadPitch]);
//!         Droop(head.stiffened_by([&YawForce, &PitchForce]))
//!     }
//!     fn pre_process(&mut self, _: Instant) {
//!         self.0.set_power(.., if Touch.is_on() { 0.0 } else { 1.0 });
//!         self.0.step();
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Droop>(nao());
//! stage.turn();
//! assert_eq!(stage.sent(&YawForce), 1.0);
//! stage.sensor(&Touch, 1.0);
//! stage.turn();
//! assert_eq!(stage.sent(&YawForce), 0.0);
//! ```

use core::ops::RangeBounds;

use crate::actuator::Actuator;
use crate::answer::Answer;
use crate::time::{Instant, Span};

/// The gains of a joint's controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointGains {
    /// The proportional gain.
    pub p: f64,
    /// The integral gain.
    pub i: f64,
    /// The differential gain.
    pub d: f64,
}

impl JointGains {
    /// No force.
    pub const LIMP: JointGains = JointGains::of(0.0, 0.0, 0.0);
    /// The usual gains of a body whose gains are factors of those of its boards.
    pub const USUAL: JointGains = JointGains::of(1.0, 1.0, 1.0);

    /// These gains.
    pub const fn of(p: f64, i: f64, d: f64) -> JointGains {
        JointGains { p, i, d }
    }

    /// All three, multiplied by a level of power.
    pub fn scaled(self, power: f64) -> JointGains {
        JointGains::of(self.p * power, self.i * power, self.d * power)
    }
}

/// What one joint of a set is asked for.
#[derive(Clone, Copy, Debug)]
struct Setting {
    power: f64,
    /// In place of the usual gains times the power.
    explicit: Option<JointGains>,
    weight: f64,
}

/// The force of N joints. At first all have full power.
#[derive(Clone, Debug)]
pub struct GainSet<const N: usize> {
    /// Whether it asks in every step; if not, in one step after each change, and then the body has its own gains again.
    /// Default: true.
    pub hold: bool,
    joints: [&'static Actuator; N],
    stiffnesses: Option<[&'static Actuator; N]>,
    usual: [JointGains; N],
    settings: [Setting; N],
    has_changed: bool,
}

impl<const N: usize> GainSet<N> {
    /// A set of these joints, whose usual gains are [`JointGains::USUAL`].
    pub const fn new(joints: [&'static Actuator; N]) -> GainSet<N> {
        let full = Setting {
            power: 1.0,
            explicit: None,
            weight: 1.0,
        };
        GainSet {
            hold: true,
            joints,
            stiffnesses: None,
            usual: [JointGains::USUAL; N],
            settings: [full; N],
            has_changed: true,
        }
    }

    /// With the actuators of the joints' stiffnesses, in the same order; 1 is all of the force. Those that this body
    /// does not have do not count.
    #[must_use]
    pub const fn stiffened_by(mut self, stiffnesses: [&'static Actuator; N]) -> Self {
        self.stiffnesses = Some(stiffnesses);
        self
    }

    /// With other usual gains. The contract does not tell them: they are those of the body's description.
    #[must_use]
    pub const fn usually(mut self, usual: [JointGains; N]) -> Self {
        self.usual = usual;
        self
    }

    /// Sets the power of one joint, `3..=3`, of some, `2..5`, or of all, `..`: the factor on the usual gains. 0 makes a
    /// joint limp. What is negative or no number changes nothing.
    pub fn set_power(&mut self, places: impl RangeBounds<usize>, power: f64) {
        if is_level(power) {
            self.each(places, |setting| {
                (setting.power, setting.explicit) = (power, None);
            });
        }
    }

    /// Sets the gains of joints. Where the stiffness is an actuator of its own, the proportional gain is the level. If
    /// one of them is negative or no number, nothing changes.
    pub fn set_gains(&mut self, places: impl RangeBounds<usize>, gains: JointGains) {
        if [gains.p, gains.i, gains.d].into_iter().all(is_level) {
            self.each(places, |setting| setting.explicit = Some(gains));
        }
    }

    /// Sets the weight with which joints are asked for, 0 to 1,000. Without weight they are left to others. What is no
    /// number changes nothing.
    pub fn set_weight(&mut self, places: impl RangeBounds<usize>, weight: f64) {
        if !weight.is_nan() {
            self.each(places, |value| value.weight = weight);
        }
    }

    /// The gains that a joint is asked for; `None` if there is no such joint.
    pub fn gains(&self, place: usize) -> Option<JointGains> {
        let (setting, usual) = (self.settings.get(place)?, self.usual.get(place)?);
        Some(setting.explicit.unwrap_or(usual.scaled(setting.power)))
    }

    /// Asks for the gains of this turn. Returns the first refusal, after all were asked for.
    pub fn step(&mut self) -> Answer {
        if !core::mem::replace(&mut self.has_changed, false) && !self.hold {
            return Answer::Done;
        }
        let mut first = Answer::Done;
        for place in 0..N {
            let answer = self.ask(place);
            first = first.then(|| answer);
        }
        first
    }

    fn ask(&self, place: usize) -> Answer {
        let (Some(gains), setting) = (self.gains(place), self.settings[place]) else {
            return Answer::Unknown;
        };
        if setting.weight <= 0.0 {
            return Answer::Done;
        }
        let stiffness = self.stiffnesses.map(|stiffness| stiffness[place]);
        if let Some(stiffness) = stiffness.filter(|stiffness| stiffness.is_present()) {
            let level = setting
                .explicit
                .map_or(setting.power, |explicit| explicit.p);
            return stiffness.drive_by(level.min(1.0), setting.weight);
        }
        self.joints[place].gains(gains.p, gains.i, gains.d, setting.weight)
    }

    fn each(&mut self, places: impl RangeBounds<usize>, change: impl Fn(&mut Setting)) {
        for (place, setting) in self.settings.iter_mut().enumerate() {
            if places.contains(&place) {
                change(setting);
                self.has_changed = true;
            }
        }
    }
}

/// Whether this can be a gain or a level of power.
fn is_level(value: f64) -> bool {
    value >= 0.0 && value.is_finite()
}

/// The power of joints that get their force: `(time / 2 s)²`, after a short while without any.
///
/// The force grows slowly at first, when joints are farthest from where they were sent.
///
/// ```
/// use choreography::gains::PowerFade;
/// use choreography::prelude::*;
///
/// let fade = PowerFade::beginning(Instant::ZERO);
/// let power = |span: Span| fade.power(Instant::ZERO + span);
/// assert_eq!((power(100.ms()), power(1128.ms()), power(9.s())), (0.0, 0.25, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerFade {
    start: Instant,
    span: Span,
}

/// How long it waits without force: four buffers of 32 ms, in the original.
const WAIT: Span = Span::from_millis(128);

impl PowerFade {
    /// From no power, now, to all of it in 2 s.
    pub fn beginning(now: Instant) -> PowerFade {
        PowerFade {
            start: now + WAIT,
            span: Span::from_millis(2000),
        }
    }

    /// In this time, in place of 2 s.
    #[must_use]
    pub const fn lasting(self, span: Span) -> PowerFade {
        PowerFade { span, ..self }
    }

    /// The power at an instant, 0 to 1.
    pub fn power(&self, at: Instant) -> f64 {
        if self.is_over(at) {
            return 1.0;
        }
        // A time before the start is none after it, and nothing divides by a span of zero.
        if at <= self.start {
            return 0.0;
        }
        let share = (at - self.start) / self.span;
        share * share
    }

    /// Whether all of the power is there.
    pub fn is_over(&self, at: Instant) -> bool {
        at >= self.start + self.span
    }
}
