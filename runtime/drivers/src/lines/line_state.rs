//! The state that the threads of a board's lines share with the turn.
//! The chip threads and the pulses write it; the turn reads it.
//! It consists only of atomics, so that the turn never waits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cycle::Instant;
use rustix::time::{ClockId, clock_gettime};

use super::edge_counter::EdgeCounter;

/// The state of one input.
#[derive(Debug)]
struct InputState {
    /// Its counts; NaN before the first.
    counts: AtomicU64,
    active: AtomicBool,
    presses: AtomicU64,
}

/// The shared state of all lines of one board.
#[derive(Debug)]
pub(super) struct LineState {
    inputs: Box<[InputState]>,
    /// When each trigger was last raised, by the clock of the kernel's edges; 0 for never.
    fired: Box<[AtomicU64]>,
    lost: AtomicU64,
}

impl LineState {
    pub(super) fn new(inputs: usize, triggers: usize) -> LineState {
        let state = || InputState {
            counts: AtomicU64::new(f64::NAN.to_bits()),
            active: AtomicBool::new(false),
            presses: AtomicU64::new(0),
        };
        LineState {
            inputs: (0..inputs).map(|_| state()).collect(),
            fired: (0..triggers).map(|_| AtomicU64::new(0)).collect(),
            lost: AtomicU64::new(0),
        }
    }

    /// Stores the state of this input.
    pub(super) fn store(&self, input: usize, counter: &EdgeCounter) {
        let Some(state) = self.inputs.get(input) else {
            return;
        };
        if let Some(counts) = counter.counts() {
            state.counts.store(counts.to_bits(), Ordering::Release);
        }
        state.active.store(counter.active(), Ordering::Release);
        state.presses.store(counter.presses(), Ordering::Release);
    }

    /// The counts of this input; `None` before the first.
    pub(super) fn counts(&self, input: usize) -> Option<f64> {
        let counts = self.inputs.get(input)?.counts.load(Ordering::Acquire);
        Some(f64::from_bits(counts)).filter(|value| !value.is_nan())
    }

    /// Whether this input is active.
    pub(super) fn active(&self, input: usize) -> bool {
        let state = self.inputs.get(input);
        state.is_some_and(|state| state.active.load(Ordering::Acquire))
    }

    /// How often this input became active.
    pub(super) fn presses(&self, input: usize) -> u64 {
        let state = self.inputs.get(input);
        state.map_or(0, |state| state.presses.load(Ordering::Acquire))
    }

    /// Stores that this trigger is raised now.
    pub(super) fn fire(&self, trigger: usize) {
        if let Some(fired) = self.fired.get(trigger) {
            fired.store(now().nanos(), Ordering::Release);
        }
    }

    /// When this trigger was last raised; zero for never.
    pub(super) fn fired(&self, trigger: usize) -> Instant {
        let fired = self.fired.get(trigger);
        Instant::from_nanos(fired.map_or(0, |fired| fired.load(Ordering::Acquire)))
    }

    /// Adds lost edges.
    pub(super) fn lose(&self, edges: u64) {
        self.lost.fetch_add(edges, Ordering::Relaxed);
    }

    /// How many edges were lost.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

/// The time of the clock with which the kernel stamps edges.
fn now() -> Instant {
    let now = clock_gettime(ClockId::Monotonic);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    let rest = u64::try_from(now.tv_nsec).unwrap_or(0);
    Instant::from_nanos(seconds.saturating_mul(1_000_000_000).saturating_add(rest))
}
