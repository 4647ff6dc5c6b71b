//! Sensors whose values are computed: the weight on a foot, and where it presses; a joint behind a gear, from its
//! motors; how long a button is pressed; the gains in force.
//! Computed by the turn when all readings are in. A derived value is of the same turn as those it comes from.

use super::{Actuator, ActuatorId, Gains, Sensor, SensorId};
use crate::time::Span;

/// How a sensor is derived.
#[derive(Clone, Copy, Debug)]
pub enum Derived<'m> {
    /// The sum of the values, each times its coefficient.
    Sum(&'m [DerivedTerm]),
    /// The centre of the values: the mean of the coefficients, which are places, weighted by the values.
    Centre(&'m [DerivedTerm]),
    /// How long another sensor has read more than a half, s; 0 when it does not.
    Held(SensorId),
    /// A gain of a joint that has gains, as it was last sent.
    Gain(ActuatorId, GainTerm),
}

/// A sensor that a derived one comes from. It is not derived itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DerivedTerm {
    /// The sensor.
    pub sensor: SensorId,
    /// Its factor in a sum, or its place in the unit of a centre.
    pub coefficient: f64,
}

/// One of the three gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GainTerm {
    /// Proportional.
    P,
    /// Integral.
    I,
    /// Derivative.
    D,
}

/// Below this sum of values there is no centre: it is 0.
const LEAST: f64 = 1e-3;

/// Above this value a button is pressed.
const PRESSED: f64 = 0.5;

impl Derived<'_> {
    /// The value, from those of all sensors, its own one in the turn before, and the gains.
    fn value(
        &self,
        values: &[f64],
        own: f64,
        elapsed: Span,
        gains: impl Fn(ActuatorId) -> Gains,
    ) -> f64 {
        let value = |term: &DerivedTerm| values[term.sensor.index()];
        match *self {
            Derived::Sum(terms) => terms
                .iter()
                .map(|term| value(term) * term.coefficient)
                .sum(),
            Derived::Centre(terms) => {
                // Noise around 0 would pull the centre far outside.
                let weighs = |term: &DerivedTerm| value(term).max(0.0);
                let all: f64 = terms.iter().map(weighs).sum();
                let moment: f64 = terms
                    .iter()
                    .map(|term| weighs(term) * term.coefficient)
                    .sum();
                if all < LEAST { 0.0 } else { moment / all }
            }
            Derived::Held(sensor) if values[sensor.index()] > PRESSED => own + elapsed.seconds(),
            Derived::Held(_) => 0.0,
            Derived::Gain(actuator, term) => {
                let gains = gains(actuator);
                match term {
                    GainTerm::P => gains.p,
                    GainTerm::I => gains.i,
                    GainTerm::D => gains.d,
                }
            }
        }
    }

    /// Whether it comes from what is in these lists, and is not derived itself.
    pub(crate) fn is_sound(&self, actuators: &[Actuator<'_>], sensors: &[Sensor<'_>]) -> bool {
        let is_read = |id: SensorId| {
            let from = sensors.get(id.index());
            from.is_some_and(|from| from.derived.is_none())
        };
        match *self {
            Derived::Sum(terms) | Derived::Centre(terms) => terms
                .iter()
                .all(|term| term.coefficient.is_finite() && is_read(term.sensor)),
            Derived::Held(sensor) => is_read(sensor),
            Derived::Gain(actuator, _) => {
                let joint = actuators.get(actuator.index());
                joint.is_some_and(|joint| joint.gains.is_some())
            }
        }
    }
}

/// Computes the derived values, which are still those of the turn before, this time ago.
pub(crate) fn derive(
    sensors: &[Sensor<'_>],
    values: &mut [f64],
    elapsed: Span,
    gains: impl Fn(ActuatorId) -> Gains,
) {
    for (place, sensor) in sensors.iter().enumerate() {
        if let Some(derived) = &sensor.derived {
            values[place] = derived.value(values, values[place], elapsed, &gains);
        }
    }
}
