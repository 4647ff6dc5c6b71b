//! A guest's report: where it is in its life, what it has used, what it did.
//! Written by the loop and by whoever ends the guest; read from any thread at any time.
//! Reading and writing never block the loop.

use cycle::PartCounts;
use std::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU64,
    Ordering::{Acquire, Relaxed},
};
use std::sync::{Mutex, OnceLock, PoisonError};

pub use crate::shared::end::End;
use crate::shared::hook::HookCounters;
pub use crate::shared::hook::{HOOKS, Hook, HookUsage};
use crate::shared::topics::GuestTopics;

/// What a flush of a command buffer did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FlushSummary {
    pub(crate) counts: PartCounts,
    pub(crate) refused: u32,
    /// Items that are left for the next turn.
    pub(crate) deferred: u32,
    /// The guest has used up its room.
    pub(crate) full: bool,
    pub(crate) priority: Option<f64>,
    /// The weight that it has given its lane.
    pub(crate) weight: Option<f64>,
    pub(crate) finished: bool,
}

/// Where a guest is in its life.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum GuestLife {
    /// It is instantiated, and `start` has not been called.
    Loaded,
    /// It waits for the body to run.
    Armed,
    /// Its hooks are called, or its `run` runs.
    Running,
    /// It is paused: its hooks are not called, and its lane is ignored.
    Paused,
    /// Its lane fades out.
    Ending,
    /// It is gone.
    Gone,
}

impl GuestLife {
    const ALL: [GuestLife; 6] = [
        GuestLife::Loaded,
        GuestLife::Armed,
        GuestLife::Running,
        GuestLife::Paused,
        GuestLife::Ending,
        GuestLife::Gone,
    ];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            GuestLife::Loaded => "loaded",
            GuestLife::Armed => "armed",
            GuestLife::Running => "running",
            GuestLife::Paused => "paused",
            GuestLife::Ending => "ending",
            GuestLife::Gone => "gone",
        }
    }
}

/// What is known of a guest.
#[derive(Debug)]
pub struct GuestReport {
    life: AtomicU8,
    end: AtomicU8,
    /// The end that a score's thread has come to. It counts when the loop has seen that the score sends nothing more:
    /// the turn in which that is, is recorded.
    thread_end: AtomicU8,
    hooks: [HookCounters; HOOKS],
    commands: AtomicU64,
    late: AtomicU64,
    clipped: AtomicU64,
    deferred: AtomicU64,
    refused: AtomicU64,
    full: AtomicU64,
    pub(crate) missed_events: AtomicU64,
    /// How often it was not called, because the hooks of a turn had used up their time.
    pub(crate) passed_over: AtomicU64,
    /// When it was not called last: the instant, ns, and the turn.
    pub(crate) passed_over_at: [AtomicU64; 2],
    pub(crate) since: AtomicU64,
    /// How long it has played, ns of its lane's time.
    pub(crate) played: AtomicU64,
    /// The topics that tell of it; set before the loop knows of it.
    pub(crate) topics: OnceLock<GuestTopics>,
    /// Whether it is known how long it lasts: it arrives at its end.
    pub(crate) has_end: AtomicBool,
    /// Another guest, of another name, was swapped in.
    pub(crate) is_replaced: AtomicBool,
    /// Its lane, as a number.
    pub(crate) lane: AtomicU64,
    /// The bits of its lane's priority.
    priority: AtomicU64,
    /// The bits of its lane's weight.
    weight: AtomicU64,
    /// A score shall end: it looks at this when it sleeps and at every tick.
    pub(crate) cancel: AtomicBool,
    /// A score's thread exists. It may be in a call that nothing interrupts, and so keeps its place until it has
    /// ended.
    pub(crate) has_thread: AtomicBool,
    /// It is a score that computed for longer than a loop in virtual time waits.
    given_up: AtomicBool,
    /// Its `stop` trapped.
    pub(crate) stop_failed: AtomicBool,
    /// Its `stop` was called, if it has one: nothing of its end changes any more.
    pub(crate) is_freed: AtomicBool,
    details: Mutex<String>,
    memory: Mutex<String>,
}

/// A snapshot of a guest's report.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Where it is.
    pub life: GuestLife,
    /// Why it ended.
    pub end: End,
    /// What each hook has used, in the order of [`Hook`].
    pub hooks: [HookUsage; HOOKS],
    /// Commands that were taken.
    pub commands: u64,
    /// Of these, how many came after their instant.
    pub late: u64,
    /// Of these, how many were clipped to their actuator's range.
    pub clipped: u64,
    /// Turns in which something was left for the next.
    pub deferred: u64,
    /// Items that the stage refused.
    pub refused: u64,
    /// How often there was no room left for its commands.
    pub full: u64,
    /// Events that were overwritten before it read them.
    pub missed_events: u64,
    /// The turn since which it runs.
    pub since: u64,
    /// How long it has played, ns of its lane's time, which stands still while the body is held.
    pub played: u64,
    /// Its lane's priority; 0 before it has one.
    pub priority: f64,
    /// Its lane's weight; 0 before it has one.
    pub weight: f64,
    /// Details of its end.
    pub details: String,
    /// How often its memory could not grow, once it has ended; empty if it could.
    pub memory: String,
    /// Whether its `stop` trapped; then the details are of that.
    pub stop_failed: bool,
}

impl Default for GuestReport {
    fn default() -> Self {
        GuestReport {
            topics: OnceLock::new(),
            has_end: AtomicBool::new(false),
            is_replaced: AtomicBool::default(),
            life: AtomicU8::new(GuestLife::Loaded as u8),
            end: AtomicU8::new(End::None as u8),
            thread_end: AtomicU8::new(End::None as u8),
            hooks: Default::default(),
            commands: AtomicU64::default(),
            passed_over: AtomicU64::default(),
            passed_over_at: [const { AtomicU64::new(0) }; 2],
            late: AtomicU64::default(),
            clipped: AtomicU64::default(),
            deferred: AtomicU64::default(),
            refused: AtomicU64::default(),
            full: AtomicU64::default(),
            missed_events: AtomicU64::default(),
            since: AtomicU64::default(),
            played: AtomicU64::default(),
            lane: AtomicU64::new(u64::MAX),
            priority: AtomicU64::default(),
            weight: AtomicU64::default(),
            cancel: AtomicBool::default(),
            has_thread: AtomicBool::default(),
            given_up: AtomicBool::default(),
            stop_failed: AtomicBool::default(),
            is_freed: AtomicBool::default(),
            details: Mutex::default(),
            memory: Mutex::default(),
        }
    }
}

impl GuestReport {
    /// Where it is in its life.
    pub fn life(&self) -> GuestLife {
        let number = usize::from(self.life.load(Relaxed));
        GuestLife::ALL
            .get(number)
            .copied()
            .unwrap_or(GuestLife::Gone)
    }

    pub(crate) fn set_life(&self, life: GuestLife) {
        self.life.store(life as u8, Relaxed);
    }

    /// The number of its lane; nothing before it has one.
    pub fn lane(&self) -> Option<u64> {
        let number = self.lane.load(Relaxed);
        (number != u64::MAX).then_some(number)
    }

    /// Why it ended.
    pub fn end(&self) -> End {
        End::of(&self.end)
    }

    /// Sets why it ends; only the first reason counts.
    pub(crate) fn set_end(&self, end: End) {
        end.set_first(&self.end);
    }

    /// The end that a score's thread has come to. What was set before the thread dropped its end of the ring is seen
    /// by whoever sees that the ring is abandoned.
    pub(crate) fn thread_end(&self) -> End {
        End::of(&self.thread_end)
    }

    /// Sets the end that a score's thread has come to; only the first one counts.
    pub(crate) fn set_thread_end(&self, end: End) {
        end.set_first(&self.thread_end);
    }

    pub(crate) fn set_priority(&self, priority: f64) {
        self.priority.store(priority.to_bits(), Relaxed);
    }

    pub(crate) fn set_weight(&self, weight: f64) {
        self.weight.store(weight.to_bits(), Relaxed);
    }

    /// Whether it is a score for which a loop in virtual time no longer waits: it computed for too long.
    pub fn is_given_up(&self) -> bool {
        self.given_up.load(Relaxed)
    }

    pub(crate) fn set_given_up(&self, is_given_up: bool) {
        self.given_up.store(is_given_up, Relaxed);
    }

    /// Whether nothing of its end changes any more.
    pub fn is_settled(&self) -> bool {
        self.is_freed.load(Acquire)
    }

    /// Tells that its memory could not grow; outside the turn.
    pub(crate) fn set_memory(&self, told: Option<String>) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        *memory = told.unwrap_or_default();
    }

    /// Adds details of its end; outside the turn.
    pub(crate) fn explain(&self, details: &str) {
        let mut kept = self.details.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_empty() {
            details.clone_into(&mut kept);
        }
    }

    pub(crate) fn used(&self, hook: Hook, fuel: u64, turn: u64) {
        self.hooks[hook as usize].count(fuel, turn);
    }

    /// Counts a request that was refused before it reached the stage.
    pub(crate) fn refused_at_once(&self) {
        add(&self.refused, 1);
    }

    /// Adds what a flush did.
    pub(crate) fn flushed(&self, summary: &FlushSummary) {
        add(&self.commands, u64::from(summary.counts.taken));
        add(&self.late, u64::from(summary.counts.late));
        add(&self.clipped, u64::from(summary.counts.clipped));
        add(&self.refused, u64::from(summary.refused));
        add(&self.deferred, u64::from(summary.deferred > 0));
        add(&self.full, u64::from(summary.full));
        if let Some(weight) = summary.weight {
            self.set_weight(weight);
        }
    }

    /// Counts that a score found no room.
    pub(crate) fn filled(&self) {
        add(&self.full, 1);
    }

    /// The fuel that each hook used in this turn.
    pub(crate) fn used_in(&self, turn: u64) -> [u64; HOOKS] {
        let of = |counters: &HookCounters| counters.used_in(turn);
        self.hooks.each_ref().map(of)
    }

    /// All figures as they are now.
    pub fn figures(&self) -> Figures {
        Figures {
            life: self.life(),
            end: self.end(),
            hooks: self.hooks.each_ref().map(HookCounters::usage),
            commands: self.commands.load(Relaxed),
            late: self.late.load(Relaxed),
            clipped: self.clipped.load(Relaxed),
            deferred: self.deferred.load(Relaxed),
            refused: self.refused.load(Relaxed),
            full: self.full.load(Relaxed),
            missed_events: self.missed_events.load(Relaxed),
            since: self.since.load(Relaxed),
            played: self.played.load(Relaxed),
            priority: f64::from_bits(self.priority.load(Relaxed)),
            weight: f64::from_bits(self.weight.load(Relaxed)),
            stop_failed: self.stop_failed.load(Relaxed),
            memory: self
                .memory
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
            details: self
                .details
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
        }
    }
}

/// Adds to a figure that only one thread writes.
fn add(figure: &AtomicU64, more: u64) {
    figure.store(figure.load(Relaxed).wrapping_add(more), Relaxed);
}
