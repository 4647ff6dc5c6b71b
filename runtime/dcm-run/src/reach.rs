//! Finds the robot that a verb is meant for: its loop's socket, its page, or its server, near or far.
//! Used by every verb that talks to a running robot. The law: a name on this machine counts before one of
//! another; where a server is, acts go by it, so that they are in its log; a press of stop never waits for one.

use anyhow::{Context, Result};
use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use cycle::State;
use description::{Robot, RobotSource, load};
use sensors::PageReader;
use socket::{Ask, Caller, OperationWord, Told};

use crate::candidates;
use crate::server::{self, Client};

/// Which robot is meant.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// The name of a running loop, or of a robot that was paired with, or `host:port`; not needed while there is
    /// only one.
    #[arg(long, short, value_name = "NAME", add = ArgValueCandidates::new(candidates::loops))]
    pub(crate) robot: Option<String>,
}

/// Which loop is meant, for what is read from its page.
#[derive(Debug, Args)]
pub(crate) struct Near {
    /// The name of a running loop on this machine; not needed while there is only one.
    #[arg(long, short, value_name = "NAME", add = ArgValueCandidates::new(candidates::loops))]
    pub(crate) robot: Option<String>,
}

/// A line to a robot.
#[derive(Debug)]
pub(crate) enum Line {
    /// Its loop, on this machine.
    Loop(Caller),
    /// Its server.
    Server(String, Client),
}

impl Line {
    /// The robot's name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Line::Loop(caller) => &caller.here.name,
            Line::Server(name, _) => name,
        }
    }

    /// The robot's description, if it is one of this machine.
    pub(crate) fn robot(&self) -> Option<Robot> {
        let description = match self {
            Line::Loop(caller) => caller.here.description.clone(),
            Line::Server(name, _) => Caller::reach(Some(name)).ok()?.here.description,
        };
        load(&RobotSource::of(&description)).ok()
    }

    /// What the body is doing, as far as that can be seen from here.
    pub(crate) fn state(&self) -> Option<State> {
        let page = match self {
            Line::Loop(caller) => PageReader::open(&caller.here.page).ok()?,
            Line::Server(name, _) => {
                PageReader::open(&Caller::reach(Some(name)).ok()?.here.page).ok()?
            }
        };
        page.read(|frame| frame.state()).flatten()
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&mut self, ask: Ask) -> Result<Told> {
        self.hand_over(ask, &[])
    }

    /// Asks for something that is to be done with a choreography's bytes.
    pub(crate) fn hand_over(&mut self, ask: Ask, bytes: &[u8]) -> Result<Told> {
        match self {
            Line::Loop(caller) if bytes.is_empty() => Ok(caller.ask(ask)?),
            Line::Loop(caller) => Ok(caller.hand_over(ask, bytes)?),
            Line::Server(_, client) => server::ask(client, ask, bytes),
        }
    }
}

/// The loop that is meant, on this machine.
pub(crate) fn caller(near: &Near) -> Result<Caller> {
    Ok(Caller::reach(near.robot.as_deref())?)
}

/// The page of the loop that is meant, and its words to the loop.
pub(crate) fn page(near: &Near) -> Result<(Caller, PageReader)> {
    let caller = caller(near)?;
    let page = PageReader::open(&caller.here.page).context("reading the state of the loop")?;
    Ok((caller, page))
}

/// The robot that is meant, by its server if it has one.
pub(crate) fn line(which: &Which) -> Result<Line> {
    let name = which.robot.as_deref();
    if let Some((name, client)) = server::find(name)? {
        let is_up = client.get::<serde_json::Value>("/api/v1/hello");
        return match is_up {
            Ok(_) => Ok(Line::Server(name, client)),
            // Its loop may be there all the same.
            Err(error) => match Caller::reach(which.robot.as_deref()) {
                Ok(caller) => Ok(Line::Loop(caller)),
                Err(_) => Err(error.into()),
            },
        };
    }
    Ok(Line::Loop(Caller::reach(name)?))
}

/// The robot that is meant, for a press of stop: the shortest way.
pub(crate) fn press(which: &Which) -> Result<(String, Told)> {
    let ask = || Ask::Operate(OperationWord::Press);
    if let Ok(mut caller) = Caller::reach(which.robot.as_deref()) {
        let told = caller.ask(ask())?;
        let name = caller.here.name.clone();
        // It is pressed; its server presses it once more, so that it is in the log who did.
        server::note_press(&name);
        return Ok((name, told));
    }
    // Nothing is asked before: who else asks much may not be in the way.
    let (name, client) = server::reach(which)?;
    let told = server::ask(&client, ask(), &[])?;
    Ok((name, told))
}
