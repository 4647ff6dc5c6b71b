//! The hooks of a guest, and what each of them has used.
//! Counted inside the turn, read from anywhere. Nothing here waits.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The functions of a guest that the runtime calls.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[allow(missing_docs, reason = "named as in the contract")]
pub enum Hook {
    Start,
    PreProcess,
    PostProcess,
    IsAlive,
    Stop,
}

/// How many hooks there are.
pub const HOOKS: usize = 5;

impl Hook {
    /// All of them, in their order.
    pub const ALL: [Hook; HOOKS] = [
        Hook::Start,
        Hook::PreProcess,
        Hook::PostProcess,
        Hook::IsAlive,
        Hook::Stop,
    ];

    /// Its word in the contract. A score's `run` is counted as its `start`.
    pub fn name(self) -> &'static str {
        match self {
            Hook::Start => "start",
            Hook::PreProcess => "pre-process",
            Hook::PostProcess => "post-process",
            Hook::IsAlive => "is-alive",
            Hook::Stop => "stop",
        }
    }
}

/// Counters of a hook.
#[derive(Debug, Default)]
pub(crate) struct HookCounters {
    calls: AtomicU64,
    last: AtomicU64,
    most: AtomicU64,
    total: AtomicU64,
    turn: AtomicU64,
}

impl HookCounters {
    /// Counts a call in this turn. Only one thread does.
    pub(super) fn count(&self, fuel: u64, turn: u64) {
        self.calls
            .store(self.calls.load(Relaxed).wrapping_add(1), Relaxed);
        self.last.store(fuel, Relaxed);
        if fuel > self.most.load(Relaxed) {
            self.most.store(fuel, Relaxed);
        }
        self.total
            .store(self.total.load(Relaxed).wrapping_add(fuel), Relaxed);
        self.turn.store(turn, Relaxed);
    }

    /// The fuel that it used in this turn.
    pub(super) fn used_in(&self, turn: u64) -> u64 {
        let is_now = self.turn.load(Relaxed) == turn && self.calls.load(Relaxed) > 0;
        if is_now { self.last.load(Relaxed) } else { 0 }
    }

    /// What it has used until now.
    pub(super) fn usage(&self) -> HookUsage {
        HookUsage {
            calls: self.calls.load(Relaxed),
            last: self.last.load(Relaxed),
            most: self.most.load(Relaxed),
            total: self.total.load(Relaxed),
            turn: self.turn.load(Relaxed),
        }
    }
}

/// What a hook has used until now.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct HookUsage {
    /// How often it was called.
    pub calls: u64,
    /// Fuel of the last call.
    pub last: u64,
    /// The most that a call ever took.
    pub most: u64,
    /// All of it.
    pub total: u64,
    /// The turn of the last call.
    pub turn: u64,
}
