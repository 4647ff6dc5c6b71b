//! What only time shows: loops that live long or die, clocks that jump, system calls, patience.
//! The law of this folder: what is bounded here is bounded loosely enough for a busy machine, or counted.

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
