//! A triple buffer: passes the newest words from one thread to another. Neither side ever waits.
//! Used twice: sensors to the turn, commands from it. `tests/lola/interleavings.rs` compiles this file with loom's
//! atomics.
//!
//! There are three buffers. The producer fills one, the consumer reads one, and the third lies between them. Each side
//! exchanges its own buffer for that one when it is done.
//! A buffer belongs to one side at a time, so the consumer takes complete words, and the newest ones.

use std::sync::Arc;

use super::atomic::{AtomicU8, AtomicU64, Ordering};

/// A bit set beside the number of the middle buffer until the consumer takes it.
const FRESH: u8 = 4;

#[derive(Debug)]
struct TripleBuffer<const N: usize> {
    rooms: [[AtomicU64; N]; 3],
    between: AtomicU8,
}

impl<const N: usize> TripleBuffer<N> {
    fn room(&self, room: u8) -> &[AtomicU64; N] {
        &self.rooms[usize::from(room & 3) % 3]
    }
}

/// The writing end.
#[derive(Debug)]
pub(super) struct Producer<const N: usize> {
    shared: Arc<TripleBuffer<N>>,
    own: u8,
}

/// The reading end.
#[derive(Debug)]
pub(super) struct Consumer<const N: usize> {
    shared: Arc<TripleBuffer<N>>,
    own: u8,
}

/// Makes both ends of a triple buffer of `N` words.
pub(super) fn triple_buffer<const N: usize>() -> (Producer<N>, Consumer<N>) {
    let room = || std::array::from_fn(|_| AtomicU64::new(0));
    let shared = Arc::new(TripleBuffer {
        rooms: [room(), room(), room()],
        between: AtomicU8::new(1),
    });
    let producer = Producer {
        shared: Arc::clone(&shared),
        own: 0,
    };
    (producer, Consumer { shared, own: 2 })
}

impl<const N: usize> Producer<N> {
    /// Publishes these words; earlier ones that were not taken are lost.
    pub(super) fn give(&mut self, words: &[u64; N]) {
        for (place, word) in self.shared.room(self.own).iter().zip(words) {
            place.store(*word, Ordering::Relaxed);
        }
        // Release: the consumer sees all words of this buffer. Acquire: the buffer that we get is not read any more.
        let between = self.shared.between.swap(self.own | FRESH, Ordering::AcqRel);
        self.own = between & 3;
    }
}

impl<const N: usize> Consumer<N> {
    /// Takes the newest words; false if they were taken already.
    pub(super) fn take(&mut self, words: &mut [u64; N]) -> bool {
        if self.shared.between.load(Ordering::Relaxed) & FRESH == 0 {
            return false;
        }
        // Only this end clears the bit: so the buffer is still fresh, or there is a newer one.
        let between = self.shared.between.swap(self.own, Ordering::AcqRel);
        self.own = between & 3;
        for (word, place) in words.iter_mut().zip(self.shared.room(self.own)) {
            *word = place.load(Ordering::Relaxed);
        }
        true
    }
}
