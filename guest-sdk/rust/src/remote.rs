//! Remote control: values and weights of any outputs, set from anywhere, and sent in every turn as they are.
//! A motion owns [`RawOutputs`], and calls [`send`](RawOutputs::send) in each turn, in `pre_process`.
//! An output keeps its value until it is set again or released. Nothing is smoothed: who sets it takes care.
//!
//! The original could not be built, because a function of its base was missing: so nobody has ever used it.
//!
//! ```
//! use choreography::prelude::*;
//! use choreography::remote::RawOutputs;
//!
//! static HeadYaw: Actuator = Actuator::named("HeadYaw");
//! static HeadPitch: Actuator = Actuator::named("HeadPitch");
//!
//! let mut stage = Rehearsal::alone(nao());
//! let mut head = RawOutputs::new([&HeadYaw, &HeadPitch]);
//! head.set(0, 0.05);
//! for _ in 0..3 {
//!     head.send();
//!     stage.turn();
//! }
//! assert_eq!(stage.driven(&HeadYaw), Some(Output::of(0.05)));
//! assert_eq!(stage.driven(&HeadPitch), None); // it was never set
//! head.release(0);
//! head.send();
//! stage.turn();
//! assert_eq!(stage.driven(&HeadYaw), None);
//! ```

use crate::actuator::Actuator;
use crate::answer::Answer;
use crate::output::Output;
use crate::posture::Posture;

/// Values for N actuators. At first none is set.
#[derive(Clone, Debug)]
pub struct RawOutputs<const N: usize> {
    actuators: [&'static Actuator; N],
    values: Posture<N>,
}

impl<const N: usize> RawOutputs<N> {
    /// Values for these actuators.
    pub const fn new(actuators: [&'static Actuator; N]) -> RawOutputs<N> {
        RawOutputs {
            actuators,
            values: Posture::new(),
        }
    }

    /// Sets a value, with full weight. A place that does not exist changes nothing, here and below.
    pub fn set(&mut self, place: usize, value: impl Into<f64>) {
        self.values.set(place, value);
    }

    /// Sets a value and its weight.
    pub fn set_output(&mut self, place: usize, output: Output) {
        self.values.set_output(place, output);
    }

    /// Leaves an actuator to others.
    pub fn release(&mut self, place: usize) {
        self.values.set_weight(place, 0.0);
    }

    /// Leaves all actuators to others.
    pub fn release_all(&mut self) {
        self.values.clear();
    }

    /// All values.
    pub const fn values(&self) -> &Posture<N> {
        &self.values
    }

    /// All values, to be set as a posture.
    pub const fn values_mut(&mut self) -> &mut Posture<N> {
        &mut self.values
    }

    /// Sends all values that are set. Returns the first refusal, after all were sent.
    pub fn send(&self) -> Answer {
        self.values.drive(&self.actuators)
    }
}
