//! Maps a file as an array of atomic words. The only unsafe code of this crate.
//! Used by the writer (private until the file is renamed into place) and by the reader.
//! Every process reads and writes a word only atomically.

#![allow(
    unsafe_code,
    reason = "mapping a file, and viewing its bytes as atomic words"
)]

use std::fs::File;
use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::{Mmap, MmapMut};

/// A mapped file. `M` is the kind of mapping.
#[derive(Debug)]
pub(crate) struct MappedWords<M>(M);

impl MappedWords<Mmap> {
    /// Maps a file read-only: a write through it would be a fault of this process alone.
    pub(crate) fn read_only(file: &File) -> io::Result<Self> {
        // SAFETY: memmap2 requires that nobody changes the file while it is mapped. The writer does change it, as
        // intended: so its bytes are only ever accessed as atomic words. The one harmful change is to shrink the file;
        // only its owner can do so, and the writer never does.
        Ok(MappedWords(unsafe { Mmap::map(file)? }))
    }
}

impl MappedWords<MmapMut> {
    /// Maps a file for writing.
    pub(crate) fn writable(file: &File) -> io::Result<Self> {
        // SAFETY: as for `read_only`.
        Ok(MappedWords(unsafe { MmapMut::map_mut(file)? }))
    }

    /// Memory that only this process sees.
    pub(crate) fn private(words: usize) -> io::Result<Self> {
        Ok(MappedWords(MmapMut::map_anon(words * 8)?))
    }
}

impl<M: AsRef<[u8]>> MappedWords<M> {
    /// The file as words; an incomplete word at its end is left out.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        let bytes = self.0.as_ref();
        // SAFETY: a mapping begins at a page boundary, so the pointer is aligned for a word, and `len() / 8` words lie
        // within it. Any bytes are a valid `AtomicU64`. The slice lives no longer than the mapping. No reference to the
        // plain bytes ever leaves this type, so all access in this process is atomic. For memory that is mapped
        // read-only, the standard library guarantees on 64-bit processors only that relaxed loads work: so `seqlock.rs`
        // puts a fence behind each. On 32-bit ARM it guarantees nothing for a word of 64 bits; there the load is LDREXD
        // or LDRD, neither of which stores.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<AtomicU64>(), bytes.len() / 8) }
    }
}
