//! The verbs that need a robot's server. A file is a verb, or a few that belong together.

pub(super) mod clock;
pub(super) mod compile_upload;
pub(super) mod frames;
pub(super) mod keys;
pub(super) mod pair;
pub(super) mod people;
pub(super) mod push;
pub(super) mod robots;
pub(super) mod serve;
pub(super) mod service;
pub(super) mod start;
pub(super) mod store;

use std::time::{SystemTime, UNIX_EPOCH};

/// The longest life of a token or a signature, days: a hundred years.
const DAYS_MAX: u64 = 36_500;

/// Seconds of UTC since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// An instant of UTC, for people.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = archive::calendar::date(days);
    let (hour, minute) = (rest / 3600, rest / 60 % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_782_400), "2000-02-29 00:00");
        assert_eq!(date(1_795_305_600), "2026-11-22 00:00");
        assert_eq!(date(4_107_542_399), "2100-02-28 23:59");
    }
}
