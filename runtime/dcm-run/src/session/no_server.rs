//! Stands in for `remote` in a build without the feature `server`: its verbs, by their names, fail with a sentence.
//! Called by those who would call `remote`. The law: there is no client, so that code which needs one is unreachable,
//! and the compiler knows it.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches, Command, FromArgMatches, Subcommand};
use cycle::{Span, State};
use description::Robot;
use protocol::{Ask, Caller, GuestOptions, ReplyBody};
use recording::BodyDrawing;
use sensors::Frame;

use crate::columns::{Catalog, Resolve, Rows};
use crate::groups::SERVER_VERBS;
use crate::robot_args::{ConnectionTo, RobotArgs};
use crate::top::turns::Turns;
use crate::{Missing, VerbOutcome};
pub(crate) use NoClient as Client;
pub(crate) use NoRemoteState as RemoteState;

/// A client of a server: there is none.
#[derive(Debug)]
pub(crate) enum NoClient {}

/// The state of a remote robot: there is none.
pub(crate) enum NoRemoteState {}

impl NoRemoteState {
    pub(crate) fn open(client: NoClient) -> Result<(NoRemoteState, Catalog)> {
        match client {}
    }

    pub(crate) fn period(&self) -> Span {
        match *self {}
    }

    pub(crate) fn client(&self) -> &NoClient {
        match *self {}
    }

    pub(crate) fn timing(&self) -> Result<Turns> {
        match *self {}
    }

    pub(crate) fn newest(&self, _: &Catalog) -> Result<Frame<'static>> {
        match *self {}
    }
}

impl Resolve for NoRemoteState {
    fn resolve(&mut self, _: &str) -> Result<Rows> {
        match *self {}
    }
}

/// A verb that this build lacks.
#[derive(Debug)]
pub(crate) struct Verb;

impl FromArgMatches for Verb {
    fn from_arg_matches(_: &ArgMatches) -> Result<Verb, clap::Error> {
        Ok(Verb)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), clap::Error> {
        Ok(())
    }
}

impl Subcommand for Verb {
    fn augment_subcommands(command: Command) -> Command {
        let verb = |name: &&'static str| {
            let words = Arg::new("words")
                .num_args(..)
                .hide(true)
                .trailing_var_arg(true)
                .allow_hyphen_values(true);
            Command::new(*name)
                .about("(not built in)")
                .after_help("This program was built without it; `cargo build` includes everything.")
                .disable_help_flag(true)
                .arg(words)
        };
        let hidden = HIDDEN.iter().map(|name| verb(name).hide(true));
        command.subcommands(SERVER_VERBS.iter().map(verb).chain(hidden))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Verb::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        SERVER_VERBS.contains(&name) || HIDDEN.contains(&name)
    }
}

/// The verbs that the server's own processes are started with.
const HIDDEN: [&str; 3] = ["server", "frames", "compile-upload"];

/// Whether the verb is a service: none runs.
pub(crate) fn is_service(_: &Verb) -> bool {
    false
}

pub(crate) fn run(_: &Verb, _: bool) -> Result<VerbOutcome> {
    Err(Missing::Server.into())
}

/// Connects to the loop of this name. An address is refused: only a server answers there.
pub(crate) fn connect(name: Option<&str>) -> Result<ConnectionTo<NoClient>> {
    refuse_address(name)?;
    Ok(ConnectionTo::Loop(Box::new(Caller::reach(name)?)))
}

/// Fails: with the usual error if the robot does not run here, else because its server cannot be reached.
pub(crate) fn reach(args: &RobotArgs) -> Result<(String, NoClient)> {
    let name = args.robot.as_deref();
    refuse_address(name)?;
    Caller::reach(name)?;
    Err(Missing::Server.into())
}

/// Fails as `reach` does.
pub(crate) fn press(args: &RobotArgs, _: Instant) -> Result<(String, ReplyBody)> {
    match reach(args)?.1 {}
}

fn refuse_address(name: Option<&str>) -> Result<()> {
    match name {
        Some(name) if name.contains(':') => Err(Missing::Server.into()),
        _ => Ok(()),
    }
}

pub(crate) fn state(client: &NoClient) -> Option<State> {
    match *client {}
}

/// An address is known, so that it is refused with the reason.
pub(crate) fn is_known(name: &str) -> bool {
    name.contains(':')
}

/// The robot of this address; no robot is paired.
pub(crate) fn known(name: Option<&str>) -> Option<String> {
    name.filter(|it| is_known(it)).map(str::to_owned)
}

pub(crate) fn note_press(_: &str) {}

/// Nothing draws the body: `viewers` is left out as well.
pub(crate) fn drawing(_: &Robot) -> Option<Arc<dyn BodyDrawing>> {
    None
}

pub(crate) fn ask(client: &NoClient, _: Ask, _: &[u8]) -> Result<ReplyBody> {
    match *client {}
}

pub(crate) fn swap_kept(
    _: &RobotArgs,
    _: &str,
    kept: &str,
    _: f64,
    _: GuestOptions,
) -> Result<(String, ReplyBody)> {
    let told = || format!("there is no file `{kept}`, and only a server stores choreographies");
    Err(Missing::Server).with_context(told)
}

pub(crate) fn is_away(_: &anyhow::Error) -> bool {
    false
}

/// No server was asked.
pub(crate) fn is_refused_by_check(_: &anyhow::Error) -> bool {
    false
}
