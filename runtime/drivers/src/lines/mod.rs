//! Lines of Linux' gpio character devices: lights and relays, switches and buttons, ultrasound, a stop line.
//!
//! `settings` comes from the description. `device` is the device of the rack; `guard` wraps another board and checks
//! its ready and fault lines. A `bank` is all lines of one chip, and `hold` its open requests to the kernel. The turn
//! sets `outputs`. Each chip has a thread, `chip_thread`: it reads the inputs, each with an `edge_counter`, and opens
//! the chip again after it was unplugged. `pulse` raises triggers, and `echo` measures the time of flight. `line_state`
//! is shared by these threads and the turn; `line_table` finds lines by name.
//! The turn only sets and reads; every wait happens on another thread.

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
