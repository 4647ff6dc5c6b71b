//! Lines of Linux' gpio character devices: lights and relays, switches and buttons, ultrasound, a stop line.
//!
//! `settings` are what a robot wants, `device` is what the rack has, `guard` stands before another board and heeds its
//! ready and fault lines. A `bank` is all lines of one chip, `hold` what the kernel gave of it: `outputs` are set in
//! the turn; its `keeper` hears the inputs, each with its `ear`, and mends what was unplugged; its `pulse` raises
//! triggers, and `echo` is the flight that follows. `census` finds lines by name.
//! The law: the turn sets and reads; whatever waits is on a thread of its own.

mod bank;
mod census;
mod device;
mod ear;
mod echo;
mod errors;
mod guard;
mod hold;
mod keeper;
mod outputs;
mod polled;
mod pulse;
mod settings;
mod shared;

pub use device::Lines;
pub use errors::LinesError;
pub use guard::{Guarded, Watch, WatchSettings};
pub use settings::{Bias, InputLine, LineName, LinesSettings, OutputLine, Reads};
