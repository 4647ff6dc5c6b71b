//! How many lines of a guest, and events of all, reach the log. Kept by the registry.
//! A guest that writes without end fills no disk and no terminal, and what it lost is counted.

/// Lines that may come at once.
const BURST: f64 = 1000.0;

/// Lines in each second of the robot's time, sustained. A motion may write 4 in each turn.
const RATE: f64 = 500.0;

/// The lines that a guest may still write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineLimit {
    left: f64,
    burst: f64,
    rate: f64,
    /// When they were counted last, ns.
    at: u64,
    lost: u64,
}

impl Default for LineLimit {
    fn default() -> Self {
        LineLimit::new(BURST, RATE)
    }
}

impl LineLimit {
    /// So many at once, and so many in each second.
    pub(crate) fn new(burst: f64, rate: f64) -> LineLimit {
        LineLimit {
            left: burst,
            burst,
            rate,
            at: 0,
            lost: 0,
        }
    }

    /// Whether a line of this instant is taken; if `has_room` is false, there is no room for it anyway. Also
    /// returns how many lines were lost before it; the count then starts again at 0.
    pub(crate) fn take(&mut self, now: u64, has_room: bool) -> (bool, u64) {
        let passed = now.saturating_sub(self.at) as f64 / 1e9;
        self.left = (self.left + passed * self.rate).min(self.burst);
        self.at = self.at.max(now);
        if self.left < 1.0 || !has_room {
            self.lost = self.lost.saturating_add(1);
            return (false, 0);
        }
        self.left -= 1.0;
        (true, self.lost())
    }

    /// The lines that were lost since the last report.
    pub(crate) fn lost(&mut self) -> u64 {
        std::mem::take(&mut self.lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_bounded_by_time_and_what_it_lost_is_counted() {
        let mut limit = LineLimit::default();
        let (mut taken, mut lost) = (0, 0);
        // 10,000 lines in each of 20 turns of 10 ms.
        for turn in 0..20 {
            for _ in 0..10_000 {
                let (is_taken, before) = limit.take(turn * 10_000_000, true);
                taken += u64::from(is_taken);
                lost += before;
            }
        }
        lost += limit.lost();
        assert_eq!(taken + lost, 200_000);
        assert_eq!(taken, 1000 + 19 * 5);
    }

    #[test]
    fn four_lines_in_each_turn_are_never_lost() {
        let mut limit = LineLimit::default();
        let taken = (0..40_000u64).filter(|i| limit.take(i / 4 * 10_000_000, true) == (true, 0));
        assert_eq!(taken.count(), 40_000);
    }
}
