#![doc = include_str!("../README.md")]

mod ask;
mod client;
mod figure;
pub mod merge;
mod payload;
pub mod places;
mod protocol;

pub use ask::{Ask, Call, Measure, OperationWord, Wish};
pub use client::{CallError, Caller, LoopInfo};
pub use figure::{Capsule, Figure, FigureLink, Joint};
pub use payload::{Fuel, Guest, Happened, Loaded, RecordingStatus};
pub use protocol::{LINE_MAX, Outcome, Reply, ReplyBody, Trouble, VERSION};
