//! The machine's clock, and a time that never goes back even if the clock does.
//! Used by the app and by scheduled starts. What has expired stays expired.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A time that never goes back: the latest time seen, and when. It advances from there whatever the clock says.
#[derive(Debug)]
pub(crate) struct MonotonicTime(u64, Instant);

impl MonotonicTime {
    /// A time that begins at this second.
    pub(crate) fn from(latest: u64) -> MonotonicTime {
        MonotonicTime(latest, Instant::now())
    }

    /// The time, given that the machine's clock shows `clock` s.
    pub(crate) fn now(&mut self, clock: u64) -> u64 {
        let since = self.0.saturating_add(self.1.elapsed().as_secs());
        if clock > since {
            *self = MonotonicTime(clock, Instant::now());
        }
        clock.max(since)
    }
}

/// The machine's clock: the time since 1970, zero if it shows an earlier year.
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
        // A clock that begins in 1970, an hour later.
        assert_eq!(MonotonicTime(1_000_000, before).now(7), 1_003_600);
        // A clock that is ahead counts; one that goes back does not.
        let mut time = MonotonicTime(1_000_000, before);
        assert_eq!(time.now(2_000_000), 2_000_000);
        assert_eq!(time.now(5), 2_000_000);
        assert_eq!(MonotonicTime(u64::MAX, before).now(7), u64::MAX);
    }
}
