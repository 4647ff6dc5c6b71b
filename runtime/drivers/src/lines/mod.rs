//! Lines of Linux' gpio character devices: lights and relays, switches and buttons, ultrasound, a stop line.
//!
//! `settings` are what a robot wants, `device` is what the rack has, `guard` stands before another board and heeds its
//! ready and fault lines. A `bank` is all lines of one chip, `hold` what the kernel gave of it. `outputs` are set in
//! the turn. Each chip has a thread of its own, `chip_thread`: it reads the inputs, each with an `edge_counter`, and
//! opens a chip again that was unplugged. `pulse` raises triggers, and `echo` measures the flight that follows.
//! `line_state` is what these threads share with the turn; `line_table` finds lines by name.
//! The law: the turn sets and reads; whatever waits is on a thread of its own.

mod bank;
mod chip_thread;
mod device;
mod echo;
mod edge_counter;
mod errors;
mod guard;
mod hold;
mod line_state;
mod line_table;
mod outputs;
mod polled;
mod pulse;
mod settings;

pub use device::Lines;
pub use errors::LinesError;
pub use guard::{Guarded, Watch, WatchSettings};
pub use settings::{Bias, InputLine, LineName, LinesSettings, OutputLine, Reads};
