//! One block of memory, from which all slices of a cycle are cut, side by side and in huge pages where the system has
//! them. In pages of 4 kB, spread over the memory, the tables of a thousand joints evict each other from a cache that
//! would hold them all; which ones is another matter with each start.
//! Used by `CycleStore`.
//! Each byte belongs to one slice, and every slice is written before it is seen.

#![allow(unsafe_code, reason = "slices of several types are cut from one block")]

use std::io;
use std::mem::{MaybeUninit, needs_drop};

use memmap2::{MmapMut, MmapOptions};

/// The size of a huge page; a smaller block does without.
const HUGE: usize = 2 << 20;

/// The least alignment of a slice: no two of them share a cache line.
const LINE: usize = 64;

/// Where slices come from.
pub(super) trait Cut<'m> {
    /// A slice of so many, each as `make` makes it.
    fn slice<T: 'm>(&mut self, count: usize, make: impl FnMut() -> T) -> &'m mut [T];
}

/// Counts the bytes that slices need, and makes only empty ones.
#[derive(Default)]
pub(super) struct SliceMeasure {
    pub(super) bytes: usize,
}

impl<'m> Cut<'m> for SliceMeasure {
    fn slice<T: 'm>(&mut self, count: usize, _: impl FnMut() -> T) -> &'m mut [T] {
        let align = align_of::<T>().max(LINE);
        self.bytes = self.bytes.next_multiple_of(align) + count * size_of::<T>();
        &mut []
    }
}

/// The block.
pub(super) struct MemoryBlock {
    map: MmapMut,
    bytes: usize,
}

impl MemoryBlock {
    /// A block of so many bytes.
    pub(super) fn new(bytes: usize) -> io::Result<MemoryBlock> {
        let bytes = bytes.max(1);
        if bytes < HUGE / 4 {
            let map = MmapOptions::new().len(bytes).map_anon()?;
            return Ok(MemoryBlock { map, bytes });
        }
        let bytes = bytes.next_multiple_of(HUGE);
        let map = MmapOptions::new().len(bytes + HUGE).map_anon()?;
        // A kernel without huge pages gives small ones.
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(MemoryBlock { map, bytes })
    }

    /// An arena of the whole block.
    pub(super) fn arena(&mut self) -> Arena<'_> {
        let at = self.map.as_ptr().align_offset(HUGE);
        let spare = self.map.len() - self.bytes;
        let start = if at <= spare { at } else { 0 };
        let bytes = &mut self.map[start..start + self.bytes];
        Arena::of(bytes)
    }
}

/// What is left of a block.
pub(super) struct Arena<'m> {
    rest: &'m mut [u8],
}

impl<'m> Arena<'m> {
    fn of(rest: &'m mut [u8]) -> Self {
        Arena { rest }
    }
}

impl<'m> Cut<'m> for Arena<'m> {
    /// # Panics
    /// The block is smaller than what was measured.
    fn slice<T: 'm>(&mut self, count: usize, mut make: impl FnMut() -> T) -> &'m mut [T] {
        const { assert!(!needs_drop::<T>(), "nobody drops what lies in a block") };
        let rest = std::mem::take(&mut self.rest);
        let gap = rest.as_ptr().align_offset(align_of::<T>().max(LINE));
        let (slice, rest) = rest[gap..].split_at_mut(count * size_of::<T>());
        self.rest = rest;
        // SAFETY: any bytes are a `MaybeUninit<T>`, and the bytes are borrowed for as long as the slice, which nobody
        // reads as bytes afterwards: the borrow of the block's bytes has moved into it.
        let (_, places, _) = unsafe { slice.align_to_mut::<MaybeUninit<T>>() };
        assert_eq!(places.len(), count, "the slice is aligned");
        for place in &mut *places {
            place.write(make());
        }
        // SAFETY: all of them were written just now.
        unsafe { places.assume_init_mut() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts slices of three types, and writes into all of them.
    fn cut<'m>(arena: &mut impl Cut<'m>, counts: [usize; 3]) -> [usize; 3] {
        let bytes = arena.slice(counts[0], || 7u8);
        let words = arena.slice(counts[1], || 1.5f64);
        let pairs = arena.slice(counts[2], || (3u16, Some(9u64)));
        bytes.fill(8);
        words.fill(2.5);
        pairs.fill((4, None));
        assert!(bytes.iter().all(|byte| *byte == 8));
        assert!(words.iter().all(|word| *word == 2.5));
        assert!(pairs.iter().all(|pair| *pair == (4, None)));
        [bytes.len(), words.len(), pairs.len()]
    }

    #[test]
    fn slices_lie_side_by_side_and_do_not_overlap() {
        let mut bytes = vec![0; 1 << 16];
        for counts in [[1, 1, 1], [0, 0, 0], [63, 64, 65], [1000, 3, 200]] {
            assert_eq!(cut(&mut Arena::of(&mut bytes), counts), counts);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri cannot give advice about mappings")]
    fn a_block_has_room_for_what_was_measured() {
        for counts in [
            [0, 0, 0],
            [1, 2, 3],
            [5000, 70_001, 9],
            [1 << 20, 1 << 20, 3],
        ] {
            let mut measure = SliceMeasure::default();
            assert_eq!(cut(&mut measure, counts), [0, 0, 0]);
            let mut block = MemoryBlock::new(measure.bytes).expect("memory");
            assert_eq!(cut(&mut block.arena(), counts), counts);
        }
    }
}
