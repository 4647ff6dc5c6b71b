//! Days and dates of the calendar, whose cycle of 400 years is counted from a first of March.
//! Used for the names of recordings, and by the command line. UTC, without leap seconds, as the
//! machine's clock counts.

/// Days from the first of March of the year 0 to 1970.
const BEFORE: u64 = 719_468;

/// Days of 400 years.
const CYCLE: u64 = 146_097;

/// Year, month and day, from days since 1970.
pub fn date(days: u64) -> (u64, u64, u64) {
    let (era, day) = ((days + BEFORE) / CYCLE, (days + BEFORE) % CYCLE);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year + next, month, day)
}

/// Days since 1970, from year, month and day.
pub fn days(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year.saturating_sub(1), month + 9)
    };
    let (era, year) = (year / 400, year % 400);
    let day = (153 * month + 2) / 5 + day.saturating_sub(1);
    (era * CYCLE + year * 365 + year / 4 - year / 100 + day).saturating_sub(BEFORE)
}

#[cfg(test)]
mod tests {
    use super::{date, days};

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_779), (2026, 11, 22));
        assert_eq!(date(47_540), (2100, 2, 28));
        for day in (0..200_000).step_by(17) {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month, of_month), day);
        }
    }
}
