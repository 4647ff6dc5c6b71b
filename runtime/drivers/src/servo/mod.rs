//! Servo boards: the host's end of the board protocol, whatever carries the bytes.
//!
//! `session` is the conversation with one board: its table is read and compared, then a frame goes out in each turn
//! and what comes back is believed or not. `compare` says in what a row differs from the description. `device` joins
//! the conversation with a bus. `probe` asks a board that nobody drives. `sent_frames` knows which turn a sequence was
//! of.
//! The law: whatever a board says, the session answers, and a board that lies is held at arm's length.

mod compare;
mod device;
mod layout;
mod probe;
mod sent_frames;
mod session;
mod words;

pub use compare::{Expected, Trait};
pub use device::Servo;
pub use layout::{Layout, Output, OutputPart};
pub use probe::{ProbeError, Probed, probe};
pub use session::{Phase, Session};
