//! The options that name a robot, and what connecting to one gives.
//! Used by every verb that talks to a running robot, by `connect`, and by the client's side of a server.

use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use protocol::Caller;

use crate::candidates;

/// The robot to talk to, local or remote.
#[derive(Clone, Debug, Args)]
pub(crate) struct RobotArgs {
    /// The robot: a running loop, a paired robot, or `host:port`; default: the only one.
    #[arg(long, short, value_name = "NAME", value_parser = without_scheme,
          add = ArgValueCandidates::new(candidates::loops))]
    pub(crate) robot: Option<String>,
}

/// The robot to talk to, which must run on this machine.
#[derive(Debug, Args)]
pub(crate) struct LocalRobotArgs {
    /// The name of a loop on this machine; default: the only one.
    #[arg(long, short, value_name = "NAME", add = ArgValueCandidates::new(candidates::loops))]
    pub(crate) robot: Option<String>,
}

/// A name, or an address as a browser shows it: whether it is TLS is found out.
#[allow(clippy::unnecessary_wraps, reason = "a parser of clap may fail")]
pub(crate) fn without_scheme(text: &str) -> Result<String, std::convert::Infallible> {
    let schemes = ["https://", "http://"];
    let bare = schemes.iter().find_map(|it| text.strip_prefix(it));
    Ok(bare.map_or(text, |it| it.trim_end_matches('/')).to_owned())
}

/// A connection to a robot; `C` is a client of a server.
#[derive(Debug)]
pub(crate) enum ConnectionTo<C> {
    /// To its loop, on this machine.
    Loop(Box<Caller>),
    /// To its server, by the robot's name.
    #[cfg_attr(
        not(feature = "server"),
        allow(dead_code, reason = "there is no client to connect with")
    )]
    Server(String, C),
}
