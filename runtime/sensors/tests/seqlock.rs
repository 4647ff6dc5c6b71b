//! Every interleaving of a writer and a reader on the page's seqlock, explored by loom. This compiles `src/seqlock.rs`
//! unchanged, with loom's atomics instead of the machine's.
//! With all its orders the seqlock never returns a torn frame; without any one of them it does, or misses a
//! complete frame. A second reader would add nothing, because readers do not write.

#[path = "../src/seqlock.rs"]
mod seqlock;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use atomic::AtomicU64;

/// Loom's atomics, with one order left out if a test asks for it.
mod atomic {
    pub(crate) use std::sync::atomic::Ordering;

    use super::{Order, asked_for};

    pub(crate) struct AtomicU64(loom::sync::atomic::AtomicU64);

    impl AtomicU64 {
        pub(crate) fn new(value: u64) -> AtomicU64 {
            AtomicU64(loom::sync::atomic::AtomicU64::new(value))
        }

        pub(crate) fn load(&self, order: Ordering) -> u64 {
            self.0.load(order)
        }

        pub(crate) fn store(&self, value: u64, order: Ordering) {
            let left_out = order == Ordering::Release && asked_for(Order::ReleaseStore);
            let order = if left_out { Ordering::Relaxed } else { order };
            self.0.store(value, order);
        }
    }

    pub(crate) fn fence(order: Ordering) {
        let kind = match order {
            Ordering::Release => Order::ReleaseFence,
            _ => Order::AcquireFence,
        };
        if !asked_for(kind) {
            loom::sync::atomic::fence(order);
        }
    }
}

/// What keeps the seqlock's steps in order.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    ReleaseFence,
    ReleaseStore,
    AcquireFence,
}

/// Each by its place among its kind in a turn of the writer, and in a read of the reader.
const WRITERS_FENCE: (Order, usize) = (Order::ReleaseFence, 0);
const STAMP_STORE: (Order, usize) = (Order::ReleaseStore, 0);
const LATEST_STORE: (Order, usize) = (Order::ReleaseStore, 1);
const LATEST_FENCE: (Order, usize) = (Order::AcquireFence, 0);
const FIRST_FENCE: (Order, usize) = (Order::AcquireFence, 1);
const LAST_FENCE: (Order, usize) = (Order::AcquireFence, 2);

// Loom runs all threads of a model on the one thread that started it.
thread_local! {
    static LEFT_OUT: Cell<Option<(Order, usize)>> = const { Cell::new(None) };
    static MET: [Cell<usize>; 3] = const { [const { Cell::new(0) }; 3] };
}

/// The next order of this kind that is met is at this place.
fn expect(order: Order, place: usize) {
    MET.with(|met| met[order as usize].set(place));
}

/// Whether the order that is met now is the one to be left out.
fn asked_for(order: Order) -> bool {
    let place = MET.with(|met| met[order as usize].replace(met[order as usize].get() + 1));
    LEFT_OUT.get() == Some((order, place))
}

/// A page of this many frames, of two words each.
struct Model {
    latest: AtomicU64,
    frames: Vec<[AtomicU64; 3]>,
}

impl Model {
    fn new(frames: usize) -> Model {
        let frame = |_| [0; 3].map(AtomicU64::new);
        Model {
            latest: AtomicU64::new(0),
            frames: (0..frames).map(frame).collect(),
        }
    }

    fn publish(&self, turn: u64) {
        expect(Order::ReleaseFence, 0);
        expect(Order::ReleaseStore, 0);
        let [stamp, first, second] = &self.frames[turn as usize % self.frames.len()];
        seqlock::write(stamp, &self.latest, turn, || {
            first.store(turn, Relaxed);
            second.store(turn, Relaxed);
        });
    }

    fn newest(&self) -> u64 {
        expect(Order::AcquireFence, 0);
        seqlock::newest(&self.latest)
    }

    fn read_turn(&self, turn: u64) -> Option<(u64, u64)> {
        expect(Order::AcquireFence, 1);
        let [stamp, first, second] = &self.frames[turn as usize % self.frames.len()];
        seqlock::read(stamp, turn, || (first.load(Relaxed), second.load(Relaxed)))
    }
}

/// How often models came out in one way or the other, so that no promise is kept by silence.
#[derive(Default)]
struct Tally {
    read: AtomicUsize,
    refused: AtomicUsize,
}

/// What the reader asks for.
#[derive(Clone, Copy, Debug)]
enum Wish {
    Newest,
    Turn(u64),
}

/// Explores a writer of `turns` turns on a page of `frames` frames, beside a reader.
fn explore(
    frames: usize,
    turns: u64,
    wish: Wish,
    left_out: Option<(Order, usize)>,
) -> (usize, usize) {
    LEFT_OUT.set(left_out);
    let tally = Arc::new(Tally::default());
    let count = tally.clone();
    loom::model(move || {
        let page = loom::sync::Arc::new(Model::new(frames));
        let written = page.clone();
        let writer = loom::thread::spawn(move || (1..=turns).for_each(|i| written.publish(i)));
        let turn = match wish {
            Wish::Newest => page.newest(),
            Wish::Turn(turn) => turn,
        };
        if let Some(words) = page.read_turn(turn) {
            assert_eq!(words, (turn, turn), "a mixture");
            count.read.fetch_add(1, Relaxed);
        } else {
            let may_be_missing = match wish {
                Wish::Newest => turn == 0 || turn + frames as u64 <= turns,
                Wish::Turn(_) => true,
            };
            assert!(may_be_missing, "a whole frame is lost");
            count.refused.fetch_add(1, Relaxed);
        }
        writer.join().expect("the writer");
    });
    (tally.read.load(Relaxed), tally.refused.load(Relaxed))
}

#[test]
fn no_interleaving_lets_a_mixture_through_or_loses_a_frame() {
    // Side by side: the largest takes as long as all others.
    std::thread::scope(|scope| {
        for (frames, turns) in [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3)] {
            for wish in [Wish::Newest, Wish::Turn(1), Wish::Turn(turns)] {
                scope.spawn(move || {
                    let (read, refused) = explore(frames, turns, wish, None);
                    println!(
                        "{wish:?} of {turns} turns on {frames} frames: {read} read, {refused} refused"
                    );
                    assert!(read > 0 && refused > 0);
                });
            }
        }
    });
}

#[test]
#[should_panic(expected = "a mixture")]
fn without_the_writers_fence_a_mixture_passes() {
    explore(1, 2, Wish::Newest, Some(WRITERS_FENCE));
}

// Who asks for the newest turn has met the two orders on that already. Who asks for a turn has not.
#[test]
#[should_panic(expected = "a mixture")]
fn without_release_on_the_stamp_a_mixture_passes() {
    explore(1, 1, Wish::Turn(1), Some(STAMP_STORE));
}

#[test]
#[should_panic(expected = "a mixture")]
fn without_the_fence_after_the_first_stamp_a_mixture_passes() {
    explore(1, 1, Wish::Turn(1), Some(FIRST_FENCE));
}

#[test]
#[should_panic(expected = "a mixture")]
fn without_the_fence_before_the_last_stamp_a_mixture_passes() {
    explore(1, 2, Wish::Newest, Some(LAST_FENCE));
}

#[test]
#[should_panic(expected = "a whole frame is lost")]
fn without_release_on_the_newest_turn_a_frame_is_lost() {
    explore(1, 1, Wish::Newest, Some(LATEST_STORE));
}

#[test]
#[should_panic(expected = "a whole frame is lost")]
fn without_the_fence_after_the_newest_turn_a_frame_is_lost() {
    explore(1, 1, Wish::Newest, Some(LATEST_FENCE));
}
