//! An allocator that counts the calls of a thread while the thread asks for it, and passes them on to the system's.
//! Installed with `#[global_allocator] static ALLOCATOR: Counting = Counting;`. The tests of `drivers` include this
//! file, because that crate is below this one. Counting allocates nothing, and costs other threads only a look
//! at a cell.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::Relaxed};

/// The counts of a thread; other threads may read them.
#[derive(Debug, Default)]
pub struct Counts {
    made: AtomicUsize,
    freed: AtomicUsize,
    largest: AtomicUsize,
    /// Bytes that are allocated, and the maximum of that.
    taken: AtomicIsize,
    most: AtomicIsize,
}

impl Counts {
    /// Counts with a static lifetime.
    pub fn new() -> &'static Counts {
        Box::leak(Box::default())
    }

    /// Sets all counts to zero.
    pub fn clear(&self) {
        for item in [&self.made, &self.freed, &self.largest] {
            item.store(0, Relaxed);
        }
        self.taken.store(0, Relaxed);
        self.most.store(0, Relaxed);
    }

    /// Allocations and frees; a reallocation counts once.
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

    /// The maximum number of allocated bytes.
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
    /// Where the calls of this thread are counted.
    static COUNTED: Cell<Option<&'static Counts>> = const { Cell::new(None) };
}

/// Begins or ends counting the calls of this thread.
pub fn watch(counts: Option<&'static Counts>) {
    COUNTED.set(counts);
}

fn counted(count: impl FnOnce(&Counts)) {
    // The cell is gone while the thread ends: then nothing is counted.
    if let Ok(Some(counts)) = COUNTED.try_with(Cell::get) {
        count(counts);
    }
}

/// The allocator itself.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged. Counting uses atomics and a cell of the thread,
// which allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        counted(|counts| counts.take(layout.size()));
        // SAFETY: the caller keeps the requirements of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        counted(|counts| counts.give_back(layout.size()));
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        counted(|counts| {
            counts.hold(-layout.size().cast_signed());
            counts.take(size);
        });
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}
