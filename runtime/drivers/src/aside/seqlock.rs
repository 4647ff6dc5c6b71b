//! A sequence lock (seqlock) over atomics: one thread writes words and another reads a consistent set of them.
//! A part's thread and the turn share one in each direction.
//! The writer never waits, and a reader gets words that were written together, or none.

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// The words. Only one thread may write them.
#[derive(Debug)]
pub(super) struct SeqLock {
    /// The number of writes begun plus those ended: odd during a write, 0 before the first.
    sequence: AtomicU64,
    words: Vec<AtomicU64>,
}

impl SeqLock {
    /// A lock over `count` words that were never written.
    pub(super) fn new(count: usize) -> SeqLock {
        SeqLock {
            sequence: AtomicU64::new(0),
            words: (0..count).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Writes all of them.
    pub(super) fn write(&self, words: impl Iterator<Item = u64>) {
        let begun = self.sequence.load(Ordering::Relaxed) + 1;
        self.sequence.store(begun, Ordering::Relaxed);
        // A reader that sees one of the new words also sees the odd sequence.
        fence(Ordering::Release);
        for (place, word) in self.words.iter().zip(words) {
            place.store(word, Ordering::Relaxed);
        }
        self.sequence.store(begun + 1, Ordering::Release);
    }

    /// Reads all words. False if there was no write yet, or if one is under way; `into` is then unspecified.
    pub(super) fn read(&self, into: &mut [u64]) -> bool {
        let before = self.sequence.load(Ordering::Acquire);
        if before == 0 || !before.is_multiple_of(2) {
            return false;
        }
        for (into, place) in into.iter_mut().zip(&self.words) {
            *into = place.load(Ordering::Relaxed);
        }
        // Read the words before the sequence is compared.
        fence(Ordering::Acquire);
        self.sequence.load(Ordering::Relaxed) == before
    }

    /// Whether they were ever written.
    pub(super) fn is_written(&self) -> bool {
        self.sequence.load(Ordering::Relaxed) > 1
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn words_that_were_not_written_together_are_never_read() {
        let (words, over) = (SeqLock::new(40), AtomicBool::new(false));
        assert!(!words.read(&mut [0; 40]) && !words.is_written());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 1..=100_000 {
                    words.write((0..40).map(|i| number * 100 + i));
                    // Pause between two writes, so that a read can succeed.
                    (0..number % 100).for_each(|_| std::hint::spin_loop());
                }
                over.store(true, Ordering::Relaxed);
            });
            let (mut read, mut last, mut good) = ([0; 40], 0, 0);
            while !over.load(Ordering::Relaxed) {
                if words.read(&mut read) {
                    let first = read[0];
                    assert!(first >= last && first % 100 == 0);
                    assert!(read.iter().zip(first..).all(|(a, b)| *a == b), "{read:?}");
                    (last, good) = (first, good + 1);
                }
            }
            assert!(good > 0);
        });
    }
}
