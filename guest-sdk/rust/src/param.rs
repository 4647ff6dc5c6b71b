//! Figures that a person turns while the guest runs, and figures that outlive a version of it.

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
    /// A parameter of this name, at most 64 bytes; the figures rise.
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

    /// What it is now, always from its lowest to its highest value; it changes between turns only.
    pub fn get(&self) -> f64 {
        let value = raw::param(self.number());
        // One that could not be declared has its usual value all the same.
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

/// A place, 0 to 255, for a figure that the next version of this guest finds when it takes over. It finds it in
/// its first turn, not yet in `start`.
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
    /// Keeps a figure.
    pub fn keep(self, value: f64) -> Answer {
        Answer::of(raw::keep(u32::from(self.0), value))
    }

    /// The figure that is kept, if there is one.
    pub fn kept(self) -> Option<f64> {
        let value = raw::kept(u32::from(self.0));
        (!value.is_nan()).then_some(value)
    }
}
