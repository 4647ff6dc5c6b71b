//! The board protocol from outside: what its frames promise, and how much noise it takes to break a promise.

mod distance;
mod frames;
