//! How long a check may take: by the processor's time that it has had, so that a busy machine changes no verdict.
//! Made once for each check, asked between turns. It is over when both the time and the processor's time have
//! passed, and after four times the time in any case.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// How much longer a check may take on a busy machine.
const BUSY: u32 = 4;

/// When a check is given up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimit {
    /// The time, and the processor's time of this process, at which it may be given up.
    wall: Instant,
    processor: Duration,
    /// The time at which it is given up in any case.
    last: Instant,
}

impl TimeLimit {
    /// From now.
    pub(crate) fn of(limit: Duration) -> TimeLimit {
        let now = Instant::now();
        // A year stands for ever.
        let limit = limit.min(Duration::from_secs(365 * 86_400));
        TimeLimit {
            wall: now + limit,
            processor: processor_time() + limit,
            last: now + BUSY * limit,
        }
    }

    /// As much later as loading took, which does not count.
    #[must_use]
    pub(crate) fn later(self, by: Duration) -> TimeLimit {
        TimeLimit {
            wall: self.wall + by,
            processor: self.processor + by,
            last: self.last + by,
        }
    }

    /// Whether the check is given up.
    pub(crate) fn is_over(&self) -> bool {
        let now = Instant::now();
        now >= self.last || (now >= self.wall && processor_time() >= self.processor)
    }
}

/// What this process has had of the processors.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{BUSY, TimeLimit, processor_time};

    #[test]
    fn waiting_uses_the_limit_up_in_the_end() {
        let (limit, began) = (Duration::from_millis(400), Instant::now());
        let set = TimeLimit::of(limit);
        assert!(!set.is_over());
        // Other tests of this program use the processor as well: it is over no earlier than the limit.
        while !set.is_over() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(began.elapsed() >= limit);
    }

    #[test]
    fn work_uses_up_the_limit() {
        let (limit, began) = (Duration::from_millis(50), Instant::now());
        let (set, before) = (TimeLimit::of(limit).later(limit), processor_time());
        while !set.is_over() {
            std::hint::black_box(before);
        }
        let used = processor_time() - before;
        // On a machine that gives it next to nothing, it is over in the end as well.
        let is_starved = began.elapsed() >= BUSY * limit + limit;
        assert!(used >= Duration::from_millis(90) || is_starved, "{used:?}");
    }
}
