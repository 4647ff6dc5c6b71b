//! Servo boards: the host's end of the board protocol, whatever carries the bytes.
//!
//! `session` is the session with one board: it reads and compares the board's table, then sends a frame in each turn
//! and checks the answer. `compare` finds the differences between a row and the description. `device` joins a session
//! with a bus. `probe` reads the table of a board that nobody drives. `sent_frames` maps sequence numbers to turns.
//! The session handles any answer of a board, and uses only valid ones.

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
