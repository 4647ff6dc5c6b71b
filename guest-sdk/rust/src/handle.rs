//! A name on the body, and its number: the base of actuators, sensors and parameters.
//! In a guest a name is looked up once, in `start`. In a rehearsal it is looked up each time, so that
//! tests on many threads, each with its own stage, share nothing.

#[cfg(target_arch = "wasm32")]
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::raw;

/// A name and its number.
#[derive(Debug)]
pub(crate) struct Handle {
    pub(crate) name: &'static str,
    #[cfg(target_arch = "wasm32")]
    number: AtomicU32,
}

impl Handle {
    pub(crate) const fn new(name: &'static str) -> Handle {
        Handle {
            name,
            #[cfg(target_arch = "wasm32")]
            number: AtomicU32::new(raw::NONE),
        }
    }

    /// Its number, which `start` has looked up.
    #[cfg(target_arch = "wasm32")]
    #[inline]
    pub(crate) fn number(&self, _find: fn(&str) -> u32) -> u32 {
        self.number.load(Relaxed)
    }

    /// Its number on this thread's stage.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn number(&self, find: fn(&str) -> u32) -> u32 {
        find(self.name)
    }

    /// Looks up its number. Returns whether there is one.
    pub(crate) fn learn(&self, number: u32) -> bool {
        #[cfg(target_arch = "wasm32")]
        self.number.store(number, Relaxed);
        number != raw::NONE
    }
}

/// A handle can be used where a name is expected.
macro_rules! named {
    ($($type:path)*) => {$(
        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                self.name()
            }
        }
    )*};
}
named!(crate::Actuator crate::Group crate::Sensor crate::Param crate::Topic);
