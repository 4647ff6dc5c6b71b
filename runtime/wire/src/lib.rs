//! The board protocol: what crosses SPI between the host and a servo controller, byte by byte.
//!
//! One full-duplex transfer per board and turn. The host's frame is a [`Down`], the board's an [`Up`]; both are a head,
//! a list of 16-bit words and a checksum ([`frame`]). Before targets are sent, the host reads the board's table of
//! channels row by row ([`row`]). Both ends use this crate: it has no heap, no `std`, no clock and no I/O.
//!
//! `cargo bench -p wire` prints the cost of a frame. With a nightly compiler and cargo-fuzz, libFuzzer searches for
//! bytes that break a reader: `cargo +nightly fuzz run up --fuzz-dir runtime/wire/fuzz`, and `down`, and `row`.
//! Reading is total. Any bytes give a frame or a reason.
#![no_std]
#![forbid(unsafe_code)]

pub mod down;
pub mod frame;
pub mod row;
mod size;
pub mod up;

pub use down::{Down, DownKind, TableQuery};
pub use frame::{FrameError, VERSION, length};
pub use row::{About, Direction, Row, RowError, RowKind, Unit};
pub use up::{Refused, Up, UpKind};
