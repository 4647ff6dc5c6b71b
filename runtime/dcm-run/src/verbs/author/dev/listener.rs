//! Prints what the robot tells meanwhile: log lines of the author's guest, and warnings of the body. Used by `session`.
//! The law: it never waits for a robot that does not answer.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use protocol::{Ask, LogEntry, ReplyBody};
use serde_json::json;

use crate::session::robot_args::RobotArgs;
use crate::session::{RobotConnection, connect};
use crate::text::words;

/// The interval between two requests.
const LISTEN_INTERVAL: Duration = Duration::from_millis(200);

/// Asks a robot what has happened.
pub(super) struct GuestLogListener {
    which: RobotArgs,
    connection: Option<RobotConnection>,
    since: u64,
    next: Instant,
    json: bool,
    /// Whether the robot is simulated beside the compiler, which makes its turns late.
    own: bool,
}

/// The names of events: a line of a guest; a turn came late; a guest's lane has ended.
const SAID: &str = "said";
const LATE_TURN: &str = "overrun";
const LANE_GONE: &str = "lane-gone";

impl GuestLogListener {
    /// Of this robot.
    pub(super) fn of(robot: &str, own: bool, json: bool) -> GuestLogListener {
        GuestLogListener {
            which: RobotArgs {
                robot: Some(robot.to_owned()),
            },
            connection: None,
            since: 0,
            next: Instant::now(),
            json,
            own,
        }
    }

    /// Passes over what happened before.
    pub(super) fn skip(&mut self) {
        while !self.lines().is_empty() {}
    }

    /// Whether it is time to ask again.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Prints what has happened. Returns whether the lane of a guest has ended.
    pub(super) fn listen(&mut self, guest: Option<&str>) -> bool {
        let mut has_ended = false;
        loop {
            let events = self.lines();
            self.next = Instant::now() + LISTEN_INTERVAL;
            if events.is_empty() {
                return has_ended;
            }
            has_ended |= events.iter().any(|it| it.event == LANE_GONE);
            let is_late = |it: &LogEntry| it.event == LATE_TURN && self.own;
            let matters = |it: &&LogEntry| match &it.guest {
                // Not what its commands do: that is an event in every turn.
                Some(of) => {
                    Some(of.as_str()) == guest && (it.event == SAID || it.is_at_least("warn"))
                }
                None => it.is_at_least("warn") && !is_late(it),
            };
            for it in events.iter().filter(matters) {
                // If standard output is closed, nobody reads it.
                let _ = self.tell(it);
            }
        }
    }

    /// What has happened since the last time; nothing if the robot does not answer.
    fn lines(&mut self) -> Vec<LogEntry> {
        if self.connection.is_none() {
            self.connection = connect(&self.which).ok();
        }
        let ask = Ask::Events { since: self.since };
        match self.connection.as_mut().map(|it| it.ask(ask)) {
            Some(Ok(ReplyBody::Events { next, events })) => {
                self.since = next;
                events
            }
            _ => {
                self.connection = None;
                Vec::new()
            }
        }
    }

    fn tell(&self, it: &LogEntry) -> Result<()> {
        let mut out = anstream::stdout().lock();
        if self.json {
            writeln!(out, "{}", json!(it))?;
            return Ok(());
        }
        let warns = it.is_at_least("warn");
        let style = if warns { words::ODD } else { words::BOLD };
        let at = it.at_ns as f64 / 1e9;
        match &it.guest {
            Some(guest) => {
                let guest = words::paint(style, guest);
                writeln!(out, "{at:>9.3} s  {guest}: {}", it.text)?;
            }
            None => writeln!(out, "{at:>9.3} s  {}", words::paint(style, &it.text))?,
        }
        Ok(())
    }
}
