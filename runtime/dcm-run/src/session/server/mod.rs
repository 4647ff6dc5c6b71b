//! The client's side of a robot's server: the verbs that need one, and what the other verbs ask of one.
//! Each file is a verb or a few that belong together; `locate` finds the robot, `ask` and `state` ask it. Without the
//! feature `server`, `no_remote` stands in for this folder.

mod ask;
mod clock;
mod compile_upload;
mod drawn_body;
mod frames;
mod keys;
mod locate;
mod pair;
mod people;
mod push;
mod robots;
mod serve;
mod service;
mod start;
mod state;
mod store;

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
pub(crate) use ask::ask;
use clap::Subcommand;
pub(crate) use drawn_body::drawing;
use hyper::Method;
pub(crate) use locate::{connect, is_known, known, note_press, press, reach};
pub(crate) use network::client::ApiClient as Client;
use network::client::ClientError;
use protocol::guests::SwapRequest;
use protocol::{GuestOptions, ReplyBody};
pub(crate) use state::{RemoteState, state};

use crate::VerbOutcome;
use crate::robot_args::RobotArgs;

/// The longest life of a token or a signature, days: a hundred years.
const DAYS_MAX: u64 = 36_500;

/// The verbs of this folder.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Run a robot's loop and its server.
    Serve(serve::Args),
    /// Upload choreographies to a robot.
    Push(push::Args),
    /// Download a choreography.
    Pull(store::PullArgs),
    /// List the stored choreographies.
    Ls(store::ListArgs),
    /// Remove stored choreographies.
    Rm(store::RemoveArgs),
    /// Tag a stored version, or remove a tag.
    Tag(store::TagArgs),
    /// Roll a name back to its previous version.
    Rollback(store::RollbackArgs),
    /// Set what plays after the robot has started.
    Boot(store::BootArgs),
    /// Start a stored choreography, now or at a given time.
    Start(start::Args),
    /// Find robots: local, paired, in the network.
    Robots(robots::Args),
    /// Pair with a robot by the code that it shows, or show a code.
    Pair(pair::PairArgs),
    /// Manage access tokens.
    Tokens(people::TokensArgs),
    /// Take control of a robot, or give it back.
    #[command(name = "take-over")]
    TakeOver(people::LeaseArgs),
    /// Show the audit log: who did what.
    Audit(people::AuditArgs),
    /// Show a robot's clock, or correct the time of expiry.
    Clock(clock::Args),
    /// Manage signing keys.
    Keys(keys::Args),
    /// Manage the robot's systemd service.
    Service(service::Args),
    /// Run the server's own process, which `serve` starts.
    #[command(hide = true)]
    Server(serve::ServerArgs),
    /// Print frames of a recording, for the server.
    #[command(hide = true)]
    Frames(frames::Args),
    /// Make a choreography of an uploaded motion, for the server.
    #[command(hide = true, name = "compile-upload")]
    CompileUpload(compile_upload::Args),
}

/// Runs one of them.
pub(crate) fn run(verb: &Verb, json: bool) -> Result<VerbOutcome> {
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
        Verb::Pair(args) => pair::pair(args, json),
        Verb::Tokens(args) => people::tokens(args, json),
        Verb::TakeOver(args) => people::take_over(args, json),
        Verb::Audit(args) => people::audit(args, json),
        Verb::Clock(args) => clock::run(args, json),
        Verb::Keys(args) => keys::run(args, json),
        Verb::Service(args) => service::run(args, json),
        Verb::Server(args) => serve::be_server(args),
        Verb::Frames(args) => frames::run(args),
        Verb::CompileUpload(args) => compile_upload::run(args),
    }
}

/// Whether the verb is a service, whose log is what a person sees of it.
pub(crate) fn is_service(verb: &Verb) -> bool {
    matches!(verb, Verb::Serve(_) | Verb::Server(_))
}

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
) -> Result<(String, ReplyBody)> {
    let told = || format!("there is no file `{kept}`, and only a server stores choreographies");
    let (name, client) = reach(which).with_context(told)?;
    let swap = SwapRequest {
        choreography: kept.to_owned(),
        in_s,
        options,
    };
    let path = format!("/api/v2/guests/{}/swap", encoded(guest));
    let told = client.ask(Method::POST, &path, Some(&swap))?;
    Ok((name, ReplyBody::Loaded(told)))
}

/// Any name as a valid name of a stored choreography.
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

/// Seconds of UTC since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// An instant of UTC, for people.
pub(crate) fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = archive::calendar::date(days);
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
