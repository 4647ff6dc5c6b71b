//! How a loop is told to go: by its own process, without a ring and without waiting.
//! Written by signals and by the command line; read by the loop once in every turn.
//! The law: asked once it stops softly, asked twice it holds, asked three times it goes by policy.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What the loop is asked by its own process.
#[derive(Debug, Default)]
pub struct Control {
    asked: AtomicU32,
    ended: AtomicBool,
    /// Its guardian has gone, and no other has come yet.
    unguarded: AtomicBool,
}

impl Control {
    /// Asks it to go, once more. Safe to call in a signal handler.
    pub fn ask(&self) {
        // No more than three mean anything; a fourth must not wrap.
        let _ = self
            .asked
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |it| {
                (it < 3).then_some(it + 1)
            });
    }

    /// How often it was asked.
    pub fn asked(&self) -> u32 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Its guardian has gone, or another has come: without one nothing is armed.
    pub fn set_guarded(&self, is_guarded: bool) {
        self.unguarded.store(!is_guarded, Ordering::Release);
    }

    /// Whether somebody looks after it who shall.
    pub fn is_guarded(&self) -> bool {
        !self.unguarded.load(Ordering::Acquire)
    }

    /// Whether the loop is ended.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    pub(super) fn set_ended(&self) {
        self.ended.store(true, Ordering::Release);
    }
}
