//! The verbs that are for a robot's server: what it keeps, who may what; and what the other verbs ask of one.
//! Each file is a verb or a few that belong together; `place` finds the robot, `far` asks it. In a program that is
//! built without the server `no_server` stands in for all of this.

mod far;
mod keys;
mod people;
mod place;
mod push;
mod robots;
mod serve;
mod service;
mod start;
mod store;

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
pub(crate) use api::client::ApiClient as Client;
use api::client::ClientError;
use api::guests::SwapRequest;
use clap::Subcommand;
pub(crate) use far::ask;
use hyper::Method;
pub(crate) use place::{find, note_press, reach};
use sha2::{Digest, Sha256};
use socket::{Told, Wish};

use crate::Outcome;
use crate::reach::Which;

/// The verbs of this folder.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Runs a robot's loop and its server: for robots that others upload to, start, stop and watch.
    Serve(serve::Args),
    /// Brings choreographies to a robot, which keeps them.
    Push(push::Args),
    /// Fetches a choreography from a robot.
    Pull(store::PullArgs),
    /// Lists what a robot keeps.
    Ls(store::ListArgs),
    /// Removes a choreography from a robot.
    Rm(store::RemoveArgs),
    /// Gives a version that a robot keeps a tag, or takes it away.
    Tag(store::TagArgs),
    /// A name means the version before again.
    Rollback(store::RollbackArgs),
    /// Says what plays when a robot has come up.
    Boot(store::BootArgs),
    /// Starts what a robot keeps, at once or at an instant.
    Start(start::Args),
    /// Finds robots: on this machine, paired with, in the network.
    Robots(robots::Args),
    /// Makes this user known to a robot, by the code that it shows; or shows the code.
    Pair(people::PairArgs),
    /// Says who may what: tokens.
    Tokens(people::TokensArgs),
    /// Takes control of a robot over from somebody else, or gives it back.
    #[command(name = "take-over")]
    TakeOver(people::LeaseArgs),
    /// Shows who did what to a robot.
    Audit(people::AuditArgs),
    /// Keys that vouch for choreographies: makes them, trusts them, lists them.
    Keys(keys::Args),
    /// The robot as a service of systemd: installs it, removes it, prints its unit.
    Service(service::Args),
    /// The server's own process; `serve` starts it.
    #[command(hide = true)]
    Server(serve::ServerArgs),
}

/// Carries one of them out.
pub(crate) fn run(verb: &Verb, json: bool) -> Result<Outcome> {
    match verb {
        Verb::Serve(args) => serve::run(args, json),
        Verb::Push(args) => push::run(args, json),
        Verb::Pull(args) => store::pull(args, json),
        Verb::Ls(args) => store::list(args, json),
        Verb::Rm(args) => store::remove(args, json),
        Verb::Tag(args) => store::tag(args, json),
        Verb::Rollback(args) => store::roll_back(args, json),
        Verb::Boot(args) => store::boot(args, json),
        Verb::Start(args) => start::run(args, json),
        Verb::Robots(args) => robots::run(args, json),
        Verb::Pair(args) => people::pair(args, json),
        Verb::Tokens(args) => people::tokens(args, json),
        Verb::TakeOver(args) => people::take_over(args, json),
        Verb::Audit(args) => people::audit(args, json),
        Verb::Keys(args) => keys::run(args, json),
        Verb::Service(args) => service::run(args, json),
        Verb::Server(args) => serve::be_server(args),
    }
}

/// Whether a robot's server could not be reached.
pub(crate) fn is_away(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ClientError::Away(..)))
}

/// Whether the robot's check was against it.
pub(crate) fn is_refused_by_check(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ClientError::Trouble(it)) if it.code == "check")
}

/// Lets what a robot keeps take over from a guest.
pub(crate) fn swap_kept(
    which: &Which,
    guest: &str,
    kept: &str,
    in_s: f64,
    wish: Wish,
) -> Result<(String, Told)> {
    let told = || format!("there is no file `{kept}`, and the robot's server has to keep it");
    let (name, client) = reach(which).with_context(told)?;
    let swap = SwapRequest {
        choreography: kept.to_owned(),
        in_s,
        wish,
    };
    let path = format!("/api/v1/guests/{}/swap", encoded(guest));
    let told = client.ask(Method::POST, &path, Some(&swap))?;
    Ok((name, Told::Loaded(told)))
}

/// SHA-256 of these bytes.
pub(crate) fn digest(bytes: &[u8]) -> String {
    api::hex::hex(&Sha256::digest(bytes))
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
    let (year, month, day) = api::calendar::date(days);
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
