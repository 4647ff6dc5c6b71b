//! A score's clock: whether it thinks or sleeps, until when, and the time of its lane.
//! Held by the score's thread and by the loop; the contract's `sleep-until` waits on it.
//! The law: the loop never waits for it in real time; a score's fuel is for the time from one sleep to the next.

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

/// What a score's own sleep tells it when it is stopped.
pub(crate) const STOPPED: &str = "it was stopped";

/// It has not begun.
const NOT_YET: u64 = u64::MAX;
/// It thinks.
const THINKS: u64 = u64::MAX - 1;
/// It has ended.
const OVER: u64 = u64::MAX - 2;
/// Later than any instant that it could sleep until.
const LATEST: u64 = u64::MAX - 3;

/// Whether a score thinks, or sleeps and until when, and its own time; shared with the loop.
#[derive(Clone, Debug)]
pub(crate) struct ScoreClock(Arc<ScoreClockState>);

#[derive(Debug)]
struct ScoreClockState {
    /// An instant, or one of the words above.
    until: AtomicU64,
    /// The last turn's instant in the time of its lane, which stands while the body is held.
    now: AtomicU64,
}

impl ScoreClock {
    pub(crate) fn new() -> ScoreClock {
        ScoreClock::saying(NOT_YET)
    }

    /// Of a score that is not run: nobody ever waits for it.
    pub(crate) fn none() -> ScoreClock {
        ScoreClock::saying(OVER)
    }

    fn saying(word: u64) -> ScoreClock {
        ScoreClock(Arc::new(ScoreClockState {
            until: AtomicU64::new(word),
            now: AtomicU64::new(0),
        }))
    }

    /// A turn has been made, at this instant of the lane's time.
    pub(crate) fn turn_to(&self, now: Instant) {
        self.0.now.store(now.nanos(), Ordering::Release);
    }

    /// The last turn's instant.
    pub(crate) fn now(&self) -> Instant {
        Instant::from_nanos(self.0.now.load(Ordering::Acquire))
    }

    /// It comes in: from here on it thinks until it sleeps.
    pub(crate) fn begin(&self) {
        let begun = (NOT_YET, THINKS);
        // It may have ended already: then it stays so.
        let order = (Ordering::AcqRel, Ordering::Acquire);
        let _ = self
            .0
            .until
            .compare_exchange(begun.0, begun.1, order.0, order.1);
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.0.until.load(Ordering::Acquire) != NOT_YET
    }

    fn say(&self, word: u64) {
        self.0.until.store(word, Ordering::Release);
    }

    /// It has ended.
    pub(crate) fn end(&self) {
        self.say(OVER);
    }

    /// Whether it has something to say before the next turn.
    pub(crate) fn is_thinking(&self) -> bool {
        match self.0.until.load(Ordering::Acquire) {
            NOT_YET | OVER => false,
            THINKS => true,
            until => until <= self.now().nanos(),
        }
    }
}

/// Sleeps until the instant has come, or the score shall end.
pub(crate) fn sleep_until(cx: &mut StoreContextMut<'_, Host>, at: u64) -> wasmtime::Result<()> {
    let host = cx.data();
    let Some(clock) = host.clock.clone() else {
        return Ok(());
    };
    let body = Arc::clone(&host.body);
    let cancelled = || host.report_cancelled();
    let before = clock.now();
    clock.say(at.min(LATEST));
    while clock.now().nanos() < at && !cancelled() {
        std::thread::sleep(POLL_INTERVAL);
    }
    let ended = cancelled();
    clock.say(THINKS);
    if ended {
        return Err(wasmtime::Error::msg(STOPPED));
    }
    // Fuel is for the time from one instant to the next: who never sleeps gets no more.
    if clock.now() > before {
        let used = SCORE_FUEL.saturating_sub(cx.get_fuel()?);
        if let Some(report) = &cx.data().cancel {
            report.used(Hook::Start, used, body.window.turn());
        }
        cx.set_fuel(SCORE_FUEL)?;
    }
    Ok(())
}
