//! Tests that depend on time: loops that run long or die, clocks that jump, system calls, timeouts. In this folder,
//! bounds are loose enough for a busy machine, or counted.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/hard.rs"]
mod hard;

mod guardian;
mod hard_clocks;
mod hard_network;
mod long_run;
mod system_calls;
mod wall_clock;
