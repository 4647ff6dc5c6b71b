//! Every interleaving of producer and consumer on the triple buffer between the turn and LoLA's thread, explored by
//! loom.
//! `src/lola/triple_buffer.rs` is compiled here as it stands, with loom's atomics in the place of the machine's.
//! What is taken is whole and never older than what was taken before; without the exchange's order it is torn.

#[path = "../../src/lola/triple_buffer.rs"]
mod triple_buffer;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Loom's atomics, with the exchange's order left out if a test asks for it.
mod atomic {
    pub(crate) use std::sync::atomic::Ordering;

    pub(crate) use loom::sync::atomic::AtomicU64;

    #[derive(Debug)]
    pub(crate) struct AtomicU8(loom::sync::atomic::AtomicU8);

    impl AtomicU8 {
        pub(crate) fn new(value: u8) -> AtomicU8 {
            AtomicU8(loom::sync::atomic::AtomicU8::new(value))
        }

        pub(crate) fn load(&self, order: Ordering) -> u8 {
            self.0.load(order)
        }

        pub(crate) fn swap(&self, value: u8, order: Ordering) -> u8 {
            let order = super::LEFT_OUT.get().unwrap_or(order);
            self.0.swap(value, order)
        }
    }
}

thread_local! {
    /// The order that an exchange has instead of its own. Loom runs all threads of a model in this one.
    static LEFT_OUT: std::cell::Cell<Option<atomic::Ordering>> = const { std::cell::Cell::new(None) };
}

/// How often what was taken was torn, and how often something was taken at all.
fn explore() -> (usize, usize) {
    let counts = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let counted = Arc::clone(&counts);
    loom::model(move || {
        let (mut giver, mut taker) = triple_buffer::triple_buffer::<2>();
        let thread = loom::thread::spawn(move || (1..=3).for_each(|i| giver.give(&[i; 2])));
        let (mut words, mut before) = ([0; 2], 0);
        for _ in 0..2 {
            if taker.take(&mut words) {
                counted.1.fetch_add(1, Relaxed);
                if words[0] != words[1] || words[0] <= before {
                    counted.0.fetch_add(1, Relaxed);
                }
                before = words[0];
            }
        }
        thread.join().expect("a giver");
        // When all was given, the newest is there, once.
        let fresh = taker.take(&mut words);
        if !(fresh || before == 3) || words != [3; 2] {
            counted.0.fetch_add(1, Relaxed);
        }
        assert!(!taker.take(&mut words));
    });
    (counts.0.load(Relaxed), counts.1.load(Relaxed))
}

#[test]
fn what_is_taken_is_whole_and_the_newest() {
    let (torn, taken) = explore();
    assert_eq!(torn, 0);
    assert!(taken > 0);
}

#[test]
fn without_its_order_the_exchange_tears() {
    for order in [
        atomic::Ordering::Relaxed,
        atomic::Ordering::Acquire,
        atomic::Ordering::Release,
    ] {
        LEFT_OUT.set(Some(order));
        assert!(explore().0 > 0, "{order:?}");
    }
}
