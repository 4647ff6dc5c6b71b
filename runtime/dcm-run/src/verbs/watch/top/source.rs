//! Reads the robot's state for `top`: from its server, or without one from its loop and the loop's page.
//! Called by the polling thread, and once by `--once`. The law: each reading gives one snapshot or an error; after an
//! error the robot is located again.

use std::collections::VecDeque;

use anyhow::{Context, Result, bail};
use protocol::{Ask, CallError, Caller, Figure, Guest, Joint, LogEntries, LogEntry, ReplyContents};
use sensors::PageReader;

use super::snapshot::RobotSnapshot;
use crate::session::columns::Catalog;
use crate::session::robot_args::RobotArgs;
use crate::session::server;
use crate::session::state::RemoteState;
use crate::session::turns::Turns;
use crate::session::{RobotConnection, connect};

/// The events that are shown.
pub(super) const EVENTS_MAX: usize = 3;

/// The most answers with events that the first reading takes: more than the loop stores.
const CHAPTERS: usize = 16;

/// Besides the state, a server is asked for one of this many things at each reading: each costs a request.
const TURNS_OF_ASKING: u64 = 3;

/// A robot that is read repeatedly.
pub(super) struct SnapshotSource {
    way: StateSource,
    joints: Vec<Joint>,
    looks: u64,
    guests: Vec<Guest>,
    turns: Turns,
    since: u64,
    events: VecDeque<LogEntry>,
}

/// How the robot is read.
enum StateSource {
    Server(String, RemoteState, Catalog),
    Loop(Caller, PageReader),
}

impl SnapshotSource {
    /// Connects to the robot.
    pub(super) fn reach(which: &RobotArgs) -> Result<SnapshotSource> {
        let (way, joints, turns) = match connect(which)? {
            RobotConnection::Server(name, client) => {
                let figure = Figure::of(server::ask(&client, Ask::Figure)?);
                let (state, catalog) = RemoteState::open(*client)?;
                let way = StateSource::Server(name, state, catalog);
                let figure = figure.map_err(CallError::Unexpected)?;
                (way, figure.joints, Turns::default())
            }
            RobotConnection::Loop(mut caller) => {
                let page =
                    PageReader::open(&caller.here.page).context("reading the loop's page")?;
                let figure: Figure = caller.get(Ask::Figure)?;
                let turns = Turns::of(&page);
                (StateSource::Loop(*caller, page), figure.joints, turns)
            }
        };
        Ok(SnapshotSource {
            way,
            joints,
            looks: 0,
            guests: Vec::new(),
            turns,
            since: 0,
            events: VecDeque::new(),
        })
    }

    /// The robot's name.
    pub(super) fn name(&self) -> &str {
        match &self.way {
            StateSource::Server(name, ..) => name,
            StateSource::Loop(caller, _) => &caller.here.name,
        }
    }

    /// Reads the present state.
    pub(super) fn look(&mut self) -> Result<RobotSnapshot> {
        let mut snapshot = match &mut self.way {
            StateSource::Server(name, state, catalog) => {
                let turn = state.newest(catalog)?;
                RobotSnapshot::of(name, &turn, &catalog.boards, &self.joints)
            }
            StateSource::Loop(_, page) if page.is_closed() => bail!("the loop has ended"),
            StateSource::Loop(caller, page) => {
                let here = &caller.here;
                page.read(|turn| RobotSnapshot::of(&here.name, &turn, &here.boards, &self.joints))
                    .context("the loop has not made a turn yet")?
            }
        };
        if let StateSource::Loop(caller, page) = &mut self.way
            && caller.here.is_replay
        {
            // It has neither guests nor events of its own.
            self.turns.count(page);
            snapshot.turns = self.turns.clone();
            snapshot.is_replay = true;
            return Ok(snapshot);
        }
        let is_near = matches!(self.way, StateSource::Loop(..));
        let looks = self.looks;
        let is_due = |place: u64| is_near || looks == 0 || looks % TURNS_OF_ASKING == place;
        if is_due(0) {
            self.guests = self.get(Ask::Guests)?;
            self.guests.retain(|it| it.life != "gone");
        }
        if is_due(1) {
            self.hear()?;
        }
        if is_due(2) {
            match &mut self.way {
                StateSource::Server(_, state, _) => self.turns = state.timing()?,
                StateSource::Loop(_, page) => self.turns.count(page),
            }
        }
        self.looks += 1;
        snapshot.guests.clone_from(&self.guests);
        snapshot.turns = self.turns.clone();
        snapshot.events = self.events.iter().cloned().collect();
        Ok(snapshot)
    }

    /// Reads the new events; at first, all that are stored.
    fn hear(&mut self) -> Result<()> {
        let chapters = if self.looks == 0 { CHAPTERS } else { 1 };
        for _ in 0..chapters {
            let since = self.since;
            let LogEntries { next, events } = self.get(Ask::Events { since })?;
            self.since = next;
            if events.is_empty() {
                break;
            }
            let matters = events.into_iter().filter(|it| it.is_at_least("info"));
            self.events.extend(matters);
            let many = self.events.len().saturating_sub(EVENTS_MAX);
            self.events.drain(..many);
        }
        Ok(())
    }

    fn get<T: ReplyContents>(&mut self, ask: Ask) -> Result<T> {
        match &mut self.way {
            StateSource::Server(_, state, _) => {
                let reply = server::ask(state.client(), ask)?;
                Ok(T::of(reply).map_err(CallError::Unexpected)?)
            }
            StateSource::Loop(caller, _) => Ok(caller.get(ask)?),
        }
    }
}
