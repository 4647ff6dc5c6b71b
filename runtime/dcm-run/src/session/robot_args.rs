//! The options that name a robot. Used by every verb that talks to a running one.

use clap::Args;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

/// The robot to talk to, local or remote.
#[derive(Clone, Debug, Args)]
pub(crate) struct RobotArgs {
    /// The robot: a running loop, a paired robot, or `host:port`; default: the only one.
    #[arg(long, short, value_name = "NAME", value_parser = without_scheme,
          add = ArgValueCandidates::new(loops))]
    pub(crate) robot: Option<String>,
}

/// The robot to talk to, which must run on this machine.
#[derive(Debug, Args)]
pub(crate) struct LocalRobotArgs {
    /// The name of a loop on this machine; default: the only one.
    #[arg(long, short, value_name = "NAME", add = ArgValueCandidates::new(loops))]
    pub(crate) robot: Option<String>,
}

/// A name, or an address as a browser shows it: whether it is TLS is found out.
#[allow(clippy::unnecessary_wraps, reason = "a parser of clap may fail")]
pub(crate) fn without_scheme(text: &str) -> Result<String, std::convert::Infallible> {
    let schemes = ["https://", "http://"];
    let bare = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
    Ok(bare
        .map_or(text, |bare| bare.trim_end_matches('/'))
        .to_owned())
}

/// The loops on this machine, for completion.
pub(crate) fn loops() -> Vec<CompletionCandidate> {
    let names = protocol::places::names();
    names.into_iter().map(CompletionCandidate::new).collect()
}
