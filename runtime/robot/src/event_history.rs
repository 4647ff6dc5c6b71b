//! The history of the log: a ring buffer of its latest entries, of the body, of guests, of the parts of dcm-run.
//! Filled by the log, and by the server with its own entries; read by the socket's request handler.
//! It keeps a fixed number of entries, and each has a number, so that a reader notices a gap. Details never
//! push out what matters: each of the two has a ring of its own.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ::protocol::LogEntry;

/// Entries that are kept of what is `info` or more, and as many of the details.
pub const ENTRIES: usize = 4096;

/// Entries that are returned at once.
const BATCH: usize = 512;

/// A ring buffer of numbered entries.
#[derive(Debug, Default)]
pub struct EventHistory(Mutex<HistoryEntries>);

#[derive(Debug, Default)]
struct HistoryEntries {
    next: u64,
    /// By their numbers, as the other.
    kept: VecDeque<LogEntry>,
    details: VecDeque<LogEntry>,
}

impl EventHistory {
    /// Adds an entry, which gets the next number.
    pub fn add(&self, entry: LogEntry) {
        let mut entries = self.entries();
        let number = entries.next;
        entries.next += 1;
        let ring = if entry.is_at_least("info") {
            &mut entries.kept
        } else {
            &mut entries.details
        };
        if ring.len() == ENTRIES {
            ring.pop_front();
        }
        ring.push_back(LogEntry { number, ..entry });
    }

    /// The number to ask for next time, and the kept entries from the number `since` on.
    pub fn since(&self, since: u64) -> (u64, Vec<LogEntry>) {
        let entries = self.entries();
        // A number that is too large comes from an earlier run.
        let from = if since > entries.next { 0 } else { since };
        let rest = |ring: &VecDeque<LogEntry>| ring.partition_point(|item| item.number < from);
        let mut kept = entries.kept.iter().skip(rest(&entries.kept)).peekable();
        let mut details = entries
            .details
            .iter()
            .skip(rest(&entries.details))
            .peekable();
        let mut wanted = Vec::new();
        while wanted.len() < BATCH {
            let next = match (kept.peek(), details.peek()) {
                (Some(one), Some(other)) if one.number > other.number => details.next(),
                (Some(_), _) => kept.next(),
                (None, _) => details.next(),
            };
            let Some(next) = next else { break };
            wanted.push(next.clone());
        }
        let next = wanted.last().map_or(entries.next, |value| value.number + 1);
        (next, wanted)
    }

    fn entries(&self) -> MutexGuard<'_, HistoryEntries> {
        // A panic leaves nothing inconsistent: each change is one push.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{ENTRIES, EventHistory};
    use protocol::LogEntry;

    #[test]
    fn details_do_not_push_out_what_matters() {
        let history = EventHistory::default();
        let leveled = |level: &str| LogEntry {
            level: level.to_owned(),
            ..LogEntry::default()
        };
        // Urgent entries at random among a flood of details.
        let mut random = fastrand::Rng::with_seed(1);
        let mut urgent = Vec::new();
        for number in 0..20 * ENTRIES as u64 {
            let is_urgent = random.u32(..40) == 0;
            history.add(leveled(if is_urgent { "warn" } else { "debug" }));
            urgent.extend(is_urgent.then_some(number));
        }
        let (mut next, mut read) = (0, Vec::new());
        loop {
            let (then, entries) = history.since(next);
            if entries.is_empty() {
                break;
            }
            next = then;
            read.extend(entries.into_iter().map(|entry| (entry.number, entry.level)));
        }
        assert!(read.is_sorted(), "in the order of their numbers");
        let warned: Vec<_> = read
            .iter()
            .filter(|pair| pair.1 == "warn")
            .map(|pair| pair.0)
            .collect();
        assert_eq!(warned, urgent);
        assert_eq!(read.len() - warned.len(), ENTRIES);
        assert_eq!(next, 20 * ENTRIES as u64);
    }

    fn entry(number: usize) -> LogEntry {
        LogEntry {
            text: number.to_string(),
            level: "info".to_owned(),
            ..LogEntry::default()
        }
    }

    #[test]
    fn a_reader_gets_each_line_once_and_notices_a_gap() {
        let history = EventHistory::default();
        let (mut next, entries) = history.since(0);
        assert_eq!((next, entries.len()), (0, 0));
        for number in 0..1000 {
            history.add(entry(number));
        }
        let mut heard = Vec::new();
        loop {
            let (then, entries) = history.since(next);
            if entries.is_empty() {
                break;
            }
            next = then;
            heard.extend(entries.into_iter().map(|entry| entry.number));
        }
        assert_eq!(heard, (0..1000).collect::<Vec<_>>());
        for number in 0..2 * ENTRIES {
            history.add(entry(number));
        }
        let (_, entries) = history.since(next);
        assert_eq!(
            entries[0].number,
            1000 + ENTRIES as u64,
            "older entries are gone"
        );
        // A number of an earlier run means from the beginning.
        let (_, entries) = history.since(1 << 40);
        assert_eq!(entries[0].number, 1000 + ENTRIES as u64);
    }
}
