//! What the body feels.

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

    /// Whether this body has it. One that it has not reads NaN.
    pub fn is_present(&self) -> bool {
        self.number() != raw::NONE
    }

    /// Its value, in its unit: in `pre_process` that of the turn before, in `post_process` that of this turn.
    pub fn read(&self) -> f64 {
        raw::read(self.number())
    }

    /// Whether it reads more than a half: a button that is pressed, a head that is touched.
    pub fn is_on(&self) -> bool {
        self.read() > 0.5
    }

    /// How long ago its board last answered; no time at all for this turn.
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
