//! The loop's end of the socket: who listens there, and what comes of each request.
//! What is said is in the crate `socket`, which the loop's clients use without the rest of the house.

mod aliases;
mod clerk;
mod figure;
mod guest_requests;
mod orders;
mod reading;
mod refusals;
mod server;
mod soft;
mod words;

pub use clerk::{Judge, Office, Served};
pub use guest_requests::{told, wishes};
pub use refusals::refused;
pub use server::{Access, CALLERS_MAX, listen};
