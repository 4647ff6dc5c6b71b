//! Live parameters, which people change while the guest plays; and figures, which outlive a version of it.

use crate::answer::Answer;
use crate::handle::Handle;
use crate::raw;

/// A live parameter: `params Speed = "speed" from 0.5 to 2.0 usually 1.0;` in the cast.
#[derive(Debug)]
pub struct Param {
    handle: Handle,
    lowest: f64,
    usual: f64,
    highest: f64,
}

impl Param {
    /// A parameter of this name, at most 64 bytes; lowest, usual and highest value must increase.
    pub const fn named(name: &'static str, lowest: f64, usual: f64, highest: f64) -> Param {
        Param {
            handle: Handle::new(name),
            lowest,
            usual,
            highest,
        }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.handle.name
    }

    /// Its value, always within its range. It changes between turns only.
    pub fn get(&self) -> f64 {
        let value = raw::param(self.number());
        // A parameter that could not be declared has its usual value.
        if value.is_nan() { self.usual } else { value }
    }

    fn number(&self) -> u32 {
        #[cfg(target_arch = "wasm32")]
        let find = |_: &str| raw::NONE;
        #[cfg(not(target_arch = "wasm32"))]
        let find = raw::find_param;
        self.handle.number(find)
    }

    pub(crate) fn learn(&self) -> bool {
        let number = raw::declare(self.handle.name, self.lowest, self.usual, self.highest);
        self.handle.learn(number)
    }
}

/// A slot, 0 to 255, for a figure that the next version of this guest can read when it replaces this one: from
/// its first turn on, not yet in `start`.
///
/// ```
/// use choreography::prelude::*;
///
/// const WAVES: Figure = Figure(0);
///
/// let stage = Rehearsal::alone(nao());
/// assert_eq!(WAVES.kept(), None);
/// WAVES.keep(3.0);
/// assert_eq!(WAVES.kept(), Some(3.0));
/// # drop(stage);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure(pub u8);

impl Figure {
    /// Stores a figure.
    pub fn keep(self, value: f64) -> Answer {
        Answer::of(raw::keep(u32::from(self.0), value))
    }

    /// The stored figure, if there is one.
    pub fn kept(self) -> Option<f64> {
        let value = raw::kept(u32::from(self.0));
        (!value.is_nan()).then_some(value)
    }
}
