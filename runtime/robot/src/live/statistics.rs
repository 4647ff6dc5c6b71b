//! The statistics of a loop: counters, and histograms of wake-up delays and working times.
//! Updated after every turn; read after the loop has ended.
//! The law: counting allocates nothing; all buckets exist before the first turn.

use cycle::{EVENT_KINDS, Report, Span};
use hdrhistogram::Histogram;

use super::shutdown::LoopEnding;

/// The longest time of the histogram, ns.
const LONGEST: u64 = 60_000_000_000;

/// A histogram of times, with a resolution of one percent.
#[derive(Clone, Debug)]
pub struct TimeStatistics(Histogram<u64>);

impl TimeStatistics {
    /// No times yet.
    pub fn new() -> TimeStatistics {
        // The bounds are valid: the lowest is at least 1, the highest at least twice that.
        TimeStatistics(Histogram::new_with_bounds(1, LONGEST, 2).unwrap_or_else(|_| unreachable!()))
    }

    /// Adds a time.
    pub fn add(&mut self, time: Span) {
        self.0.saturating_record(time.nanos());
    }

    /// The number of times.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The quantile for this share, 0 to 1.
    pub fn quantile(&self, share: f64) -> Span {
        Span::from_nanos(self.0.value_at_quantile(share))
    }

    /// The maximum.
    pub fn greatest(&self) -> Span {
        Span::from_nanos(self.0.max())
    }

    /// The minimum.
    pub fn least(&self) -> Span {
        Span::from_nanos(self.0.min())
    }

    /// The number of times in `from..to`.
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

/// The statistics of a loop.
#[derive(Clone, Debug)]
pub struct LoopStatistics {
    /// The number of turns.
    pub turns: u64,
    /// The number of late turns.
    pub late: u64,
    /// The number of periods without a turn.
    pub missed: u64,
    /// The number of values that a limit changed.
    pub clips: u64,
    /// The delays of turns after their planned instants.
    pub waking: TimeStatistics,
    /// The working times of turns.
    pub working: TimeStatistics,
    /// The number of events of each kind.
    pub counts: [u64; EVENT_KINDS],
    /// How the loop ended.
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
