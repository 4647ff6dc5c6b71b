//! A triple buffer: the newest of something, from one thread to another. Neither side ever waits.
//! Used twice: sensors to the turn, commands from it. `tests/lola/interleavings.rs` compiles this very file with loom's
//! atomics.
//!
//! There are three rooms. The producer fills one, the consumer reads one, and the third lies between them: each side
//! exchanges its own for that one when it is done.
//! The law: a room belongs to one side at a time, so that what is taken is whole, and is the newest that was given.

use std::sync::Arc;

use super::atomic::{AtomicU8, AtomicU64, Ordering};

/// Set beside the number of the room between while nobody has taken what is in it.
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

/// The end that gives.
#[derive(Debug)]
pub(super) struct Producer<const N: usize> {
    shared: Arc<TripleBuffer<N>>,
    own: u8,
}

/// The end that takes.
#[derive(Debug)]
pub(super) struct Consumer<const N: usize> {
    shared: Arc<TripleBuffer<N>>,
    own: u8,
}

/// Both ends of a triple buffer for so many words.
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
    /// These are the newest now; what was not taken before is forgotten.
    pub(super) fn give(&mut self, words: &[u64; N]) {
        for (place, word) in self.shared.room(self.own).iter().zip(words) {
            place.store(*word, Ordering::Relaxed);
        }
        // Whoever gets this room sees all its words; and we get one that nobody reads any more.
        let between = self.shared.between.swap(self.own | FRESH, Ordering::AcqRel);
        self.own = between & 3;
    }
}

impl<const N: usize> Consumer<N> {
    /// Takes the newest, if there is one that was not taken yet.
    pub(super) fn take(&mut self, words: &mut [u64; N]) -> bool {
        if self.shared.between.load(Ordering::Relaxed) & FRESH == 0 {
            return false;
        }
        // Only this end takes the mark away: what was fresh is fresh still, or there is a newer one.
        let between = self.shared.between.swap(self.own, Ordering::AcqRel);
        self.own = between & 3;
        for (word, place) in words.iter_mut().zip(self.shared.room(self.own)) {
            *word = place.load(Ordering::Relaxed);
        }
        true
    }
}
