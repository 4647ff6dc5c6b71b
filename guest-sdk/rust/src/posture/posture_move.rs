//! A move to a posture at limited speeds. A motion calls [`PostureMove::step`] in every turn, from `pre_process`.
//! No output is commanded faster than its speed allows; and a move begins at the value that was last sent, not
//! at what sensors measure. They lag behind, so a target that changes in every turn would never be reached.

use core::ops::RangeBounds;

use super::{Posture, is_used};
use crate::actuator::Actuator;
use crate::answer::Answer;
use crate::output::Output;
use crate::sensor::Sensor;
use crate::time::{Instant, Span, now, period, turn};

/// A step that is longer than the rest of the way by this share of it arrives, too: sums of floats are not exact.
const SLACK: f64 = 1e-9;

/// The progress of a [`PostureMove`]. For one target it only goes forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveStatus {
    /// The target is not commanded yet, or was refused.
    Moving,
    /// All of the target is commanded. The body may lag behind.
    Arrived,
    /// The sensors have confirmed the target, within the tolerance.
    Settled,
    /// The sensors did not confirm it in time: something is in the way, or another guest moves the same joints.
    TimedOut,
}

/// A move of N actuators to a posture, each at its own maximum speed.
///
/// It has no timeline: it drives its actuators turn by turn. After turns without a [`PostureMove::step`] it begins
/// anew, at the values that were last sent.
///
/// ```
/// use choreography::posture::{MoveStatus, PostureMove};
/// use choreography::prelude::*;
///
/// static HeadYaw: Actuator = Actuator::named("HeadYaw");
///
/// let mut stage = Rehearsal::alone(nao());
/// let mut head = PostureMove::new([&HeadYaw]);
/// head.set_speed(0, 2.0); // rad/s
/// head.set(0, 0.5);
/// while head.step(now()) != Some(MoveStatus::Arrived) {
///     stage.turn();
/// }
/// assert_eq!(now() - Instant::ZERO, 240.ms()); // the next turn sends the last step
/// ```
#[derive(Clone, Debug)]
pub struct PostureMove<const N: usize> {
    /// Whether it goes on driving after its arrival; if not, it leaves the actuators to others then. Default: true.
    pub hold: bool,
    /// How far sensors may be from the target when it settles, in the unit of the actuators. Default: 0.035.
    pub tolerance: f64,
    /// How long after its arrival it waits for the sensors. Default: 2 s.
    pub timeout: Span,
    actuators: [&'static Actuator; N],
    sensors: Option<[&'static Sensor; N]>,
    target: Posture<N>,
    /// The values that it commanded last; none if it begins at the value that was last sent. Where others move the same
    /// actuators, what is sent is a blend: its own way goes on from its own value.
    current: [Option<f64>; N],
    /// Units per second; no limit if infinite or not positive.
    speeds: [f64; N],
    status: MoveStatus,
    told: Option<MoveStatus>,
    arrival: Instant,
    /// The turn and the instant of the last step.
    last: Option<(u64, Instant)>,
}

impl<const N: usize> PostureMove<N> {
    /// A move of these actuators, at their own maximum velocities. It has no target yet, so it moves nothing.
    pub fn new(actuators: [&'static Actuator; N]) -> PostureMove<N> {
        let mut new = PostureMove {
            hold: true,
            tolerance: 0.035,
            timeout: Span::from_millis(2_000),
            actuators,
            sensors: None,
            target: Posture::new(),
            current: [None; N],
            speeds: [f64::INFINITY; N],
            status: MoveStatus::Moving,
            told: None,
            arrival: Instant::ZERO,
            last: None,
        };
        new.set_speed_share(1.0);
        new
    }

    /// With the sensors that measure the actuators, in the same order. Those that this body does not have do not
    /// count. Without any it settles in the turn after its arrival.
    #[must_use]
    pub fn measured_by(mut self, sensors: [&'static Sensor; N]) -> PostureMove<N> {
        self.sensors = Some(sensors);
        self
    }

    /// Sets one output's maximum speed, units per second. There is no limit if it is infinite, 0 or negative.
    pub fn set_speed(&mut self, place: usize, speed: f64) {
        self.set_speeds(place..=place, speed);
    }

    /// Sets the maximum speed of some outputs, `2..5`, or of all, `..`. NaN changes nothing.
    pub fn set_speeds(&mut self, places: impl RangeBounds<usize>, speed: f64) {
        for (place, item) in self.speeds.iter_mut().enumerate() {
            if places.contains(&place) && !speed.is_nan() {
                *item = speed;
            }
        }
    }

    /// Sets all speeds to this share of the actuators' own maximum velocities. A share of 0 is no limit, as above.
    pub fn set_speed_share(&mut self, share: f64) {
        for (place, actuator) in self.actuators.into_iter().enumerate() {
            self.set_speed(place, actuator.limits().velocity * share);
        }
    }

    /// Moves to this posture. Outputs that it drives go on from where it has them, the others from the values that were
    /// last sent.
    pub fn set_target(&mut self, target: Posture<N>) {
        for (place, output) in target.outputs().iter().enumerate() {
            if !self.target.outputs().get(place).is_some_and(is_used) || !is_used(output) {
                self.current[place] = None;
            }
        }
        self.target = target;
        (self.status, self.told) = (MoveStatus::Moving, None);
    }

    /// Moves one output to this value, with full weight. It goes on from where it is, and so do the others. A value
    /// that is no number moves nothing.
    pub fn set(&mut self, place: usize, value: impl Into<f64>) {
        self.set_output(place, Output::of(value));
    }

    /// Moves one output to this value, with this weight.
    pub fn set_output(&mut self, place: usize, output: Output) {
        let mut target = self.target;
        let is_number = output.value.is_finite() || output.weight <= 0.0;
        if target.outputs().get(place).is_some() && is_number {
            target.set_output(place, output);
            self.set_target(target);
        }
    }

    /// Stops it: the target is what it has commanded so far, or what was last sent. Weights stay.
    pub fn freeze(&mut self) {
        let mut target = self.target;
        target.take_sent(&self.actuators);
        for (place, current) in self.current.into_iter().enumerate() {
            if let (Some(value), Some(output)) = (current, target.outputs.get_mut(place)) {
                output.value = value;
            }
        }
        self.set_target(target);
    }

    /// The target is what the sensors measure. Weights stay, and so do the values of outputs without a sensor.
    pub fn take_snapshot(&mut self) {
        if let Some(sensors) = &self.sensors {
            let mut target = self.target;
            target.take_sensed(sensors);
            self.set_target(target);
        }
    }

    /// Its target.
    pub const fn target(&self) -> &Posture<N> {
        &self.target
    }

    /// Its status after the last step.
    pub const fn status(&self) -> MoveStatus {
        self.status
    }

    /// Moves on by the time since the last step, and drives the actuators. Call it once in every turn, from
    /// `pre_process`. Returns the status if it is new: for each target, each status is returned once.
    pub fn step(&mut self, now: Instant) -> Option<MoveStatus> {
        let passed = self.passed(now);
        let is_there = if self.is_driving() {
            self.advance(passed)
        } else {
            self.current = [None; N]; // others may move them now
            false
        };
        self.status = match self.status {
            MoveStatus::Moving if is_there => {
                self.arrival = now;
                MoveStatus::Arrived
            }
            MoveStatus::Arrived if self.is_near() => MoveStatus::Settled,
            MoveStatus::Arrived if now - self.arrival > self.timeout => MoveStatus::TimedOut,
            other => other,
        };
        let is_new = self.told.replace(self.status) != Some(self.status);
        is_new.then_some(self.status)
    }

    /// For the hook `is_alive`: true until it has arrived. From then on, false if it does not hold or if its timeout is
    /// over, else whether a sensor is still farther from the target than the tolerance.
    pub fn is_alive(&self) -> bool {
        let is_late = now() - self.arrival > self.timeout;
        self.status == MoveStatus::Moving || self.hold && !is_late && !self.is_near()
    }

    /// How far the sensors are from the target: the largest distance of all used outputs; 0 without sensors.
    pub fn distance(&self) -> f64 {
        let mut sensed = self.target;
        if let Some(sensors) = &self.sensors {
            sensed.take_sensed(sensors);
        }
        sensed.largest_diff(&self.target)
    }

    fn is_near(&self) -> bool {
        self.distance() <= self.tolerance
    }

    fn is_driving(&self) -> bool {
        self.status == MoveStatus::Moving || self.hold
    }

    fn restart(&mut self) {
        (self.current, self.status, self.told) = ([None; N], MoveStatus::Moving, None);
    }

    /// The time since the last step. If there was none in the last turn, others may have moved the actuators.
    fn passed(&mut self, now: Instant) -> Span {
        let this = turn();
        match self.last.replace((this, now)) {
            Some((last, at)) if this.saturating_sub(last) <= 1 => now - at,
            _ => {
                if self.is_driving() {
                    self.restart();
                }
                period()
            }
        }
    }

    /// Moves the commanded values on, and sends them. Returns whether all have arrived.
    fn advance(&mut self, passed: Span) -> bool {
        let mut is_there = true;
        for (place, target) in self.target.outputs().iter().enumerate() {
            if !is_used(target) {
                continue;
            }
            let actuator = self.actuators[place];
            let from = self.current[place].unwrap_or_else(|| actuator.sent());
            let value = toward(from, target.value, reach(self.speeds[place], passed));
            self.current[place] = Some(value);
            let answer = actuator.drive_by(value, target.weight);
            // What this body lacks, or another guest has, is nothing to wait for.
            let is_left_out = matches!(answer, Answer::Unknown | Answer::Forbidden);
            let is_sent = answer.is_done() && value.total_cmp(&target.value).is_eq();
            is_there &= is_sent || is_left_out;
        }
        is_there
    }
}

/// How far it may move in this time.
fn reach(speed: f64, time: Span) -> f64 {
    if speed > 0.0 && speed.is_finite() {
        speed * time.seconds()
    } else {
        f64::INFINITY
    }
}

/// The value that is this much nearer. From NaN, of an actuator that is missing, it is there at once.
fn toward(from: f64, to: f64, by: f64) -> f64 {
    let way = to - from;
    if libm::fabs(way) > by * (1.0 + SLACK) {
        from + libm::copysign(by, way)
    } else {
        to
    }
}
