//! Where a glance comes from: the robot's server, or its loop and the loop's page where there is no server.
//! Asked by the thread that looks, and once by `--once`. The law: one look is one glance or an error; after an
//! error the source is found anew.

use std::collections::VecDeque;

use anyhow::{Context, Result, bail};
use sensors::PageReader;
use serde_json::Value;
use socket::{Ask, CallError, Caller, Guest, Happened, Joint, Told};

use super::glance::Glance;
use super::turns::Turns;
use crate::reach::{Line, Which, line};
use crate::server::{self, Client};

/// Lines of what happened that are shown.
pub(super) const HAPPENED: usize = 3;

/// Answers of the event history that a first look reads: more than it can keep.
const CHAPTERS: usize = 16;

/// A server is asked for one of so many things at each look besides the state: each costs a connection.
const TURNS_OF_ASKING: u64 = 3;

/// A robot that is looked at again and again.
pub(super) struct Source {
    way: Way,
    joints: Vec<Joint>,
    looks: u64,
    guests: Vec<Guest>,
    turns: Turns,
    since: u64,
    happened: VecDeque<Happened>,
}

/// How the robot is looked at.
enum Way {
    Server(String, Client),
    Loop(Caller, PageReader),
}

impl Source {
    /// Finds the robot that is meant.
    pub(super) fn reach(which: &Which) -> Result<Source> {
        let (way, joints, turns) = match line(which)? {
            Line::Server(name, client) => {
                let figure: Value = client.get("/api/v1/figure")?;
                let joints = serde_json::from_value::<Vec<Joint>>(figure["joints"].clone());
                let joints = joints.context("reading the robot's figure")?;
                (Way::Server(name, client), joints, Turns::default())
            }
            Line::Loop(mut caller) => {
                let page =
                    PageReader::open(&caller.here.page).context("reading the state of the loop")?;
                let joints = match caller.ask(Ask::Figure)? {
                    Told::Figure(figure) => figure.joints,
                    other => return Err(strange(&other)),
                };
                let turns = Turns::of(&page);
                (Way::Loop(caller, page), joints, turns)
            }
        };
        Ok(Source {
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
            Way::Server(name, _) => name,
            Way::Loop(caller, _) => &caller.here.name,
        }
    }

    /// What there is to see now.
    pub(super) fn look(&mut self) -> Result<Glance> {
        let mut glance = match &mut self.way {
            Way::Server(name, client) => {
                let state: Value = client.get("/api/v1/state")?;
                Glance::told(name, &state, &self.joints)
            }
            Way::Loop(_, page) if page.is_closed() => bail!("the loop has ended"),
            Way::Loop(caller, page) => {
                let here = &caller.here;
                Glance::shown(&here.name, page, &here.boards, &self.joints)
                    .context("the loop has made no turn yet")?
            }
        };
        let is_near = matches!(self.way, Way::Loop(..));
        let looks = self.looks;
        let is_due = |place: u64| is_near || looks == 0 || looks % TURNS_OF_ASKING == place;
        if is_due(0) {
            self.guests = match self.ask(Ask::Guests)? {
                Told::Guests(guests) => guests,
                other => return Err(strange(&other)),
            };
            self.guests.retain(|it| it.life != "gone");
        }
        if is_due(1) {
            self.hear()?;
        }
        if is_due(2) {
            match &mut self.way {
                Way::Server(_, client) => {
                    self.turns = Turns::told(&client.get::<Value>("/api/v1/timing")?);
                }
                Way::Loop(_, page) => self.turns.count(page),
            }
        }
        self.looks += 1;
        glance.guests.clone_from(&self.guests);
        glance.turns = self.turns.clone();
        glance.happened = self.happened.iter().cloned().collect();
        Ok(glance)
    }

    /// Hears what is new; at first, all that is still known.
    fn hear(&mut self) -> Result<()> {
        let chapters = if self.looks == 0 { CHAPTERS } else { 1 };
        for _ in 0..chapters {
            let since = self.since;
            let (next, happened) = match self.ask(Ask::Events { since })? {
                Told::Events { next, happened } => (next, happened),
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

    fn ask(&mut self, ask: Ask) -> Result<Told> {
        match &mut self.way {
            Way::Server(_, client) => server::ask(client, ask, &[]),
            Way::Loop(caller, _) => Ok(caller.ask(ask)?),
        }
    }
}

fn strange(told: &Told) -> anyhow::Error {
    CallError::Strange(format!("{told:?}")).into()
}
