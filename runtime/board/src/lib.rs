//! The reference board: what a servo controller does that speaks the board protocol, for whoever makes one.
//!
//! [`Firmware`] is the whole behaviour, with neither clock nor pins: it is given the bytes of each transfer and the
//! microseconds of its own clock, and tells the bytes of the next and the word of each output. [`pins`] puts those
//! words onto pins, by the traits of embedded-hal. No heap and no `std`: it builds for a microcontroller as it is;
//! `check-no-std.sh` proves it.
//! The law: motors exert force only while a host drives them that is heard, and that the board has not let go of.
#![no_std]
#![forbid(unsafe_code)]

mod firmware;
mod motion;
pub mod pins;

pub use firmware::{Firmware, TableError};
pub use motion::Motion;
