//! The connection between a verb and a robot: to its loop's socket, or to its server, local or remote.
//!
//! A verb connects once and passes the connection on; most do not know which of the two it is. A robot on this
//! machine is preferred to a remote one of the same name; where there is a server, requests go through it, so that they
//! are in its log. The emergency stop (`press`) never waits for a server, and only the loop itself ends the loop.
//! `readings` reads the state of a robot, `server` is the way over HTTP; a build without the feature `server` has
//! `no_server` in its place.

pub(crate) mod body_args;
pub(crate) mod columns;
pub(crate) mod compile_display;
pub(crate) mod described;
pub(crate) mod press;
pub(crate) mod readings;
pub(crate) mod robot_args;
#[cfg(feature = "server")]
pub(crate) mod server;
#[cfg(not(feature = "server"))]
#[path = "no_server.rs"]
pub(crate) mod server;
pub(crate) mod state;
pub(crate) mod turns;

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cycle::State;
use description::{Robot, RobotSource, load};
use protocol::{Ask, CallError, Caller, Loaded, ReplyBody, ReplyContents};
use sensors::PageReader;

use crate::text::errors::RobotElsewhere;
use compile_display::CompileDisplay;
use robot_args::{LocalRobotArgs, RobotArgs};
use server::Client;

/// A connection to a robot.
#[derive(Debug)]
pub(crate) enum RobotConnection {
    /// To its loop, on this machine.
    Loop(Box<Caller>),
    /// To its server, by the robot's name.
    #[cfg_attr(
        not(feature = "server"),
        allow(dead_code, reason = "there is no client to connect with")
    )]
    Server(String, Box<Client>),
}

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
            RobotConnection::Server(_, client) => state::safety_state(client),
        }
    }

    /// Sends a request and waits for the reply.
    pub(crate) fn ask(&mut self, ask: Ask) -> Result<ReplyBody> {
        match self {
            RobotConnection::Loop(caller) => Ok(caller.ask(ask)?),
            RobotConnection::Server(_, client) => server::ask(client, ask),
        }
    }

    /// Sends a request and waits for the contents of its reply.
    pub(crate) fn get<T: ReplyContents>(&mut self, ask: Ask) -> Result<T> {
        Ok(T::of(self.ask(ask)?).map_err(CallError::Unexpected)?)
    }

    /// How often to ask for news: over HTTP, each request is a connection.
    pub(crate) fn poll_interval(&self) -> Duration {
        match self {
            RobotConnection::Loop(_) => Duration::from_millis(100),
            RobotConnection::Server(..) => Duration::from_millis(250),
        }
    }

    /// Connects again after this error, if it can be that the server is being restarted.
    ///
    /// # Errors
    /// This error, if the robot answered with it, if it is that of a loop, or if the server does not come back.
    pub(crate) fn reconnect(
        &self,
        args: &RobotArgs,
        error: anyhow::Error,
    ) -> Result<RobotConnection> {
        let may_return = matches!(self, RobotConnection::Server(..)) && !error.is::<CallError>();
        let begun = Instant::now();
        while may_return && begun.elapsed() < RESTART_LIMIT {
            std::thread::sleep(self.poll_interval());
            if let Ok(connection) = connect(args) {
                return Ok(connection);
            }
        }
        Err(error)
    }

    /// Hands over a choreography, to be loaded or to replace a guest.
    pub(crate) fn hand_over(&mut self, ask: Ask, bytes: &[u8]) -> Result<Loaded> {
        let _display = CompileDisplay::of_robot(self.name(), bytes.len());
        match self {
            RobotConnection::Loop(caller) => {
                let reply = caller.hand_over(ask, bytes)?;
                Ok(Loaded::of(reply).map_err(CallError::Unexpected)?)
            }
            RobotConnection::Server(_, client) => server::hand_over(client, ask, bytes),
        }
    }
}

/// How long a server may be unreachable: it is restarted when it dies.
const RESTART_LIMIT: Duration = Duration::from_secs(15);

/// Connects to the robot, through its server if it has one.
pub(crate) fn connect(args: &RobotArgs) -> Result<RobotConnection> {
    server::connect(args.robot.as_deref())
}

/// Connects to the loop on this machine, for a verb that needs this of the robot's machine.
pub(crate) fn connect_local(args: &LocalRobotArgs, needs: &'static str) -> Result<Caller> {
    let name = args.robot.as_deref();
    Caller::reach(name).map_err(|error| match (&error, server::known(name)) {
        (CallError::NoneRunning | CallError::NotRunning(_) | CallError::Name(_), Some(robot)) => {
            RobotElsewhere { robot, needs }.into()
        }
        _ => error.into(),
    })
}

/// What `swap` was given if it is no file, before the reason why no server has it.
fn no_such_file(kept: &str) -> String {
    format!("there is no file `{kept}`, and only a server stores choreographies")
}

/// Opens the page of the loop that a caller is connected to.
pub(crate) fn open_page(caller: &Caller) -> Result<PageReader> {
    PageReader::open(&caller.here.page).context("reading the loop's page")
}
