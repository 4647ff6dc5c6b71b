//! Tells a hook that computes for too long from one whose thread the system has put aside: only the first is ended.
//! Used when the deadline behind the fuel passes, by the real clock.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use wasmtime::UpdateDeadline;

/// How often the clock behind the fuel ticks.
pub(crate) const TICK: Duration = Duration::from_millis(1);

/// How far one call is past its deadline.
#[derive(Debug, Default)]
pub(crate) struct Overrun {
    /// The ticks that the call may take.
    ticks: u64,
    /// The processor time of this thread when the deadline first passed, if it has.
    passed_at: Option<Duration>,
}

impl Overrun {
    /// A call that begins, and may take so many ticks.
    pub(crate) fn of(ticks: u64) -> Overrun {
        Overrun {
            ticks,
            passed_at: None,
        }
    }

    /// What becomes of a call whose deadline passes. It goes on until it has computed for half of its time since the
    /// deadline passed first: a call that only computes ends after twice its time.
    pub(crate) fn at_deadline(&mut self) -> UpdateDeadline {
        let now = processor_time();
        let half = TICK.saturating_mul(u32::try_from(self.ticks / 2).unwrap_or(u32::MAX));
        let passed_at = *self.passed_at.get_or_insert(now);
        if now.saturating_sub(passed_at) > half {
            UpdateDeadline::Interrupt
        } else {
            UpdateDeadline::Continue(self.ticks)
        }
    }
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}
