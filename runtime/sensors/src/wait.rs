//! Waiting for the next turn of a page, from another process.
//! A part of the reader. The writer knows of nobody who waits; it makes no system call for them.

use std::time::Duration;

use crate::layout::RING;
use crate::reader::PageReader;

/// Whoever waits for a turn looks so often in each period. Nobody is woken: a turn makes no system call but its sleep.
const LOOKS: u64 = 20;

/// The shortest and the longest time between two looks, ns, whatever period a file claims.
const NAPS: (u64, u64) = (10_000, 10_000_000);

impl PageReader {
    /// Waits for a turn after this one. The first of them that is still kept: who asks again with it misses none
    /// that is kept. `None` if none came in this time, or if the page was closed.
    pub fn wait(&self, after: u64, timeout: Duration) -> Option<u64> {
        let begun = std::time::Instant::now();
        let nap = (self.period().nanos() / LOOKS).clamp(NAPS.0, NAPS.1);
        loop {
            // In this order, so that the last turn before the end is not missed.
            let over = self.has_ended();
            let latest = self.latest();
            if latest > after {
                return Some(latest.saturating_sub(RING as u64 - 1).max(after + 1));
            }
            let left = timeout.saturating_sub(begun.elapsed());
            if over || left.is_zero() {
                return None;
            }
            std::thread::sleep(left.min(Duration::from_nanos(nap)));
        }
    }
}
