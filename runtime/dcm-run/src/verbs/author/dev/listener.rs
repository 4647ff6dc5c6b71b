//! Prints what the robot tells meanwhile: log lines of the author's guest, and warnings of the body. Used by `session`.
//! It never waits for a robot that does not answer.

use crate::text::output::{VerbOutcome, VerbOutput};
use std::time::{Duration, Instant};

use anyhow::Result;
use protocol::{Ask, LogEntries, LogEntry};

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
    output: VerbOutput,
    /// Whether the robot is simulated beside the compiler, which makes its turns late.
    own: bool,
}

/// The names of events: a line of a guest; a turn came late; a guest's lane has ended.
const SAID: &str = "said";
const LATE_TURN: &str = "overrun";
const LANE_GONE: &str = "lane-gone";

impl GuestLogListener {
    /// Of this robot.
    pub(super) fn of(robot: &str, own: bool, output: VerbOutput) -> GuestLogListener {
        GuestLogListener {
            which: RobotArgs {
                robot: Some(robot.to_owned()),
            },
            connection: None,
            since: 0,
            next: Instant::now(),
            output,
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
            has_ended |= events.iter().any(|event| event.event == LANE_GONE);
            let is_late = |entry: &LogEntry| entry.event == LATE_TURN && self.own;
            let matters = |entry: &&LogEntry| match &entry.guest {
                // Not what its commands do: that is an event in every turn.
                Some(of) => {
                    Some(of.as_str()) == guest && (entry.event == SAID || entry.is_at_least("warn"))
                }
                None => entry.is_at_least("warn") && !is_late(entry),
            };
            for event in events.iter().filter(matters) {
                // If standard output is closed, nobody reads it.
                let _ = self.print_entry(event);
            }
        }
    }

    /// What has happened since the last time; nothing if the robot does not answer.
    fn lines(&mut self) -> Vec<LogEntry> {
        if self.connection.is_none() {
            self.connection = connect(&self.which).ok();
        }
        let ask = Ask::Events { since: self.since };
        match self.connection.as_mut().map(|robot| robot.get(ask)) {
            Some(Ok(LogEntries { next, events })) => {
                self.since = next;
                events
            }
            _ => {
                self.connection = None;
                Vec::new()
            }
        }
    }

    fn print_entry(&self, entry: &LogEntry) -> Result<VerbOutcome> {
        let warns = entry.is_at_least("warn");
        let style = if warns { words::ODD } else { words::BOLD };
        let at = entry.at_ns as f64 / 1e9;
        let line = match &entry.guest {
            Some(guest) => format!("{}: {}", words::paint(style, guest), entry.text),
            None => words::paint(style, &entry.text),
        };
        self.output.print(entry, format!("{at:>9.3} s  {line}"))
    }
}
