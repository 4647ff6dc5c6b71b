//! Reads the state of a running robot, local or remote: from its loop's page, or from its server.
//! Called by `get`, `watch` and `joints`. The law: a robot on this machine is read from its page, whether it has a
//! server or not; a remote one is asked once for each reading.

use anyhow::{Context, Result};
use cycle::Span;
use protocol::{CallError, Caller};
use sensors::PageReader;

use crate::session::columns::{Catalog, KeyColumn, Resolve, TurnState};
use crate::session::robot_args::RobotArgs;
use crate::session::state::RemoteState;
use crate::session::{RobotConnection, connect, open_page};

/// A robot whose state is read.
pub(crate) struct Readings {
    /// The names of what can be read.
    pub(crate) catalog: Catalog,
    source: ReadingSource,
}

enum ReadingSource {
    Page(Box<(Caller, PageReader)>),
    Server(Box<RemoteState>),
}

impl Readings {
    /// Finds the robot.
    pub(crate) fn open(args: &RobotArgs) -> Result<Readings> {
        match Caller::reach(args.robot.as_deref()) {
            Ok(caller) => return Readings::of_page(caller),
            // It is here: waiting for it once more does not help.
            Err(error @ (CallError::Silent(..) | CallError::Several(_))) => {
                return Err(error.into());
            }
            Err(_) => {}
        }
        match connect(args)? {
            RobotConnection::Loop(caller) => Readings::of_page(*caller),
            RobotConnection::Server(_, client) => {
                let (state, catalog) = RemoteState::open(*client)?;
                let source = ReadingSource::Server(Box::new(state));
                Ok(Readings { catalog, source })
            }
        }
    }

    fn of_page(caller: Caller) -> Result<Readings> {
        let page = open_page(&caller)?;
        let catalog = Catalog::of(&page, &caller.here.boards);
        let source = ReadingSource::Page(Box::new((caller, page)));
        Ok(Readings { catalog, source })
    }

    /// The columns that these keys mean.
    pub(crate) fn find(&mut self, keys: &[String]) -> Result<Vec<KeyColumn>> {
        let resolve: &mut dyn Resolve = match &mut self.source {
            ReadingSource::Page(local) => &mut local.0,
            ReadingSource::Server(state) => &mut **state,
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
            ReadingSource::Page(local) => Ok(local.1.read(|frame| look(&frame))),
            ReadingSource::Server(state) => Ok(Some(look(&state.newest(&self.catalog)?))),
        }
    }

    /// Looks at the newest turn.
    ///
    /// # Errors
    /// There is none yet.
    pub(crate) fn look_once<T>(&self, look: impl Fn(&dyn TurnState) -> T) -> Result<T> {
        self.look(look)?.context("the loop has not made a turn yet")
    }

    /// From one turn to the next.
    pub(crate) fn period(&self) -> Span {
        match &self.source {
            ReadingSource::Page(local) => local.1.period(),
            ReadingSource::Server(state) => state.period(),
        }
    }

    /// Whether the loop has ended.
    pub(crate) fn is_closed(&self) -> bool {
        match &self.source {
            ReadingSource::Page(local) => local.1.is_closed(),
            // A server that is gone is an error at the next look.
            ReadingSource::Server(_) => false,
        }
    }
}
