#![doc = include_str!("README.md")]

mod clerk;
mod client;
mod protocol;
mod server;

pub use clerk::{Office, refused};
pub use client::{CallError, Caller, Here};
pub use protocol::{
    Ask, Call, LINE_MAX, MergeWord, OperationWord, Outcome, Reply, Told, Trouble, VERSION,
};
pub use server::{Access, CALLERS_MAX, listen};
