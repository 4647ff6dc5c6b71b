//! What a hook drives an actuator to in one turn: a value and its weight, and the way between two of them.

use crate::actuator::Actuator;
use crate::answer::Answer;
use crate::flatten::mix;

/// A value and its weight among the guests of the same priority. A weight of 0 leaves the actuator to others.
///
/// ```
/// use choreography::prelude::*;
///
/// // Half of the way from one pose to another that counts for less.
/// let between = Output::mix(Output::of(0.2), Output { value: 0.6, weight: 0.5 }, 0.5);
/// assert_eq!(between, Output { value: 0.4, weight: 0.75 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Output {
    /// The value, in the actuator's unit.
    pub value: f64,
    /// Its weight, 0 to 1,000.
    pub weight: f64,
}

impl Output {
    /// A value with full weight.
    pub fn of(value: impl Into<f64>) -> Output {
        Output {
            value: value.into(),
            weight: 1.0,
        }
    }

    /// What lies at this share of the way from one output to another: of both, the value and the weight.
    pub fn mix(from: Output, to: Output, share: f64) -> Output {
        Output {
            value: mix(from.value, to.value, share),
            weight: mix(from.weight, to.weight, share),
        }
    }
}

impl Actuator {
    /// Drives it to this output, in this turn only.
    pub fn drive_to(&self, output: Output) -> Answer {
        self.drive_by(output.value, output.weight)
    }
}

#[cfg(test)]
mod tests {
    use super::Output;
    use crate::flatten::mix;

    #[test]
    fn outputs_are_mixed_as_tekkotsu_does() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..1_000 {
            let mut any = || 4.0 * random.f64() - 2.0;
            let (from, to) = (
                Output {
                    value: any(),
                    weight: any().abs() / 2.0,
                },
                Output {
                    value: any(),
                    weight: any().abs() / 2.0,
                },
            );
            let share = (any() + 2.0) / 4.0;
            // Of values and weights alike: a (1 - x) + b x.
            let way = |a: f64, b: f64| a * (1.0 - share) + b * share;
            let found = Output::mix(from, to, share);
            assert!((found.value - way(from.value, to.value)).abs() < 1e-12);
            assert!((found.weight - way(from.weight, to.weight)).abs() < 1e-12);
            assert!((mix(from.value, to.value, share) - found.value).abs() < 1e-12);
        }
        let (from, to) = (Output::of(-1.0), Output::default());
        assert_eq!(Output::mix(from, to, 0.0), from);
        assert_eq!(Output::mix(from, to, 1.0), to);
    }
}
