//! Postures: a value and a weight for each of N outputs, the algebra of them, and a move to one at limited speeds.
//! Called by motions: a posture by any of their hooks, a [`PostureMove`] by `pre_process`.
//! An output without a weight is unused. It takes no part in anything, and is left to other guests.
//!
//! ```
//! use choreography::posture::{MoveStatus, Posture, PostureMove};
//! use choreography::prelude::*;
//!
//! choreography! {
//!     /// Looks down to the left, and ends when the head is there.
//!     motion Peek as "peek";
//!     hooks pre_process, is_alive;
//!     joints HeadYaw, HeadPitch;
//!     sensors YawSensor = "HeadYaw", PitchSensor = "HeadPitch";
//! }
//!
//! struct Peek(PostureMove<2>);
//!
//! impl Motion for Peek {
//!     fn start() -> Peek {
//!         let head = PostureMove::new([&HeadYaw, &HeadPitch]);
//!         let mut head = head.measured_by([&YawSensor, &PitchSensor]);
//!         head.set_speed_share(0.25); // of what each joint can do
//!         head.set_target(Posture::of([30.deg(), 10.deg()]));
//!         Peek(head)
//!     }
//!     fn pre_process(&mut self, now: Instant) {
//!         if self.0.step(now) == Some(MoveStatus::Arrived) {
//!             say!("all of it is commanded");
//!         }
//!     }
//!     fn is_alive(&self) -> bool {
//!         self.0.is_alive()
//!     }
//! }
//!
//! let mut stage = Rehearsal::of::<Peek>(nao());
//! stage.run_to_its_end(1.s());
//! assert!((stage.sent(&HeadYaw) - 0.5236).abs() < 1e-4);
//! assert!(stage.fastest(&HeadYaw) < 0.26 * HeadYaw.limits().velocity);
//! assert_eq!(stage.log(), ["all of it is commanded"]);
//! stage.assert_nothing_clipped();
//! ```

use core::ops::RangeBounds;

use crate::actuator::Actuator;
use crate::answer::Answer;
use crate::output::Output;
use crate::sensor::Sensor;

mod algebra;
mod inverse;
mod posture_move;

pub use posture_move::{MoveStatus, PostureMove};

/// For each of N outputs a value and a weight. The author decides which actuator has which place.
///
/// An output is unused if its weight is 0 (or negative, or NaN), or if its value is NaN or infinite.
///
/// ```
/// use choreography::posture::Posture;
/// use choreography::prelude::*;
///
/// static Yaw: Actuator = Actuator::named("HeadYaw");
/// static Pitch: Actuator = Actuator::named("HeadPitch");
///
/// let mut stage = Rehearsal::alone(nao());
/// let (left, mut nod) = (Posture::of([0.06, 0.0]), Posture::new());
/// nod.set(1, 0.02); // says nothing about the yaw
/// let mut both = left;
/// both.overlay(&nod);
/// both.average(&left, 0.5); // half of the way back
/// both.drive(&[&Yaw, &Pitch]); // in this turn only
/// stage.turn();
/// assert_eq!((stage.sent(&Yaw), stage.sent(&Pitch)), (0.06, 0.01));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posture<const N: usize> {
    outputs: [Output; N],
}

impl<const N: usize> Posture<N> {
    /// A posture that uses no output.
    pub const fn new() -> Posture<N> {
        let unused = Output {
            value: 0.0,
            weight: 0.0,
        };
        Posture {
            outputs: [unused; N],
        }
    }

    /// A posture that uses all outputs, with full weight.
    pub fn of(values: [impl Into<f64>; N]) -> Posture<N> {
        Posture {
            outputs: values.map(Output::of),
        }
    }

    /// All outputs, used or not.
    pub const fn outputs(&self) -> &[Output; N] {
        &self.outputs
    }

    /// Whether the output at this place is used.
    pub fn is_used(&self, place: usize) -> bool {
        self.outputs.get(place).is_some_and(is_used)
    }

    /// Sets an output's value, with full weight. A place that does not exist changes nothing, here and below.
    pub fn set(&mut self, place: usize, value: impl Into<f64>) {
        self.set_output(place, Output::of(value));
    }

    /// Sets an output's value and weight.
    pub fn set_output(&mut self, place: usize, output: Output) {
        if let Some(value) = self.outputs.get_mut(place) {
            *value = output;
        }
    }

    /// Sets the weight of one output.
    pub fn set_weight(&mut self, place: usize, weight: f64) {
        self.set_weights(place..=place, weight);
    }

    /// Sets the weights of some outputs, `2..5`, or of all, `..`.
    pub fn set_weights(&mut self, places: impl RangeBounds<usize>, weight: f64) {
        for (place, output) in self.outputs.iter_mut().enumerate() {
            if places.contains(&place) {
                output.weight = weight;
            }
        }
    }

    /// No output is used any more.
    pub fn clear(&mut self) {
        *self = Posture::new();
    }

    /// Takes the values that were last sent to these actuators. Weights stay, and so does the value of an actuator that
    /// this body does not have.
    pub fn take_sent(&mut self, actuators: &[&Actuator; N]) {
        self.take(actuators.iter().map(|actuator| actuator.sent()));
    }

    /// Takes the values that these sensors measure. Weights stay, and so does the value of a sensor that this body does
    /// not have.
    pub fn take_sensed(&mut self, sensors: &[&Sensor; N]) {
        self.take(sensors.iter().map(|sensor| sensor.read()));
    }

    fn take(&mut self, values: impl Iterator<Item = f64>) {
        for (output, value) in self.outputs.iter_mut().zip(values) {
            if value.is_finite() {
                output.value = value;
            }
        }
    }

    /// Drives these actuators to it, in this turn only; those of unused outputs are left alone. Returns the first
    /// refusal; the others are driven nevertheless.
    pub fn drive(&self, actuators: &[&Actuator; N]) -> Answer {
        let used = self
            .outputs
            .iter()
            .zip(actuators)
            .filter(|pair| is_used(pair.0));
        used.fold(Answer::Done, |first, (output, actuator)| {
            let answer = actuator.drive_to(*output);
            if first.is_done() { answer } else { first }
        })
    }
}

impl<const N: usize> Default for Posture<N> {
    fn default() -> Posture<N> {
        Posture::new()
    }
}

impl<const N: usize> From<[Output; N]> for Posture<N> {
    fn from(outputs: [Output; N]) -> Posture<N> {
        Posture { outputs }
    }
}

fn is_used(output: &Output) -> bool {
    output.weight > 0.0 && output.weight.is_finite() && output.value.is_finite()
}
