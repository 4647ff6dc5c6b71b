//! What robots and their clients do over the network, in both directions: `client` sends the requests of `protocol`,
//! `discovery` finds robots, `pairing` exchanges a code for a token, and `signature` vouches for choreographies.
//! Shared by `daemon` and `dcm-run`.

pub mod client;
pub mod discovery;
pub mod folders;
pub mod hex;
pub mod pairing;
pub mod signature;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after a panic of its holder: no holder leaves its data incomplete.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
