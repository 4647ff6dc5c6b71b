//! The way to a robot over HTTP: `locate` finds its server, `ask` sends requests to it.
//! The verbs in `verbs/server` need a server; the others reach one through `session`.

mod ask;
mod locate;

use anyhow::{Context, Result};
use network::client::ClientError;
use protocol::{GuestOptions, Loaded};

pub(crate) use ask::{ask, hand_over};
pub(crate) use locate::{connect, in_network, is_known, known, note_press, press, reach, stranger};
pub(crate) use network::client::ApiClient as Client;

use crate::session::no_such_file;
use crate::session::robot_args::RobotArgs;

/// Whether the robot's server cannot be reached.
pub(crate) fn is_away(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ClientError::Away(..)))
}

/// Whether the robot's check has refused it.
pub(crate) fn is_refused_by_check(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ClientError::Refused(it)) if it.code == "check")
}

/// Replaces a guest by a stored choreography.
pub(crate) fn swap_kept(
    which: &RobotArgs,
    guest: &str,
    kept: &str,
    in_s: f64,
    options: GuestOptions,
) -> Result<(String, Loaded)> {
    let (name, client) = reach(which).with_context(|| no_such_file(kept))?;
    let loaded = ask::swap(&client, guest, kept.to_owned(), in_s, options)?;
    Ok((name, loaded))
}

/// Any name as a valid name of a stored choreography.
pub(crate) fn kept_name(name: &str) -> String {
    let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|c| if sound(c) { c } else { '-' })
        .take(64)
        .collect();
    let name = name.trim_start_matches(['-', '_', '.']).replace("..", ".");
    if name.is_empty() {
        "choreography".to_owned()
    } else {
        name
    }
}

/// A segment of a path, percent-encoded.
pub(crate) fn encoded(piece: &str) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for byte in piece.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        // Writing into a string cannot fail.
        let _ = if plain {
            write!(text, "{}", char::from(byte))
        } else {
            write!(text, "%{byte:02X}")
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{encoded, kept_name};

    #[test]
    fn names_fit_where_they_go() {
        assert_eq!(kept_name("../My Show"), "my-show");
        assert_eq!(kept_name("…"), "choreography");
        assert_eq!(encoded("a/b c%"), "a%2Fb%20c%25");
    }
}
