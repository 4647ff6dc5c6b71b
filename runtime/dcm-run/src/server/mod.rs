//! The verbs that are for a robot's server: what it keeps, who may what, what happened.
//! Each file is a verb or a few that belong together; `reach::server` finds the robot.

pub(crate) mod events;
pub(crate) mod keys;
pub(crate) mod people;
pub(crate) mod push;
pub(crate) mod robots;
pub(crate) mod service;
pub(crate) mod start;
pub(crate) mod store;

use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

/// SHA-256 of these bytes.
pub(crate) fn digest(bytes: &[u8]) -> String {
    daemon::store::hex(&Sha256::digest(bytes))
}

/// A name under which something can be kept, made of any.
pub(crate) fn kept_name(name: &str) -> String {
    let sound = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "-_.".contains(it);
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|it| if sound(it) { it } else { '-' })
        .take(64)
        .collect();
    let name = name.trim_start_matches(['-', '_', '.']).replace("..", ".");
    if name.is_empty() {
        "choreography".to_owned()
    } else {
        name
    }
}

/// A piece of a path, as it is written in an address.
pub(crate) fn encoded(piece: &str) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for byte in piece.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        // A string takes whatever is written to it.
        let _ = if plain {
            write!(text, "{}", char::from(byte))
        } else {
            write!(text, "%{byte:02X}")
        };
    }
    text
}

/// Seconds of UTC since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// An instant of UTC, for people.
pub(crate) fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = daemon::calendar::date(days);
    let (hour, minute) = (rest / 3600, rest / 60 % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::{date, encoded, kept_name};

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_782_400), "2000-02-29 00:00");
        assert_eq!(date(1_795_305_600), "2026-11-22 00:00");
        assert_eq!(date(4_107_542_399), "2100-02-28 23:59");
    }

    #[test]
    fn names_fit_where_they_go() {
        assert_eq!(kept_name("../My Show"), "my-show");
        assert_eq!(kept_name("…"), "choreography");
        assert_eq!(encoded("a/b c%"), "a%2Fb%20c%25");
    }
}
