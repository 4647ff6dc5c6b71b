//! The loop assembled: a cycle over memory of its own, in virtual time so far.
//!
//! `memory` owns what a cycle borrows. `realtime` gives a thread what a loop needs of the machine,
//! `pace` wakes it at each turn. `trace` plays a written script through a cycle turn by
//! turn and prints what every turn did: the way to try the semantics without a robot.

pub mod config;
pub mod live;
pub mod memory;
pub mod pace;
pub mod realtime;
pub mod trace;
