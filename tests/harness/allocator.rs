//! The system's allocator, which counts what a thread does with it while that thread asks for it.
//! Used by whoever makes it its own: `#[global_allocator] static ALLOCATOR: Counting = Counting;`. The drivers' tests,
//! which stand below this crate, take this very file in. The law: counting itself allocates nothing, and whoever is not
//! watched pays for nothing but a look at a cell.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::Relaxed};

/// What a watched thread has done; others may read it meanwhile.
#[derive(Debug, Default)]
pub struct Counts {
    made: AtomicUsize,
    freed: AtomicUsize,
    largest: AtomicUsize,
    /// Bytes taken and not given back, and the most there ever were.
    taken: AtomicIsize,
    most: AtomicIsize,
}

impl Counts {
    /// Counts that outlive every thread.
    pub fn new() -> &'static Counts {
        Box::leak(Box::default())
    }

    /// Begins again.
    pub fn clear(&self) {
        for it in [&self.made, &self.freed, &self.largest] {
            it.store(0, Relaxed);
        }
        self.taken.store(0, Relaxed);
        self.most.store(0, Relaxed);
    }

    /// Allocations and frees; one that grows or shrinks counts once.
    pub fn calls(&self) -> usize {
        self.made() + self.freed()
    }

    /// Allocations.
    pub fn made(&self) -> usize {
        self.made.load(Relaxed)
    }

    /// Frees.
    pub fn freed(&self) -> usize {
        self.freed.load(Relaxed)
    }

    /// Bytes of the largest allocation.
    pub fn largest(&self) -> usize {
        self.largest.load(Relaxed)
    }

    /// The most bytes that were held at once.
    pub fn most(&self) -> isize {
        self.most.load(Relaxed)
    }

    fn take(&self, bytes: usize) {
        self.made.fetch_add(1, Relaxed);
        self.largest.fetch_max(bytes, Relaxed);
        self.hold(bytes.cast_signed());
    }

    fn give_back(&self, bytes: usize) {
        self.freed.fetch_add(1, Relaxed);
        self.hold(-bytes.cast_signed());
    }

    fn hold(&self, bytes: isize) {
        let now = self.taken.fetch_add(bytes, Relaxed) + bytes;
        self.most.fetch_max(now, Relaxed);
    }
}

thread_local! {
    /// Where this thread's calls are counted.
    static COUNTED: Cell<Option<&'static Counts>> = const { Cell::new(None) };
}

/// Counts this thread's calls from here on, or no longer.
pub fn watch(counts: Option<&'static Counts>) {
    COUNTED.set(counts);
}

fn counted(count: impl FnOnce(&Counts)) {
    // The cell is gone while a thread ends: then nothing is counted any more.
    if let Ok(Some(counts)) = COUNTED.try_with(Cell::get) {
        count(counts);
    }
}

/// The allocator itself.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is handed on to the system's allocator, whose promises are kept unchanged;
// counting touches atomics and a thread's cell, neither of which allocates.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        counted(|it| it.take(layout.size()));
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        counted(|it| it.give_back(layout.size()));
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        counted(|it| {
            it.hold(-layout.size().cast_signed());
            it.take(size);
        });
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}
