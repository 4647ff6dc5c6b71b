//! The event history: a ring buffer of the latest events of the body and log lines of guests.
//! Written by the thread that shows a loop, read by the socket's request handler.
//! The law: it keeps a fixed number of lines, and each line has a number, so that a reader notices a gap.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ::socket::Happened;
use cycle::EventEntry;
use guests::GuestLogLine;

use crate::live::{EventWeight, name, sentence_of, weight};
use description::Robot;

/// Lines that are kept.
pub const LINES: usize = 4096;

/// Lines that are returned at once.
const BATCH: usize = 512;

/// A ring buffer of numbered lines.
#[derive(Debug, Default)]
pub struct EventHistory(Mutex<HistoryLines>);

#[derive(Debug, Default)]
struct HistoryLines {
    next: u64,
    kept: VecDeque<HistoryLine>,
}

/// A line as it was added. Its text is made when it is read.
#[derive(Debug)]
enum HistoryLine {
    Event(EventEntry, Option<String>),
    Guest(GuestLogLine),
}

impl EventHistory {
    /// Adds an event of the body, or of the lane of this owner.
    pub fn add_event(&self, entry: EventEntry, owner: Option<String>) {
        self.lines().add(HistoryLine::Event(entry, owner));
    }

    /// Adds a log line of a guest.
    pub fn add_guest_line(&self, line: &GuestLogLine) {
        self.lines().add(HistoryLine::Guest(line.clone()));
    }

    /// The number to ask for next time, and the kept lines from the number `since` on.
    pub fn since(&self, since: u64, robot: &Robot) -> (u64, Vec<Happened>) {
        let lines = self.lines();
        let oldest = lines.next - lines.kept.len() as u64;
        // A number that is too large comes from an earlier run.
        let from = if since > lines.next {
            oldest
        } else {
            since.max(oldest)
        };
        let skipped = usize::try_from(from - oldest).unwrap_or(usize::MAX);
        let wanted = lines.kept.iter().skip(skipped).take(BATCH);
        let lines: Vec<_> = (from..)
            .zip(wanted)
            .map(|(number, it)| it.to_json(number, robot))
            .collect();
        (from + lines.len() as u64, lines)
    }

    fn lines(&self) -> MutexGuard<'_, HistoryLines> {
        // A panic leaves nothing inconsistent: each change is one push.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HistoryLines {
    fn add(&mut self, line: HistoryLine) {
        if self.kept.len() == LINES {
            self.kept.pop_front();
        }
        self.next += 1;
        self.kept.push_back(line);
    }
}

impl HistoryLine {
    fn to_json(&self, number: u64, robot: &Robot) -> Happened {
        match self {
            HistoryLine::Event(entry, owner) => {
                let level = match weight(entry.event) {
                    EventWeight::Detail => "detail",
                    EventWeight::Plain => "plain",
                    EventWeight::Warning => "warning",
                };
                Happened {
                    number,
                    at_ns: entry.at.nanos(),
                    level: level.to_owned(),
                    event: name(entry.event).to_owned(),
                    guest: None,
                    text: sentence_of(entry.event, robot, owner.as_deref()),
                }
            }
            HistoryLine::Guest(line) => Happened {
                number,
                at_ns: line.now,
                level: line.level.name().to_owned(),
                event: "said".to_owned(),
                guest: Some(line.guest.clone()),
                text: line.text.clone(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EventHistory, LINES};
    use description::{RobotSource, load};
    use guests::{GuestLogLine, Level};

    fn guest_line(number: usize) -> GuestLogLine {
        GuestLogLine {
            guest: "wave".to_owned(),
            now: number as u64,
            level: Level::Warning,
            text: number.to_string(),
        }
    }

    #[test]
    fn a_reader_gets_each_line_once_and_notices_a_gap() {
        let history = EventHistory::default();
        let robot = load(&RobotSource::of("nao")).expect("a shipped robot");
        let (mut next, lines) = history.since(0, &robot);
        assert_eq!((next, lines.len()), (0, 0));
        for number in 0..1000 {
            history.add_guest_line(&guest_line(number));
        }
        let mut heard = Vec::new();
        loop {
            let (then, lines) = history.since(next, &robot);
            if lines.is_empty() {
                break;
            }
            next = then;
            heard.extend(lines.into_iter().map(|it| it.number));
        }
        assert_eq!(heard, (0..1000).collect::<Vec<_>>());
        for number in 0..2 * LINES {
            history.add_guest_line(&guest_line(number));
        }
        let (_, lines) = history.since(next, &robot);
        assert_eq!(lines[0].number, 1000 + LINES as u64, "older lines are gone");
        // A number of an earlier run means from the beginning.
        let (_, lines) = history.since(1 << 40, &robot);
        assert_eq!(lines[0].number, 1000 + LINES as u64);
    }
}
