//! The robot's API: what is asked of its server and answered, and the client that asks.
//!
//! Shared by `daemon`, which answers, and `dcm-run`, which asks. Requests and answers stand in files named after the
//! server's routes; `client` sends them, `discovery` finds robots in the network, `signature` vouches for
//! choreographies. The law: both ends read and write a message by the same type.

pub mod body;
pub mod choreographies;
pub mod client;
pub mod dcm;
pub mod discovery;
pub mod error;
pub mod folders;
pub mod guests;
pub mod hex;
pub mod keys;
pub mod memory;
pub mod people;
pub mod recordings;
pub mod robot;
pub mod role;
pub mod signature;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock whose holder cannot have left anything half done.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
