#![doc = include_str!("../README.md")]

mod client;
pub mod places;
mod protocol;
mod told;

pub use client::{CallError, Caller, Here};
pub use protocol::{
    Ask, Call, LINE_MAX, MergeWord, OperationWord, Outcome, Reply, Told, Trouble, VERSION, Wish,
};
pub use told::{Fuel, Guest, Happened};
