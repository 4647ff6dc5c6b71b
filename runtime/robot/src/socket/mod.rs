#![doc = include_str!("README.md")]

mod clerk;
mod client;
mod protocol;
mod refusals;
mod server;
mod stage_door;
mod words;

pub use clerk::{Office, Served};
pub use client::{CallError, Caller, Here};
pub use protocol::{
    Ask, Call, Fuel, Guest, LINE_MAX, MergeWord, OperationWord, Outcome, Reply, Told, Trouble,
    VERSION, Wish,
};
pub use refusals::refused;
pub use server::{Access, CALLERS_MAX, listen};
pub use stage_door::{told, wishes};
