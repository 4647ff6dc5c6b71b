//! The sequence lock (seqlock) of a frame: how a reader knows, without waiting, that it has read a whole frame.
//! Used by the writer and the reader. `tests/seqlock.rs` compiles this very file with loom's atomics, tries
//! every interleaving, and shows for each memory order below that a frame is torn without it.
//! The law: all that is read between two equal odd stamps is of one turn. Every load is relaxed, with
//! a fence behind it: no other load is promised to work on memory that is mapped read-only.

use crate::atomic::Ordering::{Acquire, Relaxed, Release};
use crate::atomic::{AtomicU64, fence};

/// Lets `write` store a frame in place, and makes it the newest.
pub(crate) fn write(stamp: &AtomicU64, latest: &AtomicU64, turn: u64, write: impl FnOnce()) {
    // Even: being written. Whoever sees a word that follows the fence sees this stamp or a later one.
    stamp.store(turn << 1, Relaxed);
    fence(Release);
    write();
    // Odd: whole. Whoever sees it sees every word above.
    stamp.store(whole(turn), Release);
    // Whoever sees it finds the frame whole, or overwritten by a later one.
    latest.store(turn, Release);
}

/// The turn of the newest whole frame; 0 for none.
pub(crate) fn newest(latest: &AtomicU64) -> u64 {
    let turn = latest.load(Relaxed);
    fence(Acquire);
    turn
}

/// Lets `read` load the frame of this turn in place. `None` if the frame is of another turn, or did
/// not stay of this one.
pub(crate) fn read<R>(stamp: &AtomicU64, turn: u64, read: impl FnOnce() -> R) -> Option<R> {
    if turn == 0 || stamp.load(Relaxed) != whole(turn) {
        return None;
    }
    // Nothing that is read is older than the stamp.
    fence(Acquire);
    let answer = read();
    // If anything that was read is newer than the stamp, then the next load sees a newer stamp.
    fence(Acquire);
    (stamp.load(Relaxed) == whole(turn)).then_some(answer)
}

/// The stamp of a whole frame.
fn whole(turn: u64) -> u64 {
    (turn << 1) | 1
}
