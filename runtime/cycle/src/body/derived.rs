//! Sensors whose values are computed from others: the weight on a foot, and where it presses.
//! Computed by the turn when all readings are in. The law: a derived value is of the same turn as those it comes from.

use super::{Sensor, SensorId};

/// How a sensor is derived.
#[derive(Clone, Copy, Debug)]
pub struct Derived<'m> {
    /// The sensors that it comes from, none of them derived itself, and where each is.
    pub terms: &'m [DerivedTerm],
    /// Whether it is the centre of their values: the mean of their places, weighted by the values. Otherwise it is the
    /// sum of the values.
    pub is_centre: bool,
}

/// A sensor that a derived one comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DerivedTerm {
    /// The sensor.
    pub sensor: SensorId,
    /// Where it is, in the unit of a centre. A sum does not ask.
    pub place: f64,
}

/// Below this sum of values there is no centre: it is 0.
const LEAST: f64 = 1e-3;

impl Derived<'_> {
    /// The value, from the values of all sensors.
    fn value(&self, values: &[f64]) -> f64 {
        let value = |it: &DerivedTerm| values[it.sensor.index()];
        if !self.is_centre {
            return self.terms.iter().map(value).sum();
        }
        // Noise around 0 would pull the centre far outside.
        let weighs = |it: &DerivedTerm| value(it).max(0.0);
        let all: f64 = self.terms.iter().map(weighs).sum();
        let moment: f64 = self.terms.iter().map(|it| weighs(it) * it.place).sum();
        if all < LEAST { 0.0 } else { moment / all }
    }

    /// Whether it comes from sensors of this list that are not derived.
    pub(crate) fn is_sound(&self, sensors: &[Sensor<'_>]) -> bool {
        self.terms.iter().all(|it| {
            let from = sensors.get(it.sensor.index());
            it.place.is_finite() && from.is_some_and(|it| it.derived.is_none())
        })
    }
}

/// Computes the derived values.
pub(crate) fn derive(sensors: &[Sensor<'_>], values: &mut [f64]) {
    for (place, sensor) in sensors.iter().enumerate() {
        if let Some(derived) = &sensor.derived {
            values[place] = derived.value(values);
        }
    }
}
