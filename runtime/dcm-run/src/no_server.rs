//! What stands in for `server` in a program that is built without it: the same verbs, each of which says so.
//! Used by nobody else than those who would use `server`. The law: there is no client here, so whatever would need
//! one cannot be reached, and the compiler knows it.

use anyhow::{Context, Result};
use clap::Subcommand;
use socket::{Ask, Caller, Told, Wish};

use crate::reach::Which;
use crate::{Missing, Outcome};

/// A server that is spoken to: there is none.
#[derive(Debug)]
pub(crate) enum Client {}

impl Client {
    pub(crate) fn get<T>(&self, _: &str) -> Result<T, Missing> {
        match *self {}
    }
}

/// Whatever is said after the verb.
#[derive(Debug, clap::Args)]
#[command(
    disable_help_flag = true,
    after_help = "This program was built without it; `cargo build` makes one with everything in it."
)]
pub(crate) struct Absent {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// The verbs that this program cannot carry out.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Runs a robot's loop and its server: for robots that others upload to, start, stop and watch.
    Serve(Absent),
    /// Brings choreographies to a robot, which keeps them.
    Push(Absent),
    /// Fetches a choreography from a robot.
    Pull(Absent),
    /// Lists what a robot keeps.
    Ls(Absent),
    /// Removes a choreography from a robot.
    Rm(Absent),
    /// Gives a version that a robot keeps a tag, or takes it away.
    Tag(Absent),
    /// A name means the version before again.
    Rollback(Absent),
    /// Says what plays when a robot has come up.
    Boot(Absent),
    /// Starts what a robot keeps, at once or at an instant.
    Start(Absent),
    /// Finds robots: on this machine, paired with, in the network.
    Robots(Absent),
    /// Makes this user known to a robot, by the code that it shows; or shows the code.
    Pair(Absent),
    /// Says who may what: tokens.
    Tokens(Absent),
    /// Takes control of a robot over from somebody else, or gives it back.
    #[command(name = "take-over")]
    TakeOver(Absent),
    /// Shows who did what to a robot.
    Audit(Absent),
    /// Keys that vouch for choreographies: makes them, trusts them, lists them.
    Keys(Absent),
    /// The robot as a service of systemd: installs it, removes it, prints its unit.
    Service(Absent),
    /// The server's own process; `serve` starts it.
    #[command(hide = true)]
    Server(Absent),
}

pub(crate) fn run(_: &Verb, _: bool) -> Result<Outcome> {
    Err(Missing::Server.into())
}

pub(crate) fn find(name: Option<&str>) -> Result<Option<(String, Client)>> {
    // An address is nobody's name: only a server answers there.
    match name {
        Some(name) if name.contains(':') => Err(Missing::Server.into()),
        _ => Ok(None),
    }
}

/// A robot that is not here is not here; only of one that is can it be said that its server is out of reach.
pub(crate) fn reach(which: &Which) -> Result<(String, Client)> {
    let name = which.robot.as_deref();
    find(name)?;
    Caller::reach(name)?;
    Err(Missing::Server.into())
}

pub(crate) fn note_press(_: &str) {}

pub(crate) fn ask(client: &Client, _: Ask, _: &[u8]) -> Result<Told> {
    match *client {}
}

pub(crate) fn swap_kept(_: &Which, _: &str, kept: &str, _: f64, _: Wish) -> Result<(String, Told)> {
    let told = || format!("there is no file `{kept}`, and the robot's server has to keep it");
    Err(Missing::Server).with_context(told)
}

pub(crate) fn is_away(_: &anyhow::Error) -> bool {
    false
}

/// Nobody was asked.
pub(crate) fn is_refused_by_check(_: &anyhow::Error) -> bool {
    false
}
