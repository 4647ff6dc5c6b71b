//! The sequence lock (seqlock) of a frame: a reader verifies, without waiting, that it has read a complete frame.
//! Used by the writer and the reader. `tests/seqlock.rs` compiles this file with loom's atomics, tries every
//! interleaving, and shows for each memory order below that a frame is torn without it.
//! All words read between two equal odd stamps belong to one turn. Every load is relaxed, with a fence behind
//! it: no other load is guaranteed to work on memory that is mapped read-only.

use crate::atomic::Ordering::{Acquire, Relaxed, Release};
use crate::atomic::{AtomicU64, fence};

/// Calls `write` to store a frame in place, and makes it the newest.
pub(crate) fn write(stamp: &AtomicU64, latest: &AtomicU64, turn: u64, write: impl FnOnce()) {
    // Even: being written. A reader that sees a word stored after the fence sees this stamp or a later one.
    stamp.store(turn << 1, Relaxed);
    fence(Release);
    write();
    // Odd: complete. A reader that sees this stamp sees every word above.
    stamp.store(whole(turn), Release);
    // A reader that sees this turn finds the frame complete, or overwritten by a later one.
    latest.store(turn, Release);
}

/// The turn of the newest complete frame; 0 for none.
pub(crate) fn newest(latest: &AtomicU64) -> u64 {
    let turn = latest.load(Relaxed);
    fence(Acquire);
    turn
}

/// Calls `read` to load the frame of this turn in place. `None` if the frame belongs to another turn before or after
/// the call.
pub(crate) fn read<R>(stamp: &AtomicU64, turn: u64, read: impl FnOnce() -> R) -> Option<R> {
    if turn == 0 || stamp.load(Relaxed) != whole(turn) {
        return None;
    }
    // No word read below is older than the stamp.
    fence(Acquire);
    let answer = read();
    // If a word read above is newer than the stamp, the next load sees a newer stamp.
    fence(Acquire);
    (stamp.load(Relaxed) == whole(turn)).then_some(answer)
}

/// The stamp of a complete frame.
fn whole(turn: u64) -> u64 {
    (turn << 1) | 1
}
