//! Looks after a loop from another process: when the loop is gone or stands still, it brings the body down.
//!
//! `watchdog` sees the loop through its page and its process, `takeover` drives the boards after it. Run as
//! `dcm-run guard`, which `dcm-run run` starts by itself for a robot with real boards.
//! The law: it never drives a board beside a living loop: it must have the board's lock, which the kernel gives it only
//! when the loop's process is gone.

mod takeover;
mod watchdog;

pub use takeover::{FinalPose, TAKEOVER_LIMIT, Takeover, TakeoverError, take_over};
pub use watchdog::{LastState, LoopOutcome, WatchError, Watchdog};
