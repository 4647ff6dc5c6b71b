//! The reference board: a servo controller that implements the board protocol, for makers of boards.
//!
//! [`Firmware`] is the complete behaviour, without clock and pins: its input is the bytes of each transfer and the
//! microseconds of the board's clock, its output is the bytes of the next transfer and the word of each output.
//! [`pins`] writes those words to pins, by the traits of embedded-hal. It needs no heap and no `std`, so it builds for
//! a microcontroller as it is; `check-no-std.sh` proves it.
//! Motors exert force only while a host drives them, and only if the board has not relaxed them.
#![no_std]
#![forbid(unsafe_code)]

mod firmware;
mod motion;
pub mod pins;

pub use firmware::{Firmware, TableError};
pub use motion::Motion;
