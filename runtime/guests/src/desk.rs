//! What compiled code finds at the beginning of a guest's store, by offset: where the sensors lie,
//! where its next command goes, what it may drive, what time it is.
//! Written before each hook by `guest`; read by the host's functions, and by the code of `inplace`.
//! The law: a change here is a new [`LAYOUT`], which is a part of every cached artefact's key.

use std::mem::offset_of;
use std::sync::atomic::AtomicU64;

/// The version of this layout, and of what `inplace` compiles into guests.
pub(crate) const LAYOUT: u32 = 1;

/// The desk. Everything is a word, so that it lies the same on every machine; atomic, because
/// compiled code changes it behind Rust's back.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Desk {
    /// The address of the first sensor's value.
    pub(crate) sensors: AtomicU64,
    /// Bytes from there on that may be read.
    pub(crate) sensor_bytes: AtomicU64,
    /// The address of the next item on the tray.
    pub(crate) cursor: AtomicU64,
    /// The address at which no further command fits.
    pub(crate) end: AtomicU64,
    /// The number of the answer when none fits.
    pub(crate) full: AtomicU64,
    /// The address of the first actuator's verdict.
    pub(crate) verdicts: AtomicU64,
    /// Bytes from there on.
    pub(crate) verdict_bytes: AtomicU64,
    /// The instant of this turn.
    pub(crate) now: AtomicU64,
    /// Its number.
    pub(crate) turn: AtomicU64,
}

/// Where compiled code looks for each.
pub(crate) const OFFSETS: [(&str, usize); 9] = [
    ("SENSORS", offset_of!(Desk, sensors)),
    ("SENSOR_BYTES", offset_of!(Desk, sensor_bytes)),
    ("CURSOR", offset_of!(Desk, cursor)),
    ("END", offset_of!(Desk, end)),
    ("FULL", offset_of!(Desk, full)),
    ("VERDICTS", offset_of!(Desk, verdicts)),
    ("VERDICT_BYTES", offset_of!(Desk, verdict_bytes)),
    ("NOW", offset_of!(Desk, now)),
    ("TURN", offset_of!(Desk, turn)),
];
