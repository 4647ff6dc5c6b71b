//! A choreography on its way in: written beside, hashed as it comes.
//! Begun and ended by the store. The law: it is never longer than it may be, and half of one leaves nothing.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{CHOREOGRAPHY_MAX, Disk, StoreError};

/// A choreography that is coming in.
pub struct Upload {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) path: String,
    pub(super) hash: Sha256,
    pub(super) head: Vec<u8>,
    pub(super) bytes: u64,
    pub(super) most: u64,
    pub(super) whole: bool,
}

impl Upload {
    /// The next piece of it.
    ///
    /// # Errors
    /// It is longer than it may be, or the disk would not.
    pub fn write(&mut self, piece: &[u8]) -> Result<(), StoreError> {
        self.bytes += piece.len() as u64;
        if self.bytes > self.most {
            return Err(if self.most == CHOREOGRAPHY_MAX {
                StoreError::Large(self.most)
            } else {
                let (needs, quota) = (self.bytes, self.most);
                StoreError::Quota { needs, quota }
            });
        }
        let missing = 8_usize.saturating_sub(self.head.len()).min(piece.len());
        self.head.extend_from_slice(&piece[..missing]);
        self.hash.update(piece);
        Ok(self.disk.write(&self.path, piece, false)?)
    }

    /// How many bytes have come.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if !self.whole {
            // Half an upload is none.
            let _ = self.disk.remove(&self.path);
        }
    }
}

/// Only components come in: compiled code never.
pub(super) fn kind(head: &[u8]) -> Result<(), StoreError> {
    Err(StoreError::NotAComponent(match head {
        [0, b'a', b's', b'm', 0x0d, 0, 1, 0] => return Ok(()),
        [0, b'a', b's', b'm', 1, 0, 0, 0] => "a core module of WebAssembly",
        [0, b'a', b's', b'm', ..] => "of a version of WebAssembly that is not known here",
        [0x7f, b'E', b'L', b'F', ..] => "compiled code, which is never taken",
        [] => "empty",
        _ => "no WebAssembly at all",
    }))
}
