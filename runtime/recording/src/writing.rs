//! Tells a recording that is still being written from one that was cut off.
//! The writers lock the file while they have it open; whoever opens a recording asks for the lock.
//! The system releases the lock with the process, however that ends. Nobody waits for it.

use std::fs::{File, TryLockError};

/// Marks a new file as being written, until it is closed. Where files have no locks, it then looks cut off.
pub(super) fn mark(file: &File) {
    let _ = file.try_lock();
}

/// Whether a process is writing this file.
pub(super) fn is_written(file: &File) -> bool {
    match file.try_lock_shared() {
        Ok(()) => {
            let _ = file.unlock();
            false
        }
        Err(error) => matches!(error, TryLockError::WouldBlock),
    }
}
