//! How its own process ends a loop: through atomics, without waiting.
//! Written by signal handlers and by the command line; read by the loop once in every turn.
//! Asked once, the loop stops softly; asked twice, it holds; asked three times, it ends at once.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Requests of its own process to a loop.
#[derive(Debug, Default)]
pub struct Control {
    asked: AtomicU32,
    ended: AtomicBool,
    /// The guardian has died and has not been replaced yet.
    unguarded: AtomicBool,
}

impl Control {
    /// Asks the loop to end, once more. Safe to call in a signal handler.
    pub fn ask(&self) {
        // More than three mean nothing; the counter must not wrap.
        let _ = self
            .asked
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |value| {
                (value < 3).then_some(value + 1)
            });
    }

    /// How often the loop was asked to end.
    pub fn asked(&self) -> u32 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Sets whether the loop has a guardian. Without one, it refuses to arm.
    pub fn set_guarded(&self, is_guarded: bool) {
        self.unguarded.store(!is_guarded, Ordering::Release);
    }

    /// Whether the loop has a guardian, or needs none.
    pub fn is_guarded(&self) -> bool {
        !self.unguarded.load(Ordering::Acquire)
    }

    /// Whether the loop has ended.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    pub(super) fn set_ended(&self) {
        self.ended.store(true, Ordering::Release);
    }
}
