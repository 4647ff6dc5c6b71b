//! The robot's API: the types of its requests and answers, and the client.
//!
//! Shared by `daemon`, which answers, and `dcm-run`, which asks. Requests and answers stand in files named after the
//! server's routes; `client` sends them, `discovery` finds robots in the network, `signature` vouches for
//! choreographies. The law: both ends read and write a message by the same type.

pub mod body;
pub mod choreographies;
pub mod client;
pub mod dcm;
pub mod discovery;
pub mod folders;
pub mod guests;
pub mod hex;
pub mod keys;
pub mod memory;
pub mod pairing;
pub mod people;
pub mod recordings;
pub mod robot;
pub mod signature;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after a panic of its holder: no holder leaves its data incomplete.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
