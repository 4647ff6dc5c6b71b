#![doc = include_str!("../README.md")]

mod ask;
mod client;
mod figure;
pub mod merge;
pub mod places;
mod protocol;
mod told;

pub use ask::{Ask, Call, Measure, OperationWord, Wish};
pub use client::{CallError, Caller, Here};
pub use figure::{Capsule, Figure, FigureLink, Joint};
pub use protocol::{LINE_MAX, Outcome, Reply, Told, Trouble, VERSION};
pub use told::{Fuel, Guest, Happened, Loaded, RecordingStatus};
