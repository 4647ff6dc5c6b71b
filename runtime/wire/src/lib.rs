//! The board protocol: what crosses SPI between the host and a servo controller, byte by byte.
//!
//! One full-duplex transfer per board and turn. The host's frame is a [`Down`], the board's an [`Up`]; both are
//! headers with a row of 16-bit words behind them, and a checksum at the very end ([`frame`]). Before they run, the
//! board's table of channels is read row by row ([`row`]). Both ends use this crate: it has no heap, no
//! `std`, no clock and no I/O.
//!
//! `cargo bench -p wire` tells what a frame costs. Whoever has a nightly compiler and cargo-fuzz can let libFuzzer look
//! for bytes that hurt: `cargo +nightly fuzz run up --fuzz-dir runtime/wire/fuzz`, and `down`, and `row`.
//! The law: reading is total. Whatever the bytes are, there is a frame or a reason, and nothing else.
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
