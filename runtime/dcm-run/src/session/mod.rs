//! Connects to the robot that a verb is meant for: to its loop's socket, or to its server, local or remote.
//! Called by every verb that talks to a running robot; a verb connects once and passes the connection on.
//! The law: a robot on this machine is preferred to a remote one of the same name; where there is a server, requests
//! go through it, so that they are in its log; the emergency stop never waits for a server, and only the loop itself
//! ends the loop.

use anyhow::{Context, Result};
use cycle::State;
use description::{Robot, RobotSource, load};
use protocol::{Ask, CallError, Caller, ReplyBody};
use sensors::PageReader;

use crate::compile_display::CompileDisplay;
use crate::errors::RobotElsewhere;
use crate::remote::{self, Client};
use crate::robot_args::{ConnectionTo, LocalRobotArgs, RobotArgs};

/// A connection to a robot: to its loop, on this machine, or to its server.
pub(crate) type RobotConnection = ConnectionTo<Client>;

impl RobotConnection {
    /// The robot's name.
    pub(crate) fn name(&self) -> &str {
        match self {
            RobotConnection::Loop(caller) => &caller.here.name,
            RobotConnection::Server(name, _) => name,
        }
    }

    /// The robot's description, if the robot runs on this machine.
    pub(crate) fn robot(&self) -> Option<Robot> {
        let description = match self {
            RobotConnection::Loop(caller) => caller.here.description.clone(),
            RobotConnection::Server(name, _) => Caller::reach(Some(name)).ok()?.here.description,
        };
        load(&RobotSource::of(&description)).ok()
    }

    /// The state of the body, if it can be read.
    pub(crate) fn state(&self) -> Option<State> {
        match self {
            RobotConnection::Loop(caller) => {
                let page = PageReader::open(&caller.here.page).ok()?;
                page.read(|frame| frame.state()).flatten()
            }
            RobotConnection::Server(_, client) => remote::state(client),
        }
    }

    /// Sends a request and waits for the answer.
    pub(crate) fn ask(&mut self, ask: Ask) -> Result<ReplyBody> {
        self.hand_over(ask, &[])
    }

    /// Sends a request together with a choreography's bytes.
    pub(crate) fn hand_over(&mut self, ask: Ask, bytes: &[u8]) -> Result<ReplyBody> {
        let _display = CompileDisplay::of_robot(self.name(), bytes.len());
        match self {
            RobotConnection::Loop(caller) if bytes.is_empty() => Ok(caller.ask(ask)?),
            RobotConnection::Loop(caller) => Ok(caller.hand_over(ask, bytes)?),
            RobotConnection::Server(_, client) => remote::ask(client, ask, bytes),
        }
    }
}

/// Connects to the robot, through its server if it has one.
pub(crate) fn connect(args: &RobotArgs) -> Result<RobotConnection> {
    remote::connect(args.robot.as_deref())
}

/// Connects to the loop on this machine, for a verb that needs this of the robot's machine.
pub(crate) fn connect_local(args: &LocalRobotArgs, needs: &'static str) -> Result<Caller> {
    let name = args.robot.as_deref();
    Caller::reach(name).map_err(|error| match (&error, remote::known(name)) {
        (CallError::NoneRunning | CallError::NotRunning(_) | CallError::Name(_), Some(robot)) => {
            RobotElsewhere { robot, needs }.into()
        }
        _ => error.into(),
    })
}

/// Opens the page of the loop that a caller is connected to.
pub(crate) fn open_page(caller: &Caller) -> Result<PageReader> {
    PageReader::open(&caller.here.page).context("reading the loop's page")
}
