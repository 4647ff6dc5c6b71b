//! The event history: the last things that happened to the body and that guests said, for those who ask later.
//! Written by whoever shows a loop, lines_since by the socket's handlers.
//! The law: it keeps the last lines and no more; every line has a number, so that a gap shows.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ::socket::Happened;
use cycle::EventEntry;
use guests::GuestLogLine;

use crate::live::{EventWeight, name, sentence_of, weight};
use description::Robot;

/// HistoryLines that are kept.
pub const LINES: usize = 4096;

/// HistoryLines that are lines_since at once.
const AT_ONCE: usize = 512;

/// A ring buffer of numbered lines.
#[derive(Debug, Default)]
pub struct EventHistory(Mutex<HistoryLines>);

#[derive(Debug, Default)]
struct HistoryLines {
    next: u64,
    kept: VecDeque<HistoryLine>,
}

/// A line as it came: it is put into words for those who ask.
#[derive(Debug)]
enum HistoryLine {
    Event(EventEntry, Option<String>),
    Guest(GuestLogLine),
}

impl EventHistory {
    /// Something happened to the body, or in the lane of this owner.
    pub fn add_event(&self, entry: EventEntry, owner: Option<String>) {
        self.lines().add(HistoryLine::Event(entry, owner));
    }

    /// A guest said something.
    pub fn add_guest_line(&self, line: &GuestLogLine) {
        self.lines().add(HistoryLine::Guest(line.clone()));
    }

    /// What is kept from this number on of this robot, and the number to ask for next.
    pub fn since(&self, since: u64, robot: &Robot) -> (u64, Vec<Happened>) {
        let lines = self.lines();
        let oldest = lines.next - lines.kept.len() as u64;
        // Whoever has heard more than there is has heard it of another run.
        let from = if since > lines.next {
            oldest
        } else {
            since.max(oldest)
        };
        let skipped = usize::try_from(from - oldest).unwrap_or(usize::MAX);
        let wanted = lines.kept.iter().skip(skipped).take(AT_ONCE);
        let lines_since: Vec<_> = (from..)
            .zip(wanted)
            .map(|(number, it)| it.to_json(number, robot))
            .collect();
        (from + lines_since.len() as u64, lines_since)
    }

    fn lines(&self) -> MutexGuard<'_, HistoryLines> {
        // Nobody leaves anything half done here: each step is one push.
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
            HistoryLine::Guest(said) => Happened {
                number,
                at_ns: said.now,
                level: said.level.name().to_owned(),
                event: "said".to_owned(),
                guest: Some(said.guest.clone()),
                text: said.text.clone(),
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
    fn whoever_asks_again_hears_everything_once_and_a_gap_shows() {
        let history = EventHistory::default();
        let robot = load(&RobotSource::of("nao")).expect("a shipped robot");
        let (mut next, lines_since) = history.since(0, &robot);
        assert_eq!((next, lines_since.len()), (0, 0));
        for number in 0..1000 {
            history.add_guest_line(&guest_line(number));
        }
        let mut heard = Vec::new();
        loop {
            let (then, lines_since) = history.since(next, &robot);
            if lines_since.is_empty() {
                break;
            }
            next = then;
            heard.extend(lines_since.into_iter().map(|it| it.number));
        }
        assert_eq!(heard, (0..1000).collect::<Vec<_>>());
        for number in 0..2 * LINES {
            history.add_guest_line(&guest_line(number));
        }
        let (_, lines_since) = history.since(next, &robot);
        assert_eq!(
            lines_since[0].number,
            1000 + LINES as u64,
            "what came before is gone"
        );
        // A number of another run means from the beginning.
        let (_, lines_since) = history.since(1 << 40, &robot);
        assert_eq!(lines_since[0].number, 1000 + LINES as u64);
    }
}
