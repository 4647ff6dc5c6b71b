//! Stands in for `server` in a build without that feature: no robot is reached over HTTP, and a verb that needs a
//! server fails with a sentence. There is no value of [`Client`], so the code that has one is unreachable, and the
//! compiler knows it.

use std::time::Instant;

use anyhow::{Context, Result};
use protocol::{Ask, Caller, GuestOptions, Loaded, ReplyBody};
use serde_json::Value;

use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, no_such_file};
use crate::text::missing::Missing;

/// A client of a server: there is none.
#[derive(Debug)]
pub(crate) enum Client {}

impl Client {
    pub(crate) fn get<T>(&self, _: &str) -> Result<T> {
        match *self {}
    }

    pub(crate) fn request(&self, _: &Ask) -> Result<ReplyBody> {
        match *self {}
    }

    pub(crate) fn listen(&self, _: &str, _: impl FnMut(Value) -> bool) -> Result<()> {
        match *self {}
    }
}

pub(crate) fn ask(client: &Client, _: Ask) -> Result<ReplyBody> {
    match *client {}
}

pub(crate) fn hand_over(client: &Client, _: Ask, _: &[u8]) -> Result<Loaded> {
    match *client {}
}

/// Connects to the loop of this name. An address is refused: only a server answers there.
pub(crate) fn connect(name: Option<&str>) -> Result<RobotConnection> {
    refuse_address(name)?;
    Ok(RobotConnection::Loop(Box::new(Caller::reach(name)?)))
}

/// Fails: with the usual error if the robot does not run here, else because its server cannot be reached.
pub(crate) fn press(args: &RobotArgs, _: Instant) -> Result<(String, ReplyBody)> {
    let name = args.robot.as_deref();
    refuse_address(name)?;
    Caller::reach(name)?;
    Err(Missing::Server.into())
}

fn refuse_address(name: Option<&str>) -> Result<()> {
    match known(name) {
        Some(_) => Err(Missing::Server.into()),
        None => Ok(()),
    }
}

/// An address is known, so that it is refused with the reason.
pub(crate) fn is_known(name: &str) -> bool {
    name.contains(':')
}

/// The robot of this address; no robot is paired.
pub(crate) fn known(name: Option<&str>) -> Option<String> {
    name.filter(|name| is_known(name)).map(str::to_owned)
}

pub(crate) fn note_press(_: &str) {}

pub(crate) fn swap_kept(
    _: &RobotArgs,
    _: &str,
    kept: &str,
    _: f64,
    _: GuestOptions,
) -> Result<(String, Loaded)> {
    Err(Missing::Server).with_context(|| no_such_file(kept))
}

pub(crate) fn is_away(_: &anyhow::Error) -> bool {
    false
}

pub(crate) fn is_refused_by_check(_: &anyhow::Error) -> bool {
    false
}
