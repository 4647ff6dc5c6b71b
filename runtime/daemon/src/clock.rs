//! The clock of the machine, and seconds that never go back although it may.
//! Used by the app, by plans and by starts at an instant. The law: what has ended by a right clock does not begin again
//! by a wrong one.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The latest second that was seen, and when: time goes on from there, whatever the clock says.
#[derive(Debug)]
pub(crate) struct MonotonicTime(u64, Instant);

impl MonotonicTime {
    /// Time that goes on from this second.
    pub(crate) fn from(latest: u64) -> MonotonicTime {
        MonotonicTime(latest, Instant::now())
    }

    /// The second that it is, if the machine's clock shows `clock`.
    pub(crate) fn now(&mut self, clock: u64) -> u64 {
        let since = self.0.saturating_add(self.1.elapsed().as_secs());
        if clock > since {
            *self = MonotonicTime(clock, Instant::now());
        }
        clock.max(since)
    }
}

/// The clock of the machine: since 1970, or nothing if it is before that.
pub(crate) fn clock() -> Duration {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::MonotonicTime;

    #[test]
    fn time_goes_on_whatever_the_clock_says() {
        let hour = Duration::from_secs(3600);
        let before = Instant::now().checked_sub(hour).expect("an hour ago");
        // A clock that begins in 1970: an hour after the latest second that was seen.
        assert_eq!(MonotonicTime(1_000_000, before).now(7), 1_003_600);
        // A right clock counts, and one that falls back from there does not.
        let mut time = MonotonicTime(1_000_000, before);
        assert_eq!(time.now(2_000_000), 2_000_000);
        assert_eq!(time.now(5), 2_000_000);
        assert_eq!(MonotonicTime(u64::MAX, before).now(7), u64::MAX);
    }
}
