//! A score's clock: the time of its lane, and whether the score runs or sleeps until an instant.
//! Shared by the score's thread and the loop; the contract's `sleep-until` waits for it.
//! In real time the loop never waits for a score. A score's fuel lasts from one sleep to the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cycle::Instant;
use wasmtime::StoreContextMut;

use super::Host;
use crate::shared::report::Hook;

/// Fuel that a score has from one sleep to the next: some seconds.
pub(crate) const SCORE_FUEL: u64 = 20_000_000_000;

/// How often a sleeping score looks at the robot's clock.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_micros(500);

/// The error with which a stopped score's sleep ends.
pub(crate) const STOPPED: &str = "it was stopped";

/// It has not begun.
const NOT_YET: u64 = u64::MAX;
/// It runs: it may send something for the next turn.
const THINKS: u64 = u64::MAX - 1;
/// It has ended.
const OVER: u64 = u64::MAX - 2;
/// Later than any instant that it could sleep until.
const LATEST: u64 = u64::MAX - 3;

/// A handle of the clock.
#[derive(Clone, Debug)]
pub(crate) struct ScoreClock(Arc<ScoreClockState>);

#[derive(Debug)]
struct ScoreClockState {
    /// The instant until which it sleeps, or one of the words above.
    until: AtomicU64,
    /// The last turn's instant in its lane's time, which stands still while the body is held.
    now: AtomicU64,
}

impl ScoreClock {
    pub(crate) fn new() -> ScoreClock {
        ScoreClock::saying(NOT_YET)
    }

    /// The clock of a score that does not run: nobody ever waits for it.
    pub(crate) fn none() -> ScoreClock {
        ScoreClock::saying(OVER)
    }

    fn saying(word: u64) -> ScoreClock {
        ScoreClock(Arc::new(ScoreClockState {
            until: AtomicU64::new(word),
            now: AtomicU64::new(0),
        }))
    }

    /// Sets the instant of the turn that was made.
    pub(crate) fn turn_to(&self, now: Instant) {
        self.0.now.store(now.nanos(), Ordering::Release);
    }

    /// The last turn's instant.
    pub(crate) fn now(&self) -> Instant {
        Instant::from_nanos(self.0.now.load(Ordering::Acquire))
    }

    /// Begins: from here on the score runs until it sleeps.
    pub(crate) fn begin(&self) {
        let begun = (NOT_YET, THINKS);
        // It may have ended already; then it stays ended.
        let order = (Ordering::AcqRel, Ordering::Acquire);
        let _ = self
            .0
            .until
            .compare_exchange(begun.0, begun.1, order.0, order.1);
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.0.until.load(Ordering::Acquire) != NOT_YET
    }

    fn store(&self, word: u64) {
        self.0.until.store(word, Ordering::Release);
    }

    /// It has ended.
    pub(crate) fn end(&self) {
        self.store(OVER);
    }

    /// Whether it may still send something for the next turn.
    pub(crate) fn is_thinking(&self) -> bool {
        match self.0.until.load(Ordering::Acquire) {
            NOT_YET | OVER => false,
            THINKS => true,
            until => until <= self.now().nanos(),
        }
    }
}

/// Sleeps until the instant has come, or until the score shall end.
pub(crate) fn sleep_until(cx: &mut StoreContextMut<'_, Host>, at: u64) -> wasmtime::Result<()> {
    let host = cx.data();
    let Some(clock) = host.clock.clone() else {
        return Ok(());
    };
    let body = Arc::clone(&host.body);
    let cancelled = || host.report_cancelled();
    let before = clock.now();
    clock.store(at.min(LATEST));
    while clock.now().nanos() < at && !cancelled() {
        std::thread::sleep(POLL_INTERVAL);
    }
    let ended = cancelled();
    clock.store(THINKS);
    if ended {
        return Err(wasmtime::Error::msg(STOPPED));
    }
    // A score gets new fuel when its clock has moved; one that never really sleeps gets none.
    if clock.now() > before {
        let used = SCORE_FUEL.saturating_sub(cx.get_fuel()?);
        if let Some(report) = &cx.data().cancel {
            report.used(Hook::Start, used, body.window.turn());
        }
        cx.set_fuel(SCORE_FUEL)?;
    }
    Ok(())
}
