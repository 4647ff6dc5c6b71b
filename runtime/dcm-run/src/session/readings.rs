//! Reads the state of a running robot, local or remote: from its loop's page, or from its server.
//! `get`, `watch`, `joints` and `follow` read a robot on this machine from its page, whether it has a server or not;
//! `top` reads it through the same connection as its requests. A server is asked once for each reading.

use anyhow::{Context, Result};
use cycle::Span;
use protocol::{Ask, CallError, Caller, ReplyContents};
use sensors::PageReader;

use crate::session::columns::{Catalog, KeyColumn, Resolve, TurnState};
use crate::session::robot_args::RobotArgs;
use crate::session::state::RemoteState;
use crate::session::turns::Turns;
use crate::session::{RobotConnection, connect, open_page, server};

/// A robot whose state is read.
pub(crate) struct Readings {
    /// The names of what can be read.
    pub(crate) catalog: Catalog,
    source: ReadingSource,
}

enum ReadingSource {
    Page(Box<LocalState>),
    Server(String, Box<RemoteState>),
}

/// The state of a robot on this machine.
struct LocalState {
    caller: Caller,
    page: PageReader,
    turns: Turns,
}

impl Readings {
    /// Finds the robot.
    pub(crate) fn open(args: &RobotArgs) -> Result<Readings> {
        match Caller::reach(args.robot.as_deref()) {
            Ok(caller) => return Readings::of_page(Box::new(caller)),
            // It is here: waiting for it once more does not help.
            Err(error @ (CallError::Silent(..) | CallError::Several(_))) => {
                return Err(error.into());
            }
            Err(_) => {}
        }
        Readings::of(connect(args)?)
    }

    /// Reads the robot of this connection.
    pub(crate) fn of(connection: RobotConnection) -> Result<Readings> {
        match connection {
            RobotConnection::Loop(caller) => Readings::of_page(caller),
            RobotConnection::Server(name, client) => {
                let (state, catalog) = RemoteState::open(*client)?;
                let source = ReadingSource::Server(name, Box::new(state));
                Ok(Readings { catalog, source })
            }
        }
    }

    fn of_page(caller: Box<Caller>) -> Result<Readings> {
        let page = open_page(&caller)?;
        let catalog = Catalog::of(&page, &caller.here.boards);
        let turns = Turns::of(&page);
        let local = LocalState {
            caller: *caller,
            page,
            turns,
        };
        let source = ReadingSource::Page(Box::new(local));
        Ok(Readings { catalog, source })
    }

    /// The robot's name.
    pub(crate) fn name(&self) -> &str {
        match &self.source {
            ReadingSource::Page(local) => &local.caller.here.name,
            ReadingSource::Server(name, _) => name,
        }
    }

    /// Whether a recording is replayed.
    pub(crate) fn is_replay(&self) -> bool {
        matches!(&self.source, ReadingSource::Page(local) if local.caller.here.is_replay)
    }

    /// Sends a request and waits for the contents of its reply.
    pub(crate) fn get<T: ReplyContents>(&mut self, ask: Ask) -> Result<T> {
        match &mut self.source {
            ReadingSource::Page(local) => Ok(local.caller.get(ask)?),
            ReadingSource::Server(_, state) => {
                let reply = server::ask(state.client(), ask)?;
                Ok(T::of(reply).map_err(CallError::Unexpected)?)
            }
        }
    }

    /// How punctual turns were: since the server started, or since this program reads the page.
    pub(crate) fn timing(&mut self) -> Result<Turns> {
        match &mut self.source {
            ReadingSource::Page(local) => {
                local.turns.count(&local.page);
                Ok(local.turns.clone())
            }
            ReadingSource::Server(_, state) => state.timing(),
        }
    }

    /// How many requests may go with each reading: to a server, each is a connection.
    pub(crate) fn requests_per_reading(&self) -> usize {
        match &self.source {
            ReadingSource::Page(_) => usize::MAX,
            ReadingSource::Server(..) => 1,
        }
    }

    /// The columns that these keys mean.
    pub(crate) fn find(&mut self, keys: &[String]) -> Result<Vec<KeyColumn>> {
        let resolve: &mut dyn Resolve = match &mut self.source {
            ReadingSource::Page(local) => &mut local.caller,
            ReadingSource::Server(_, state) => &mut **state,
        };
        let mut columns = Vec::new();
        for key in keys {
            columns.extend(self.catalog.find(key, Some(&mut *resolve))?);
        }
        Ok(columns)
    }

    /// Looks at the newest turn; nothing before the first one.
    pub(crate) fn look<T>(&self, look: impl Fn(&dyn TurnState) -> T) -> Result<Option<T>> {
        match &self.source {
            ReadingSource::Page(local) => Ok(local.page.read(|frame| look(&frame))),
            ReadingSource::Server(_, state) => Ok(Some(look(&state.newest(&self.catalog)?))),
        }
    }

    /// Looks at the newest turn.
    ///
    /// # Errors
    /// There is none yet.
    pub(crate) fn read_once<T>(&self, look: impl Fn(&dyn TurnState) -> T) -> Result<T> {
        self.look(look)?.context("the loop has not made a turn yet")
    }

    /// From one turn to the next.
    pub(crate) fn period(&self) -> Span {
        match &self.source {
            ReadingSource::Page(local) => local.page.period(),
            ReadingSource::Server(_, state) => state.period(),
        }
    }

    /// Whether the loop has ended.
    pub(crate) fn is_closed(&self) -> bool {
        match &self.source {
            ReadingSource::Page(local) => local.page.is_closed(),
            // A server that is gone is an error at the next look.
            ReadingSource::Server(..) => false,
        }
    }
}
