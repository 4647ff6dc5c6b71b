#![doc = include_str!("../README.md")]

mod delay;
mod layout;
mod map;
mod reader;
mod seqlock;
mod wait;
mod window;
mod writer;

/// The machine's atomics. The seqlock imports them from here, so that a test can replace them.
mod atomic {
    pub(crate) use std::sync::atomic::{AtomicU64, Ordering, fence};
}

pub use delay::delay;
pub use layout::{LABEL_NAME_MAX, LABEL_UNIT_MAX, Label, PageShape, RING, VERSION};
pub use reader::{Frame, OpenError, PageReader};
pub use window::Window;
pub use writer::{CreateError, Creation, PageWriter};
