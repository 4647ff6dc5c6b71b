//! A file as a row of atomic words. The only unsafe code of this crate.
//! Used by the writer (private until it is renamed into place) and the reader.
//! The law: a word is only ever read and written atomically, whoever maps it.

#![allow(
    unsafe_code,
    reason = "mapping a file, and seeing its bytes as atomic words"
)]

use std::fs::File;
use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::{Mmap, MmapMut};

/// A mapped file. `M` is how it is mapped.
#[derive(Debug)]
pub(crate) struct MappedWords<M>(M);

impl MappedWords<Mmap> {
    /// Maps a file for reading: a write through it would be a fault of this process alone.
    pub(crate) fn read_only(file: &File) -> io::Result<Self> {
        // SAFETY: memmap2 asks that nobody changes the file underneath. Somebody does, and is
        // meant to: hence its bytes are never seen as anything but atomic words. The one change
        // that would hurt is to shrink the file; only its owner can, and the writer never does.
        Ok(MappedWords(unsafe { Mmap::map(file)? }))
    }
}

impl MappedWords<MmapMut> {
    /// Maps a file for writing.
    pub(crate) fn writable(file: &File) -> io::Result<Self> {
        // SAFETY: as for `read_only`.
        Ok(MappedWords(unsafe { MmapMut::map_mut(file)? }))
    }

    /// Memory that nobody else sees.
    pub(crate) fn private(words: usize) -> io::Result<Self> {
        Ok(MappedWords(MmapMut::map_anon(words * 8)?))
    }
}

impl<M: AsRef<[u8]>> MappedWords<M> {
    /// The file as whole words; a rest of less than a word is not shown.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        let bytes = self.0.as_ref();
        // SAFETY: a mapping begins at a page boundary, so the pointer is aligned for a word, and
        // `len() / 8` words lie within it. Any bytes are a valid `AtomicU64`. The slice lives no
        // longer than the mapping. No reference to the plain bytes is ever handed out, so that
        // all access in this process is atomic. Of memory that is mapped read-only the standard
        // library promises for 64-bit processors that relaxed loads work, and for no other order:
        // hence `seqlock.rs` puts a fence behind each. On 32-bit ARM it promises nothing for a word
        // of 64 bits; there the load is LDREXD or LDRD, neither of which stores.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<AtomicU64>(), bytes.len() / 8) }
    }
}
