//! Servo boards: the host's end of the board protocol, whatever carries the bytes.
//!
//! `session` is the conversation with one board: its table is read and compared, then a frame goes out in each turn
//! and what comes back is believed or not. `faults` counts what was not. `memory` knows which turn a sequence was of.
//! The law: whatever a board says, the session answers, and a board that lies is held at arm's length.

mod faults;
mod memory;
mod rack;
mod session;

pub use faults::{FAULT_KINDS, FAULT_NAMES, Fault, Faults};
pub use rack::{Mounted, Rack};
pub use session::{Layout, Output, Part, Phase, Session};
