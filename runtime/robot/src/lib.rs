//! The loop assembled: a cycle over memory of its own, in virtual time so far.
//!
//! `memory` owns what a cycle borrows. `trace` plays a written script through a cycle turn by
//! turn and prints what every turn did: the way to try the semantics without a robot.

pub mod memory;
pub mod trace;
