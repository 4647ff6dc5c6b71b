//! The sensors of the body.

use crate::handle::Handle;
use crate::raw;
use crate::time::Span;

/// A sensor of the body, by name.
///
/// ```
/// use choreography::prelude::*;
///
/// static Touch: Sensor = Sensor::named("Head/Touch/Front");
///
/// let mut stage = Rehearsal::alone(nao());
/// stage.sensor("Head/Touch/Front", 1.0);
/// assert!(Touch.is_on());
/// ```
#[derive(Debug)]
pub struct Sensor(Handle);

impl Sensor {
    /// The sensor of this name.
    pub const fn named(name: &'static str) -> Sensor {
        Sensor(Handle::new(name))
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.0.name
    }

    /// Whether this body has it. If not, it reads NaN.
    pub fn is_present(&self) -> bool {
        self.number() != raw::NONE
    }

    /// Its value, in its unit: in `pre_process` that of the previous turn, in `post_process` that of this turn.
    pub fn read(&self) -> f64 {
        raw::read(self.number())
    }

    /// Whether its value is above 0.5: a pressed button, a touched head.
    pub fn is_on(&self) -> bool {
        self.read() > 0.5
    }

    /// The time since its board last answered; zero in this turn.
    pub fn age(&self) -> Span {
        Span::from_nanos(raw::age(self.number()))
    }

    fn number(&self) -> u32 {
        self.0.number(raw::find_sensor)
    }

    pub(crate) fn learn(&self) -> bool {
        self.0.learn(raw::find_sensor(self.0.name))
    }
}
