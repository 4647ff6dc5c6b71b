//! A gripper: it opens to a gap or to a share of its range, or closes until it feels a load.
//! Called by motions, in every turn.
//! It closes no farther than its range, and no faster than its speed. Without a load sensor it refuses to
//! close until a load, because it could not know when to stop.

use super::Fingers;
use crate::actuator::Actuator;
use crate::answer::Answer;
use crate::posture::{Posture, PostureMove};
use crate::sensor::Sensor;
use crate::time::{Instant, Span};

/// How much farther it aims than it is, in the unit of its joint, for as long as the load is not felt.
const INCREMENT: f64 = 0.05;
/// After this time with the same load, it aims one more increment farther.
const IDLE: Span = Span::from_millis(256);
/// How near to its limit it counts as closed, and how far it moves while it stands, in the unit of its joint.
const CLOSED: f64 = 1e-3;

/// What a gripper does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// It is at a gap or a share, or on its way there.
    Set,
    /// It closes, and does not feel the load yet.
    Closing,
    /// It feels the load.
    Holds,
    /// It is closed, and there was nothing to feel.
    Empty,
}

/// A gripper of one joint.
#[derive(Clone, Debug)]
pub struct Gripper {
    /// The movement of the joint: its speed, its tolerance, whether it holds. At first its speed is what it can do.
    pub motion: PostureMove<1>,
    /// How much farther it aims than it is when it closes for a load. Default: 0.05.
    pub increment: f64,
    joint: &'static Actuator,
    position: Option<&'static Sensor>,
    load: Option<&'static Sensor>,
    fingers: Option<Fingers>,
    /// Whether its lowest value is the open one.
    opens_down: bool,
    grip: Grip,
    wanted: f64,
    /// The load that was felt last, where it stood then, and since when both have been so.
    felt: Option<(f64, f64, Instant)>,
    /// How many increments it aims farther.
    pushes: f64,
    pulse: Option<(Span, Span)>,
    pulse_start: Option<Instant>,
}

impl Gripper {
    /// The gripper of this joint, which is open at its highest value.
    pub fn new(joint: &'static Actuator) -> Gripper {
        Gripper {
            motion: PostureMove::new([joint]),
            increment: INCREMENT,
            joint,
            position: None,
            load: None,
            fingers: None,
            opens_down: false,
            grip: Grip::Set,
            wanted: 0.0,
            felt: None,
            pushes: 1.0,
            pulse: None,
            pulse_start: None,
        }
    }

    /// With the sensors of its position and of its load: a current, a torque.
    #[must_use]
    pub fn measured_by(mut self, position: &'static Sensor, load: &'static Sensor) -> Gripper {
        self.motion = self.motion.measured_by([position]);
        (self.position, self.load) = (Some(position), Some(load));
        self
    }

    /// With the geometry of its fingers, for [`Gripper::set_gap`].
    #[must_use]
    pub fn with_fingers(mut self, fingers: Fingers) -> Gripper {
        self.fingers = Some(fingers);
        self
    }

    /// It is open at its lowest value.
    #[must_use]
    pub fn opening_down(mut self) -> Gripper {
        self.opens_down = true;
        self
    }

    /// Opens or closes until the gap between its fingers is this wide, m. Returns the gap that it will have: within its
    /// range. NaN, and nothing moves, if its geometry is not known.
    pub fn set_gap(&mut self, gap: f64) -> f64 {
        let Some(fingers) = self.fingers.filter(|_| !gap.is_nan()) else {
            return f64::NAN;
        };
        let limits = self.joint.limits();
        let value = fingers
            .value_for(gap)
            .max(limits.lowest)
            .min(limits.highest);
        self.set(value);
        fingers.gap_at(value)
    }

    /// Opens it to a share of its range: 0 is closed, 1 is open.
    pub fn open(&mut self, share: f64) {
        if !share.is_nan() {
            let (closed, open) = self.ends();
            self.set(closed + (open - closed) * share.clamp(0.0, 1.0));
        }
    }

    /// Closes it until the sensor feels this load: at least that, or at most that if it is negative. It closes again
    /// whenever the load is less. [`Answer::Unknown`], and nothing happens, if this body has no sensor of the load.
    pub fn close_to_load(&mut self, load: f64) -> Answer {
        if load.is_nan() || !self.load.is_some_and(Sensor::is_present) {
            return Answer::Unknown;
        }
        (self.grip, self.wanted, self.felt, self.pushes) = (Grip::Closing, load, None, 1.0);
        Answer::Done
    }

    /// Lets its joint be limp for a time after each time of holding, so that it stays cool. It is stiff at first.
    pub fn set_pulse(&mut self, stiff: Span, limp: Span) {
        (self.pulse, self.pulse_start) = (Some((stiff, limp)), None);
    }

    /// Its joint has its own gains again, all the time.
    pub fn clear_pulse(&mut self) {
        self.pulse = None;
    }

    /// What it does.
    pub const fn grip(&self) -> Grip {
        self.grip
    }

    /// For the hook `is_alive`: whether it moves, or closes and feels nothing yet.
    pub fn is_alive(&self) -> bool {
        match self.grip {
            Grip::Set => self.motion.is_alive(),
            Grip::Closing => true,
            Grip::Holds | Grip::Empty => false,
        }
    }

    /// Moves on, and drives the joint. Call it once in every turn. Returns what it does, if that is new.
    pub fn step(&mut self, now: Instant) -> Option<Grip> {
        let before = self.grip;
        if self.grip != Grip::Set {
            self.close(now);
        }
        self.motion.step(now);
        if self.is_limp(now) {
            self.joint.gains(0.0, 0.0, 0.0, 1.0);
        }
        (self.grip != before).then_some(self.grip)
    }

    fn set(&mut self, value: f64) {
        self.grip = Grip::Set;
        self.motion.set(0, value);
    }

    /// Its closed and its open value.
    fn ends(&self) -> (f64, f64) {
        let limits = self.joint.limits();
        if self.opens_down {
            (limits.highest, limits.lowest)
        } else {
            (limits.lowest, limits.highest)
        }
    }

    /// Aims a little farther than it is, until the load is felt.
    fn close(&mut self, now: Instant) {
        let load = self.load.map_or(f64::NAN, Sensor::read);
        let is_felt = if self.wanted < 0.0 {
            load <= self.wanted
        } else {
            load >= self.wanted
        };
        // A sensor that has no value yet says neither that it feels something nor that there is nothing.
        if is_felt || load.is_nan() {
            if is_felt && self.grip != Grip::Holds {
                self.grip = Grip::Holds;
                // It squeezes no farther than to where it felt the load.
                self.motion.set(0, self.joint.sent());
            }
            return;
        }
        let (closed, open) = self.ends();
        let measured = self.position.map_or(f64::NAN, Sensor::read);
        let stands = if measured.is_nan() {
            self.joint.sent()
        } else {
            measured
        };
        let is_near = |to: f64| crate::maths::abs(stands - to) < CLOSED;
        match self.felt {
            // On its way it is not stuck, and needs no push.
            Some((last, stood, since)) if last.total_cmp(&load).is_eq() && is_near(stood) => {
                if now - since >= IDLE {
                    self.pushes += 1.0;
                    self.felt = Some((load, stands, now));
                }
            }
            _ => self.felt = Some((load, stands, now)),
        }
        let is_closed = is_near(closed);
        self.grip = if is_closed {
            Grip::Empty
        } else {
            Grip::Closing
        };
        let way = self.increment * self.pushes;
        let aim = if open < closed {
            stands + way
        } else {
            stands - way
        };
        let aim = aim.max(f64::min(open, closed)).min(f64::max(open, closed));
        self.motion.set_target(Posture::of([aim]));
    }

    /// Whether its joint is limp in this turn.
    fn is_limp(&mut self, now: Instant) -> bool {
        let Some((stiff, limp)) = self.pulse else {
            return false;
        };
        let start = *self.pulse_start.get_or_insert(now);
        let whole = (stiff + limp).nanos();
        whole > 0 && (now - start).nanos() % whole >= stiff.nanos()
    }
}
