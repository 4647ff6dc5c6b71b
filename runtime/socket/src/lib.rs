#![doc = include_str!("../README.md")]

mod client;
pub mod places;
mod protocol;

pub use client::{CallError, Caller, Here};
pub use protocol::{
    Ask, Call, Fuel, Guest, Happened, LINE_MAX, MergeWord, OperationWord, Outcome, Reply, Told,
    Trouble, VERSION, Wish,
};
