//! The guardian: watches a loop from another process, and brings the body down when the loop dies or hangs.
//!
//! `watchdog` watches the loop's page and process, `takeover` drives the boards afterwards. Run as
//! `dcm-run guard`, which `dcm-run run` starts by itself for a robot with real boards.
//! It never drives a board while the loop does: it needs the board's lock, which the kernel grants only after
//! the loop's process has ended.

mod takeover;
mod watchdog;

pub use takeover::{FinalPose, TAKEOVER_LIMIT, Takeover, TakeoverError, take_over};
pub use watchdog::{LastState, LoopOutcome, WatchError, Watchdog};
