//! The emergency stop of a guest: it freezes all joints where they were sent, lets a person mould the body, and gives
//! it back to the others softly. A motion of priority 100 owns an [`EmergencyStop`], and calls
//! [`step`](EmergencyStop::step) in each turn, in `pre_process`.
//! It keeps the usual gains, so a body that stands goes on standing. A stopped joint moves only where it is
//! pushed, and a joint that is given back never jumps.
//!
//! It stops the motions of other guests, not the body: the robot's own emergency stop needs no guest.
//!
//! ```
//! use choreography::estop::{EmergencyStop, EstopChange};
//! use choreography::prelude::*;
//!
//! static HeadYaw: Actuator = Actuator::named("HeadYaw");
//! static YawSensor: Sensor = Sensor::named("HeadYaw");
//!
//! let mut stage = Rehearsal::alone(nao());
//! stage.put("HeadYaw", 0.3);
//! let mut estop = EmergencyStop::new([&HeadYaw]).measured_by([&YawSensor]);
//! assert_eq!(estop.set_stopped(true, now()), Some(EstopChange::Activated));
//! for _ in 0..100 {
//!     estop.step(now(), &[f64::NAN]); // this joint does not tell its load
//!     stage.turn();
//! }
//! assert_eq!(stage.driven(&HeadYaw), Some(Output::of(0.3)));
//! assert_eq!(estop.set_stopped(false, now()), Some(EstopChange::Deactivated(1.s())));
//! ```

mod double_tap;
mod scanner;

pub use double_tap::DoubleTap;
pub use scanner::LightScanner;

use crate::actuator::{Actuator, Limits};
use crate::answer::Answer;
use crate::maths::pow;
use crate::sensor::Sensor;
use crate::time::{Instant, Span};

/// How long a joint that was frozen is not moulded: loads of the movement that it has stopped are no push.
const SETTLING: Span = Span::from_millis(160);
/// The time in which a load counts for a tenth of the mean, and in which a joint gives way by that mean.
const BEAT: f64 = 0.032;
/// What is left of the mean load after that time.
const KEPT: f64 = 0.9;

/// A joint that is farther away from where it was held was limp, or somebody else's, meanwhile: it stays where it is.
const MOVED: f64 = 0.05;

/// What [`EmergencyStop::set_stopped`] has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstopChange {
    /// It has frozen the body.
    Activated,
    /// It gives the body back, after this time.
    Deactivated(Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EstopPhase {
    Free,
    /// Since when.
    Stopped(Instant),
    /// Since when it fades out.
    Fading(Instant),
}

/// A joint that is held.
#[derive(Clone, Copy, Debug)]
struct HeldJoint {
    target: f64,
    current: f64,
    /// The mean of its load.
    load: f64,
    limits: Limits,
}

/// An emergency stop of N joints and wheels. At first it is active, and nothing is stopped.
#[derive(Clone, Debug)]
pub struct EmergencyStop<const N: usize> {
    /// The share of a joint's maximum velocity with which it goes where it is pushed. Default: 0.15.
    pub speed_share: f64,
    /// The mean load above which a joint gives way. Default: 0.2.
    pub load_cutoff: f64,
    /// How far a joint can be moved by force before it takes the new place as its own. Default: 0.15 rad.
    pub give: f64,
    /// How long it takes to give the body back. Default: 400 ms.
    pub fade: Span,
    joints: [&'static Actuator; N],
    sensors: Option<[&'static Sensor; N]>,
    wheels: [bool; N],
    held: [HeldJoint; N],
    phase: EstopPhase,
    is_active: bool,
    /// Whether it was stopped when it was made inactive.
    was_stopped: bool,
    last: Instant,
}

impl<const N: usize> EmergencyStop<N> {
    /// An emergency stop of these joints. Lights are not among them, so that those of others show through.
    pub const fn new(joints: [&'static Actuator; N]) -> EmergencyStop<N> {
        let nowhere = HeldJoint {
            target: f64::NAN,
            current: f64::NAN,
            load: 0.0,
            limits: Limits {
                lowest: f64::NAN,
                highest: f64::NAN,
                velocity: f64::NAN,
                acceleration: f64::NAN,
                rest: f64::NAN,
            },
        };
        EmergencyStop {
            speed_share: 0.15,
            load_cutoff: 0.2,
            give: 0.15,
            fade: Span::from_millis(400),
            joints,
            sensors: None,
            wheels: [false; N],
            held: [nowhere; N],
            phase: EstopPhase::Free,
            is_active: true,
            was_stopped: false,
            last: Instant::ZERO,
        }
    }

    /// With the sensors that measure the joints, in the same order. Without them joints give way to loads alone.
    #[must_use]
    pub const fn measured_by(mut self, sensors: [&'static Sensor; N]) -> Self {
        self.sensors = Some(sensors);
        self
    }

    /// The actuator at this place is a wheel: it is stopped, not held at its last speed.
    #[must_use]
    pub fn with_wheel(mut self, place: usize) -> Self {
        if let Some(wheel) = self.wheels.get_mut(place) {
            *wheel = true;
        }
        self
    }

    /// Whether the body is stopped.
    pub const fn is_stopped(&self) -> bool {
        matches!(self.phase, EstopPhase::Stopped(_))
    }

    /// Whether it does anything at all.
    pub const fn is_active(&self) -> bool {
        self.is_active
    }

    /// Freezes the body at the values that were last sent, or gives it back. Returns what has changed: nothing if it is
    /// so already, or if it is not active.
    pub fn set_stopped(&mut self, stopped: bool, now: Instant) -> Option<EstopChange> {
        match self.phase {
            EstopPhase::Stopped(since) if !stopped => {
                self.phase = EstopPhase::Fading(now);
                Some(EstopChange::Deactivated(now - since))
            }
            EstopPhase::Free | EstopPhase::Fading(_) if stopped && self.is_active => {
                self.freeze();
                (self.phase, self.last) = (EstopPhase::Stopped(now), now);
                Some(EstopChange::Activated)
            }
            _ => None,
        }
    }

    /// Stops if it is not stopped, and the other way round.
    pub fn toggle(&mut self, now: Instant) -> Option<EstopChange> {
        self.set_stopped(!self.is_stopped(), now)
    }

    /// Sets whether it is active. If it is stopped, it gives the body back; when it is active again, it stops again.
    pub fn set_active(&mut self, active: bool, now: Instant) -> Option<EstopChange> {
        if active == self.is_active {
            return None;
        }
        self.is_active = active;
        if active {
            self.was_stopped.then(|| self.set_stopped(true, now))?
        } else {
            self.was_stopped = self.is_stopped();
            self.set_stopped(false, now)
        }
    }

    /// The weight with which joints are driven: 1 while they are stopped, and 0 when all was given back.
    pub fn weight(&self, now: Instant) -> f64 {
        match self.phase {
            EstopPhase::Free => 0.0,
            EstopPhase::Stopped(_) => 1.0,
            EstopPhase::Fading(since) if now - since < self.fade => 1.0 - (now - since) / self.fade,
            EstopPhase::Fading(_) => 0.0,
        }
    }

    /// Goes on to this turn. The loads are shares of what each motor can do, positive if it pushes upwards; NaN if it
    /// is not known. Returns the first refusal, after all joints were driven.
    pub fn step(&mut self, now: Instant, loads: &[f64; N]) -> Answer {
        let passed = (now - self.last).seconds();
        self.last = now;
        let weight = self.weight(now);
        if weight <= 0.0 {
            self.phase = EstopPhase::Free;
            return Answer::Done;
        }
        if let EstopPhase::Stopped(since) = self.phase {
            let is_settled = now - since > SETTLING;
            let kept = is_settled.then(|| pow(KEPT, passed / BEAT));
            for (place, load) in loads.iter().enumerate() {
                self.catch(place, passed);
                self.mould(place, *load, passed, kept);
            }
        }
        let mut first = Answer::Done;
        for (joint, held) in self.joints.iter().zip(&self.held) {
            if held.current.is_finite() {
                let answer = joint.drive_by(held.current, weight);
                first = first.then(|| answer);
            }
        }
        first
    }

    fn freeze(&mut self) {
        for (place, held) in self.held.iter_mut().enumerate() {
            let value = if self.wheels[place] {
                0.0
            } else {
                self.joints[place].sent()
            };
            *held = HeldJoint {
                target: value,
                current: value,
                load: 0.0,
                limits: self.joints[place].limits(),
            };
        }
    }

    /// Holds a joint where it is now, if something else than this has moved it.
    fn catch(&mut self, place: usize, passed: f64) {
        let (held, sent) = (&mut self.held[place], self.joints[place].sent());
        let far = held.limits.velocity * passed + MOVED;
        if !self.wheels[place] && libm::fabs(sent - held.current) > far {
            (held.target, held.current, held.load) = (sent, sent, 0.0);
        }
    }

    /// Lets a joint give way, and moves it on. What is kept of its mean load is `None` until it has settled.
    fn mould(&mut self, place: usize, load: f64, passed: f64, kept: Option<f64>) {
        let held = &mut self.held[place];
        if self.wheels[place] || !held.current.is_finite() {
            return;
        }
        let limits = held.limits;
        let mut most = limits.velocity * self.speed_share * passed;
        if let Some(kept) = kept {
            if load.is_finite() {
                held.load = held.load * kept + load * (1.0 - kept);
            }
            let sensed = self.sensors.map_or(f64::NAN, |sensor| sensor[place].read());
            if libm::fabs(sensed - held.target) > self.give {
                // The original is there at once. A joint cannot be; so it goes as fast as it can, but no farther.
                held.target = sensed;
                let fastest = limits.velocity * passed;
                let there = sensed.max(limits.lowest).min(limits.highest);
                let jump = (there - held.current).max(-fastest).min(fastest);
                held.current += jump;
                most = (most - libm::fabs(jump)).max(0.0);
            }
            if libm::fabs(held.load) > self.load_cutoff {
                held.target -= held.load * passed / BEAT;
            }
            held.target = held.target.max(limits.lowest).min(limits.highest);
        }
        let way = held.target - held.current;
        held.current += way.max(-most).min(most);
    }
}
