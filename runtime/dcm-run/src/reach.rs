//! Finds the robot that a verb is meant for: its loop's socket, and its page.
//! Used by every verb that talks to a running loop.

use anyhow::{Context, Result};
use clap::Args;
use robot::socket::Caller;
use sensors::Page;

/// Which robot is meant.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// The name of a running loop; not needed while only one runs.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) robot: Option<String>,
}

/// The loop that is meant.
pub(crate) fn caller(which: &Which) -> Result<Caller> {
    Ok(Caller::reach(which.robot.as_deref())?)
}

/// The page of the loop that is meant, and its words to the loop.
pub(crate) fn page(which: &Which) -> Result<(Caller, Page)> {
    let caller = caller(which)?;
    let page = Page::open(&caller.here.page).context("reading the state of the loop")?;
    Ok((caller, page))
}
