//! What a loop has done, counted and measured: how late it woke, how long it worked.
//! Added to after every turn; read when the loop is gone.
//! The law: counting allocates nothing; every bucket is there before the first turn.

use cycle::{EVENT_KINDS, Report, Span};
use hdrhistogram::Histogram;

use super::shutdown::LoopEnding;

/// The longest time that is told apart, ns.
const LONGEST: u64 = 60_000_000_000;

/// Lengths of time, counted by how long they were: to a hundredth part.
#[derive(Clone, Debug)]
pub struct TimeStatistics(Histogram<u64>);

impl TimeStatistics {
    /// No times yet.
    pub fn new() -> TimeStatistics {
        // These bounds are sound: the lowest is 1, the highest is more than twice that.
        TimeStatistics(Histogram::new_with_bounds(1, LONGEST, 2).unwrap_or_else(|_| unreachable!()))
    }

    /// One more.
    pub fn add(&mut self, time: Span) {
        self.0.saturating_record(time.nanos());
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time that this share of them, 0 to 1, does not exceed.
    pub fn quantile(&self, share: f64) -> Span {
        Span::from_nanos(self.0.value_at_quantile(share))
    }

    /// The longest.
    pub fn greatest(&self) -> Span {
        Span::from_nanos(self.0.max())
    }

    /// The shortest.
    pub fn least(&self) -> Span {
        Span::from_nanos(self.0.min())
    }

    /// How many fell between two times, the first included.
    pub fn between(&self, from: Span, to: Span) -> u64 {
        if to.nanos() == 0 {
            return 0;
        }
        self.0.count_between(from.nanos(), to.nanos() - 1)
    }
}

impl Default for TimeStatistics {
    fn default() -> TimeStatistics {
        TimeStatistics::new()
    }
}

/// What a loop has done.
#[derive(Clone, Debug)]
pub struct LoopStatistics {
    /// Turns.
    pub turns: u64,
    /// Turns that came late.
    pub late: u64,
    /// Periods that passed without a turn.
    pub missed: u64,
    /// Values that a limit changed.
    pub clips: u64,
    /// How long after their planned instants turns began.
    pub waking: TimeStatistics,
    /// How long turns worked.
    pub working: TimeStatistics,
    /// Every kind of event, counted.
    pub counts: [u64; EVENT_KINDS],
    /// How it has gone.
    pub left: LoopEnding,
}

impl LoopStatistics {
    pub(super) fn new() -> LoopStatistics {
        LoopStatistics {
            turns: 0,
            late: 0,
            missed: 0,
            clips: 0,
            waking: TimeStatistics::new(),
            working: TimeStatistics::new(),
            counts: [0; EVENT_KINDS],
            left: LoopEnding::Over,
        }
    }

    pub(super) fn add(&mut self, report: &Report, after: Span, work: Span) {
        self.turns += 1;
        self.late += u64::from(report.late);
        self.missed += report.missed;
        self.clips += u64::from(report.clips);
        self.waking.add(after);
        self.working.add(work);
    }
}
