//! The loop's end of the socket: who listens there, and what comes of each request.
//! What is said is in the crate `socket`, which the loop's clients use without the rest of the house.

mod aliases;
mod answers;
mod figure;
mod guest_requests;
mod handler;
mod loop_request;
mod operation;
mod parse;
mod refusals;
mod server;
mod soft_end;

pub use guest_requests::{guest_report, load_options};
pub use handler::{GuestChecker, RequestHandler, ServedReply};
pub use refusals::refused;
pub use server::{CALLERS_MAX, SocketAccess, listen};
