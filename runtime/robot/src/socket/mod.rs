//! The loop's end of the socket: the server, and the handler of requests.
//! Used by the loop's process. The requests and replies are in the crate `protocol`, which clients use
//! without this one.

mod aliases;
mod answer_table;
mod answers;
mod calibrate;
mod callers;
mod client_lanes;
mod devices;
mod figure;
mod follow;
mod following_bytes;
mod guest_requests;
mod handler;
mod lane_table;
mod long_move;
mod loop_request;
mod parse;
mod permit;
mod preference_book;
mod preference_keys;
mod preferences;
mod questions;
mod recording_control;
mod refusals;
mod server;
mod simulated;
mod soft_end;
mod stop;

pub use figure::figure;
pub use guest_requests::{guest_report, load_options};
pub use handler::{GuestChecker, RequestHandler, ServedReply};
pub use recording_control::RecordingControl;
pub use refusals::refused;
pub use server::{SocketAccess, listen};
pub use simulated::{can_be_pushed, can_read, lifted, obstacle, push_of_link, tilted_floor};
