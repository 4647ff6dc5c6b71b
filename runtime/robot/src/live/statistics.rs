//! The statistics of a loop: counters, and histograms of wake-up delays and working times.
//! Updated after every turn; read after the loop has ended.
//! Counting allocates nothing; all buckets exist before the first turn.

use cycle::{EVENT_KINDS, RealtimeJudge, RealtimeVerdict, Report, Span};
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
    /// Judges whether the loop keeps its period.
    judge: RealtimeJudge,
    /// The number of events of each kind.
    pub counts: [u64; EVENT_KINDS],
    /// How the loop ended.
    pub left: LoopEnding,
}

impl LoopStatistics {
    pub(super) fn new(period: Span) -> LoopStatistics {
        LoopStatistics {
            turns: 0,
            late: 0,
            missed: 0,
            clips: 0,
            waking: TimeStatistics::new(),
            working: TimeStatistics::new(),
            judge: RealtimeJudge::new(period),
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
        self.judge.count(after, work);
    }

    /// Whether the loop keeps its period, as of its last turns.
    pub fn realtime(&self) -> RealtimeVerdict {
        self.judge.verdict()
    }
}

#[cfg(test)]
mod tests {
    use cycle::{Instant, State};

    use super::*;

    #[test]
    fn statistics_are_those_of_a_sorted_list() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut statistics = LoopStatistics::new(Span::from_millis(10));
        let (mut late, mut missed, mut clips) = (0, 0, 0);
        let (mut waking, mut working) = (Vec::new(), Vec::new());
        for turn in 1..=20_000 {
            let report = Report {
                turn,
                now: Instant::from_millis(10 * turn),
                elapsed: Span::from_millis(10),
                late: random.u8(..10) == 0,
                missed: random.u64(..3),
                state: State::Running,
                power: 1.0,
                clips: random.u32(..5),
                fired: 0,
                missing: 0,
            };
            // From microseconds to tenths of a second.
            let [after, work] = [(); 2].map(|()| 10u64.pow(random.u32(3..8)) + random.u64(..1_000));
            statistics.add(&report, Span::from_nanos(after), Span::from_nanos(work));
            late += u64::from(report.late);
            missed += report.missed;
            clips += u64::from(report.clips);
            waking.push(after);
            working.push(work);
        }
        assert_eq!(statistics.turns, 20_000);
        assert_eq!(
            (statistics.late, statistics.missed, statistics.clips),
            (late, missed, clips)
        );
        for (found, mut list) in [(&statistics.waking, waking), (&statistics.working, working)] {
            list.sort_unstable();
            assert_eq!(found.count(), 20_000);
            let near = |found: Span, wanted: u64| {
                let off = found.nanos().abs_diff(wanted) as f64;
                assert!(off <= 0.01 * wanted as f64 + 1.0, "{found:?} for {wanted}");
            };
            near(found.least(), list[0]);
            near(found.greatest(), list[list.len() - 1]);
            for share in [0.1, 0.5, 0.9, 0.99, 0.999] {
                let place = (share * list.len() as f64).ceil() as usize - 1;
                near(found.quantile(share), list[place]);
            }
            // Between two powers of ten lies no bucket's edge that matters.
            let (from, to) = (5_000, 500_000);
            let inside = list
                .iter()
                .filter(|item| (from..to).contains(*item))
                .count() as u64;
            assert_eq!(
                found.between(Span::from_nanos(from), Span::from_nanos(to)),
                inside
            );
            assert_eq!(found.between(Span::ZERO, Span::ZERO), 0);
        }
    }
}
