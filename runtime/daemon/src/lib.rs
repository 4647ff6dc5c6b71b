//! The robot's server: stores choreographies, checks access, and serves the HTTP API.
//!
//! It is a process of its own, connected to the loop by the socket and the page only. `supervise` runs in the loop's
//! process and restarts the server; `serve` is the server's main function. `listen` accepts connections, `routes` has
//! the handlers, `access` says who may call them, `store` keeps choreographies, and `trust` verifies their signatures.
//! `loop_client` sends requests to the loop, and `streams` sends its frames and events to many subscribers. Requests
//! and replies are in the crate `protocol`, the client in `network`.

pub mod access;
pub mod announce;
mod api_error;
pub mod app;
mod awaited;
mod boot;
mod clock;
mod frame_text;
mod listen;
mod log_forward;
mod loop_client;
mod memory;
mod memory_keys;
mod plans;
mod request_ends;
mod request_log;
pub mod routes;
mod serve;
pub mod settings;
mod start;
pub mod store;
mod streams;
mod supervise;
mod timing;
pub mod trust;

pub use serve::{Serving, serve};
pub use supervise::{Supervised, supervise};
