//! The loop's end of the socket: who listens there, and what comes of each request.
//! What is said is in the crate `socket`, which the loop's clients use without the rest of the house.

mod aliases;
mod answers;
mod figure;
mod guest_requests;
mod handler;
mod orders;
mod reading;
mod recording_control;
mod refusals;
mod server;
mod soft;
mod words;

pub use figure::figure;
pub use guest_requests::{told, wishes};
pub use handler::{Judge, RequestHandler, ServedReply};
pub use recording_control::RecordingControl;
pub use refusals::refused;
pub use server::{CALLERS_MAX, SocketAccess, listen};
