//! The block of words at the beginning of a guest's store, which compiled code reads and writes by offset: where the
//! sensors are, where the next command goes, what the guest may drive, what time it is.
//! Written before each hook by `turn::flush`; read by the host's functions, and by the code of `load::inplace`.
//! A change here is a new [`LAYOUT`], which is a part of every cached artefact's key.

use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cycle::REACH;

/// The version of this layout, and of what `inplace` compiles into guests.
pub(crate) const LAYOUT: u32 = 4;

/// The address and the length of a slice, packed into one word, which compiled code loads once. An address of a
/// process has 48 bits; a slice has at most 65,535 elements.
#[derive(Debug, Default)]
#[repr(transparent)]
pub(crate) struct PackedSlice(AtomicU64);

/// Bits of the word that hold the length.
pub(crate) const COUNT_BITS: u32 = 16;

/// The greatest length that fits.
pub(crate) const COUNT_MAX: u64 = (1 << COUNT_BITS) - 1;

impl PackedSlice {
    pub(crate) fn set(&self, address: u64, count: usize) {
        let count = u64::try_from(count).unwrap_or(COUNT_MAX).min(COUNT_MAX);
        self.0.store(address << COUNT_BITS | count, Relaxed);
    }

    pub(crate) fn address(&self) -> u64 {
        self.0.load(Relaxed) >> COUNT_BITS
    }

    pub(crate) fn count(&self) -> usize {
        (self.0.load(Relaxed) & COUNT_MAX) as usize
    }
}

/// The words that a guest shares with its compiled code. Each is 64 bits, so that the layout is the same on every
/// machine; each is atomic, because compiled code changes them without Rust's knowledge.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct GuestShared {
    /// The sensors' values.
    pub(crate) sensors: PackedSlice,
    /// The free places of the command buffer.
    pub(crate) free: PackedSlice,
    /// The number of the answer when there is no free place.
    pub(crate) full: AtomicU64,
    /// For each actuator, the number of an answer: 0, or why the guest may not drive it.
    pub(crate) verdicts: PackedSlice,
    /// The instant of this turn: see [`GuestShared::set_now`].
    pub(crate) now: AtomicU64,
    /// The first instant that a command may be for, and how many there are.
    pub(crate) earliest: AtomicU64,
    pub(crate) window: AtomicU64,
    /// Its number.
    pub(crate) turn: AtomicU64,
}

impl GuestShared {
    /// Sets the instant of this turn, and with it the instants that commands are believed for.
    pub(crate) fn set_now(&self, now: u64) {
        let reach = REACH.nanos();
        let earliest = now.saturating_sub(reach);
        // What is beyond was negative in the guest.
        let end = now.saturating_add(reach + 1).min(1 << 63);
        self.now.store(now, Relaxed);
        self.earliest.store(earliest, Relaxed);
        self.window.store(end.saturating_sub(earliest), Relaxed);
    }
}

/// The offset of each, by its name in `inplace.wat`.
pub(crate) const OFFSETS: [(&str, usize); 8] = [
    ("SENSORS", offset_of!(GuestShared, sensors)),
    ("FREE", offset_of!(GuestShared, free)),
    ("FULL", offset_of!(GuestShared, full)),
    ("VERDICTS", offset_of!(GuestShared, verdicts)),
    ("NOW", offset_of!(GuestShared, now)),
    ("EARLIEST", offset_of!(GuestShared, earliest)),
    ("WINDOW", offset_of!(GuestShared, window)),
    ("TURN", offset_of!(GuestShared, turn)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_believed_within_the_reach_of_now() {
        let shared = GuestShared::default();
        let reach = REACH.nanos();
        for now in [
            0,
            1,
            reach / 2,
            reach,
            3 * reach,
            (1 << 63) - 1,
            1 << 63,
            u64::MAX,
        ] {
            shared.set_now(now);
            let (from, window) = (shared.earliest.load(Relaxed), shared.window.load(Relaxed));
            let near = [0, 1, now, now.wrapping_sub(reach), now.wrapping_add(reach)];
            let all = near
                .iter()
                .flat_map(|n| [n.wrapping_sub(1), *n, n.wrapping_add(1)]);
            for at in all.chain([u64::MAX, 1 << 63, (1 << 63) - 1]) {
                let is_near = at.abs_diff(now) <= reach && at < 1 << 63;
                assert_eq!(at.wrapping_sub(from) < window, is_near, "{at} at {now}");
            }
        }
    }

    #[test]
    fn a_row_keeps_an_address_and_as_many_as_it_can_say() {
        let row = PackedSlice::default();
        let top = (1 << 47) - 8;
        row.set(top, 1024);
        assert_eq!((row.address(), row.count()), (top, 1024));
        row.set(8, usize::MAX);
        assert_eq!((row.address(), row.count()), (8, 65_535));
    }
}
