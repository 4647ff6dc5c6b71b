//! The timing of turns, counted from the page: how late they began, how long they worked.
//! Kept by the streams, for the metrics and the dashboard. Every turn is counted once; turns that were
//! overwritten on the page before they were read are counted as unseen.

use cycle::Span;
use sensors::PageReader;

/// The upper bounds of the histogram of work, ns. The last bucket has none.
pub(crate) const BOUNDS: [u64; 10] = [
    10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
];

/// The timing of turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    period: u64,
    run: u64,
    last: u64,
    /// Turns that were read.
    pub turns: u64,
    /// Turns that were overwritten before they were read.
    pub unseen: u64,
    /// Turns that began later than half a period after their time.
    pub late: u64,
    /// How late the last of them began, ns.
    pub last_late: u64,
    /// The histogram of work.
    pub work: [u64; BOUNDS.len() + 1],
    /// The sum of work, ns.
    pub worked: u64,
    /// The histogram of the time beyond a period, in eighths of a period.
    pub over: [u64; 9],
}

impl Timing {
    /// Nothing counted yet.
    pub fn new(period: Span) -> Timing {
        Timing {
            period: period.nanos().max(1),
            run: 0,
            last: 0,
            turns: 0,
            unseen: 0,
            late: 0,
            last_late: 0,
            work: [0; BOUNDS.len() + 1],
            worked: 0,
            over: [0; 9],
        }
    }

    /// Counts the new turns on the page.
    pub fn look(&mut self, page: &PageReader) {
        if page.run() != self.run {
            self.run = page.run();
            self.last = page.latest();
            return;
        }
        for turn in self.last + 1..=page.latest() {
            match page.read_turn(turn, |frame| {
                (frame.elapsed().nanos(), frame.work().nanos())
            }) {
                Some((elapsed, work)) => self.count(elapsed, work),
                None => self.unseen += 1,
            }
            self.last = turn;
        }
    }

    fn count(&mut self, elapsed: u64, work: u64) {
        self.turns += 1;
        let over = elapsed.saturating_sub(self.period);
        if 2 * over > self.period {
            self.late += 1;
            self.last_late = over;
        }
        let eighth = usize::try_from(8 * over / self.period).unwrap_or(8).min(8);
        self.over[eighth] += 1;
        let bucket = BOUNDS.iter().position(|bound| work <= *bound);
        self.work[bucket.unwrap_or(BOUNDS.len())] += 1;
        self.worked += work;
    }
}
