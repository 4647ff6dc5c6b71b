//! Reads the robot's state for `top`: from its server, or without one from its loop and the loop's page.
//! Called by the polling thread, and once by `--once`. The law: each reading gives one glance or an error; after an
//! error the robot is located again.

use std::collections::VecDeque;

use anyhow::{Context, Result, bail};
use sensors::PageReader;
use serde_json::Value;
use socket::{Ask, CallError, Caller, Guest, Happened, Joint, ReplyBody};

use super::glance::Glance;
use super::turns::Turns;
use crate::connect::{RobotConnection, connect};
use crate::remote::{self, Client};
use crate::robot_args::RobotArgs;

/// The events that are shown.
pub(super) const HAPPENED: usize = 3;

/// The most answers with events that the first reading takes: more than the loop stores.
const CHAPTERS: usize = 16;

/// Besides the state, a server is asked for one of this many things at each reading: each costs a connection.
const TURNS_OF_ASKING: u64 = 3;

/// A robot that is read repeatedly.
pub(super) struct GlanceSource {
    way: StateSource,
    joints: Vec<Joint>,
    looks: u64,
    guests: Vec<Guest>,
    turns: Turns,
    since: u64,
    happened: VecDeque<Happened>,
}

/// How the robot is read.
enum StateSource {
    Server(String, Client),
    Loop(Caller, PageReader),
}

impl GlanceSource {
    /// Connects to the robot.
    pub(super) fn reach(which: &RobotArgs) -> Result<GlanceSource> {
        let (way, joints, turns) = match connect(which)? {
            RobotConnection::Server(name, client) => {
                let figure: Value = client.get("/api/v1/figure")?;
                let joints = serde_json::from_value::<Vec<Joint>>(figure["joints"].clone());
                let joints = joints.context("reading the robot's figure")?;
                (StateSource::Server(name, client), joints, Turns::default())
            }
            RobotConnection::Loop(mut caller) => {
                let page =
                    PageReader::open(&caller.here.page).context("reading the loop's page")?;
                let joints = match caller.ask(Ask::Figure)? {
                    ReplyBody::Figure(figure) => figure.joints,
                    other => return Err(strange(&other)),
                };
                let turns = Turns::of(&page);
                (StateSource::Loop(caller, page), joints, turns)
            }
        };
        Ok(GlanceSource {
            way,
            joints,
            looks: 0,
            guests: Vec::new(),
            turns,
            since: 0,
            happened: VecDeque::new(),
        })
    }

    /// The robot's name.
    pub(super) fn name(&self) -> &str {
        match &self.way {
            StateSource::Server(name, _) => name,
            StateSource::Loop(caller, _) => &caller.here.name,
        }
    }

    /// Reads the present state.
    pub(super) fn look(&mut self) -> Result<Glance> {
        let mut glance = match &mut self.way {
            StateSource::Server(name, client) => {
                let state: Value = client.get("/api/v1/state")?;
                Glance::told(name, &state, &self.joints)
            }
            StateSource::Loop(_, page) if page.is_closed() => bail!("the loop has ended"),
            StateSource::Loop(caller, page) => {
                let here = &caller.here;
                Glance::shown(&here.name, page, &here.boards, &self.joints)
                    .context("the loop has not made a turn yet")?
            }
        };
        let is_near = matches!(self.way, StateSource::Loop(..));
        let looks = self.looks;
        let is_due = |place: u64| is_near || looks == 0 || looks % TURNS_OF_ASKING == place;
        if is_due(0) {
            self.guests = match self.ask(Ask::Guests)? {
                ReplyBody::Guests(guests) => guests,
                other => return Err(strange(&other)),
            };
            self.guests.retain(|it| it.life != "gone");
        }
        if is_due(1) {
            self.hear()?;
        }
        if is_due(2) {
            match &mut self.way {
                StateSource::Server(_, client) => {
                    self.turns = Turns::told(&client.get::<Value>("/api/v1/timing")?);
                }
                StateSource::Loop(_, page) => self.turns.count(page),
            }
        }
        self.looks += 1;
        glance.guests.clone_from(&self.guests);
        glance.turns = self.turns.clone();
        glance.happened = self.happened.iter().cloned().collect();
        Ok(glance)
    }

    /// Reads the new events; at first, all that are stored.
    fn hear(&mut self) -> Result<()> {
        let chapters = if self.looks == 0 { CHAPTERS } else { 1 };
        for _ in 0..chapters {
            let since = self.since;
            let (next, happened) = match self.ask(Ask::Events { since })? {
                ReplyBody::Events { next, happened } => (next, happened),
                other => return Err(strange(&other)),
            };
            self.since = next;
            if happened.is_empty() {
                break;
            }
            let matters = happened.into_iter().filter(|it| it.level != "detail");
            self.happened.extend(matters);
            let many = self.happened.len().saturating_sub(HAPPENED);
            self.happened.drain(..many);
        }
        Ok(())
    }

    fn ask(&mut self, ask: Ask) -> Result<ReplyBody> {
        match &mut self.way {
            StateSource::Server(_, client) => remote::ask(client, ask, &[]),
            StateSource::Loop(caller, _) => Ok(caller.ask(ask)?),
        }
    }
}

fn strange(told: &ReplyBody) -> anyhow::Error {
    CallError::Unexpected(format!("{told:?}")).into()
}
