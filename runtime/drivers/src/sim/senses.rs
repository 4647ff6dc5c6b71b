//! Simulated sensors: a motor's position, speed, current or temperature, or a given value; with noise from a seed, and
//! a delay.

use cycle::ActuatorId;

use super::motor::MotorState;

/// The most turns that a sensor may be late.
const DELAY_MAX: usize = 16;

/// The source of one sensor's reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimSensor {
    of: SimSensorSource,
    /// The greatest error, in the sensor's unit; errors are uniformly distributed.
    pub(crate) noise: f64,
    pub(crate) delay: usize,
    pub(crate) echo: Option<HeardEcho>,
}

/// The echo that a sensor hears. The sets have a bit for each value of the trigger, from 0 to 127.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HeardEcho {
    trigger: ActuatorId,
    /// The values after which it hears one echo.
    once: u128,
    /// The values after which it hears echoes until there is another value.
    repeated: u128,
}

impl HeardEcho {
    /// Whether it hears this trigger once, and whether from now on; `None` if it is another trigger.
    pub(crate) fn heard(&self, trigger: ActuatorId, value: f64) -> Option<(bool, bool)> {
        let bit = 1u128.checked_shl(value.round() as u32).unwrap_or(0);
        (self.trigger == trigger).then_some((self.once & bit != 0, self.repeated & bit != 0))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum SimSensorSource {
    Position(usize),
    Speed(usize),
    Current(usize),
    Temperature(usize),
    Given(f64),
}

/// A quantity of a motor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Its position.
    Position,
    /// Its speed.
    Speed,
    /// The current in it.
    Current,
    /// Its temperature.
    Temperature,
}

impl SimSensor {
    const fn new(of: SimSensorSource) -> SimSensor {
        SimSensor {
            of,
            noise: 0.0,
            delay: 0,
            echo: None,
        }
    }

    /// The position of this actuator.
    pub const fn position(actuator: usize) -> SimSensor {
        SimSensor::new(SimSensorSource::Position(actuator))
    }

    /// The speed of the actuator.
    pub const fn speed(actuator: usize) -> SimSensor {
        SimSensor::new(SimSensorSource::Speed(actuator))
    }

    /// The current in its motor.
    pub const fn current(actuator: usize) -> SimSensor {
        SimSensor::new(SimSensorSource::Current(actuator))
    }

    /// Its motor's temperature.
    pub const fn temperature(actuator: usize) -> SimSensor {
        SimSensor::new(SimSensorSource::Temperature(actuator))
    }

    /// A value that is set by hand or by a script; until then `value`.
    pub const fn by_hand(value: f64) -> SimSensor {
        SimSensor::new(SimSensorSource::Given(value))
    }

    /// With an error of at most `noise` either way.
    #[must_use]
    pub const fn with_noise(self, noise: f64) -> SimSensor {
        SimSensor { noise, ..self }
    }

    /// Read `turns` turns late, at most 16.
    #[must_use]
    pub const fn delayed(self, turns: usize) -> SimSensor {
        let delay = if turns < DELAY_MAX { turns } else { DELAY_MAX };
        SimSensor { delay, ..self }
    }

    /// Read only as an echo of this trigger, after these of its values; 0 before. With `repeats` added to a value, it
    /// is read until there is another value.
    #[must_use]
    pub fn hears(self, trigger: ActuatorId, modes: &[u32], repeats: Option<u32>) -> SimSensor {
        let bit = |n: u32| 1u128.checked_shl(n).unwrap_or(0);
        let set = |added: u32| modes.iter().fold(0, |set, value| set | bit(value + added));
        let echo = HeardEcho {
            trigger,
            once: set(0),
            repeated: repeats.map_or(0, set),
        };
        SimSensor {
            echo: Some(echo),
            ..self
        }
    }

    /// The quantity and the actuator that it measures; `None` for a given value.
    pub fn measures(&self) -> Option<(Quantity, usize)> {
        match self.of {
            SimSensorSource::Position(position) => Some((Quantity::Position, position)),
            SimSensorSource::Speed(speed) => Some((Quantity::Speed, speed)),
            SimSensorSource::Current(value) => Some((Quantity::Current, value)),
            SimSensorSource::Temperature(temperature) => Some((Quantity::Temperature, temperature)),
            SimSensorSource::Given(_) => None,
        }
    }

    pub(crate) fn actuator(&self) -> Option<usize> {
        self.measures().map(|measure| measure.1)
    }

    pub(crate) fn given(&self) -> f64 {
        match self.of {
            SimSensorSource::Given(value) => value,
            _ => 0.0,
        }
    }

    pub(crate) fn read(&self, motion: Option<&MotorState>, given: f64) -> f64 {
        let Some(motion) = motion else { return given };
        match self.of {
            SimSensorSource::Position(_) => motion.position,
            SimSensorSource::Speed(_) => motion.speed,
            SimSensorSource::Current(_) => motion.current,
            SimSensorSource::Temperature(_) => motion.temperature,
            SimSensorSource::Given(_) => given,
        }
    }
}

/// Errors from a seed.
#[derive(Clone, Debug)]
pub struct Noise(fastrand::Rng);

impl Noise {
    pub(crate) fn new(seed: u64) -> Noise {
        Noise(fastrand::Rng::with_seed(seed))
    }

    pub(crate) fn next(&mut self, greatest: f64) -> f64 {
        // A sensor without noise draws no number, so that noise for one sensor disturbs the others less.
        if greatest == 0.0 {
            0.0
        } else {
            (self.0.f64() * 2.0 - 1.0) * greatest
        }
    }
}

/// The last readings of every sensor.
#[derive(Debug)]
pub(crate) struct Delay {
    kept: Vec<([f64; DELAY_MAX + 1], usize)>,
    read: Vec<usize>,
}

impl Delay {
    pub(crate) fn new(senses: &[SimSensor]) -> Delay {
        Delay {
            kept: senses
                .iter()
                .map(|sense| ([0.0; DELAY_MAX + 1], sense.delay))
                .collect(),
            read: vec![0; senses.len()],
        }
    }

    /// Takes a new reading and returns the delayed one; at the beginning the first.
    pub(crate) fn pass(&mut self, sensor: usize, value: f64) -> f64 {
        let (kept, delay) = &mut self.kept[sensor];
        let read = &mut self.read[sensor];
        kept[*read % kept.len()] = value;
        let wanted = read.saturating_sub(*delay);
        let value = kept[wanted % kept.len()];
        *read += 1;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delayed_sensor_reads_what_was_so_many_turns_ago() {
        let mut delay = Delay::new(&[SimSensor::by_hand(0.0).delayed(3)]);
        let late: Vec<_> = (0..40).map(|turn| delay.pass(0, f64::from(turn))).collect();
        assert_eq!(late[..6], [0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
        assert_eq!(late[39], 36.0);
    }

    #[test]
    fn noise_stays_within_its_bound_and_repeats_with_its_seed() {
        let draw = |seed| {
            let mut noise = Noise::new(seed);
            (0..100).map(|_| noise.next(0.5)).collect::<Vec<_>>()
        };
        assert!(draw(1).iter().all(|error| error.abs() <= 0.5));
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
