//! The history of the log: a ring buffer of its latest entries, of the body, of guests, of the parts of dcm-run.
//! Filled by the log, and by the server with its own entries; read by the socket's request handler.
//! The law: it keeps a fixed number of entries, and each has a number, so that a reader notices a gap.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ::socket::LogEntry;

/// Entries that are kept.
pub const ENTRIES: usize = 4096;

/// Entries that are returned at once.
const BATCH: usize = 512;

/// A ring buffer of numbered entries.
#[derive(Debug, Default)]
pub struct EventHistory(Mutex<HistoryEntries>);

#[derive(Debug, Default)]
struct HistoryEntries {
    next: u64,
    kept: VecDeque<LogEntry>,
}

impl EventHistory {
    /// Adds an entry, which gets the next number.
    pub fn add(&self, entry: LogEntry) {
        let mut entries = self.entries();
        if entries.kept.len() == ENTRIES {
            entries.kept.pop_front();
        }
        let number = entries.next;
        entries.next += 1;
        entries.kept.push_back(LogEntry { number, ..entry });
    }

    /// The number to ask for next time, and the kept entries from the number `since` on.
    pub fn since(&self, since: u64) -> (u64, Vec<LogEntry>) {
        let entries = self.entries();
        let oldest = entries.next - entries.kept.len() as u64;
        // A number that is too large comes from an earlier run.
        let from = if since > entries.next {
            oldest
        } else {
            since.max(oldest)
        };
        let skipped = usize::try_from(from - oldest).unwrap_or(usize::MAX);
        let wanted: Vec<_> = entries
            .kept
            .iter()
            .skip(skipped)
            .take(BATCH)
            .cloned()
            .collect();
        (from + wanted.len() as u64, wanted)
    }

    fn entries(&self) -> MutexGuard<'_, HistoryEntries> {
        // A panic leaves nothing inconsistent: each change is one push.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{ENTRIES, EventHistory};
    use socket::LogEntry;

    fn entry(number: usize) -> LogEntry {
        LogEntry {
            text: number.to_string(),
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
            heard.extend(entries.into_iter().map(|it| it.number));
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
