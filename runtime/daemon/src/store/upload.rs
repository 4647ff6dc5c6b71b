//! An upload: written to a temporary file, and hashed as it arrives.
//! Begun and installed by the store. It never exceeds its limit; an incomplete upload leaves no file.

use std::sync::Arc;

use network::hex::hex;
use sha2::{Digest, Sha256};

use super::{CHOREOGRAPHY_MAX, Disk, StoreError};

/// An upload in progress.
pub struct Upload {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) path: String,
    pub(super) hash: Sha256,
    pub(super) head: Vec<u8>,
    pub(super) bytes: u64,
    pub(super) most: u64,
    pub(super) is_complete: bool,
}

impl Upload {
    /// Appends the next piece.
    ///
    /// # Errors
    /// It exceeds the limit, or the disk fails.
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

    /// Whether it begins like a program, not like the file of a motion.
    pub fn is_program(&self) -> bool {
        [b"\0asm", b"\x7fELF"]
            .iter()
            .any(|text| self.head.starts_with(*text))
    }

    /// The path of what has arrived, below the store's folder.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether its bytes have the announced digest.
    ///
    /// # Errors
    /// They have another one.
    pub fn verify(&self, said: &str) -> Result<(), StoreError> {
        let is = hex(&self.hash.clone().finalize());
        if is == said {
            return Ok(());
        }
        let text = said.to_owned();
        Err(StoreError::Digest { said: text, is })
    }

    /// The number of bytes so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if !self.is_complete {
            // If this fails, the next start removes the file.
            let _ = self.disk.remove(&self.path);
        }
    }
}

/// Accepts only components, by their first bytes: never compiled code.
pub(super) fn require_component(head: &[u8]) -> Result<(), StoreError> {
    Err(StoreError::NotAComponent(match head {
        [0, b'a', b's', b'm', 0x0d, 0, 1, 0] => return Ok(()),
        [0, b'a', b's', b'm', 1, 0, 0, 0] => "a core module of WebAssembly",
        [0, b'a', b's', b'm', ..] => "of an unknown version of WebAssembly",
        [0x7f, b'E', b'L', b'F', ..] => "compiled code, which is never accepted",
        [] => "empty",
        _ => "not WebAssembly",
    }))
}
