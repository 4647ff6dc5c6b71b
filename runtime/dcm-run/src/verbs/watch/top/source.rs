//! Reads the robot's state for `top`. The polling thread calls this, and `--once` does so once. Each reading gives one
//! snapshot or an error; after an error the robot is located again.

use std::collections::VecDeque;

use anyhow::{Result, bail};
use protocol::{Ask, Figure, Guest, Joint, LogEntries, LogEntry};

use super::snapshot::RobotSnapshot;
use crate::session::connect;
use crate::session::readings::Readings;
use crate::session::robot_args::RobotArgs;
use crate::session::turns::Turns;

/// The events that are shown.
pub(super) const EVENTS_MAX: usize = 3;

/// The most answers with events that the first reading takes: more than the loop stores.
const FIRST_EVENT_REQUESTS: usize = 16;

/// What is requested besides the state.
#[derive(Clone, Copy, Debug)]
enum Detail {
    Guests,
    Events,
    Timing,
}

/// The details take turns where requests are dear.
const DETAILS: [Detail; 3] = [Detail::Guests, Detail::Events, Detail::Timing];

/// A robot that is read repeatedly.
pub(super) struct SnapshotSource {
    readings: Readings,
    joints: Vec<Joint>,
    /// The details that were requested until now.
    requested: usize,
    guests: Vec<Guest>,
    turns: Turns,
    since: u64,
    events: VecDeque<LogEntry>,
}

impl SnapshotSource {
    /// Connects to the robot.
    pub(super) fn reach(which: &RobotArgs) -> Result<SnapshotSource> {
        let mut readings = Readings::of(connect(which)?)?;
        let figure: Figure = readings.get(Ask::Figure)?;
        Ok(SnapshotSource {
            readings,
            joints: figure.joints,
            requested: 0,
            guests: Vec::new(),
            turns: Turns::default(),
            since: 0,
            events: VecDeque::new(),
        })
    }

    /// The robot's name.
    pub(super) fn name(&self) -> &str {
        self.readings.name()
    }

    /// Reads the present state.
    pub(super) fn read(&mut self) -> Result<RobotSnapshot> {
        let readings = &self.readings;
        if readings.is_closed() {
            bail!("the loop has ended");
        }
        let boards = &readings.catalog.boards;
        let mut snapshot = readings
            .read_once(|turn| RobotSnapshot::of(readings.name(), turn, boards, &self.joints))?;
        snapshot.is_replay = readings.is_replay();
        if snapshot.is_replay {
            // It has neither guests nor events of its own.
            self.turns = self.readings.timing()?;
        } else {
            let few = readings.requests_per_reading();
            let requests = if self.requested == 0 { usize::MAX } else { few };
            for _ in 0..requests.min(DETAILS.len()) {
                self.request(DETAILS[self.requested % DETAILS.len()])?;
                self.requested += 1;
            }
        }
        snapshot.guests.clone_from(&self.guests);
        snapshot.turns = self.turns.clone();
        snapshot.events = self.events.iter().cloned().collect();
        Ok(snapshot)
    }

    fn request(&mut self, detail: Detail) -> Result<()> {
        match detail {
            Detail::Guests => {
                self.guests = self.readings.get(Ask::Guests)?;
                self.guests.retain(|guest| guest.life != "gone");
            }
            Detail::Events => self.read_events()?,
            Detail::Timing => self.turns = self.readings.timing()?,
        }
        Ok(())
    }

    /// Reads the new events; at first, all that are stored.
    fn read_events(&mut self) -> Result<()> {
        let is_first = self.requested < DETAILS.len();
        let requests = if is_first { FIRST_EVENT_REQUESTS } else { 1 };
        for _ in 0..requests {
            let since = self.since;
            let LogEntries { next, events } = self.readings.get(Ask::Events { since })?;
            self.since = next;
            if events.is_empty() {
                break;
            }
            let shown = events.into_iter().filter(|entry| entry.is_at_least("info"));
            self.events.extend(shown);
            let surplus = self.events.len().saturating_sub(EVENTS_MAX);
            self.events.drain(..surplus);
        }
        Ok(())
    }
}
