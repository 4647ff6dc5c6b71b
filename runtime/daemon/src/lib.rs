//! The robot's server: what it keeps, who may what, and how the world talks to it.
//!
//! It is a process beside the loop's, and meets it on the socket and the page only. `supervise` keeps it
//! alive, from within the loop's process; `serve` is its life. `listen` lets connections in, `routes` is what can
//! be asked, `access` who may ask it, `store` and `trust` what is kept and whose. `loop_client` asks the loop,
//! `streams` show it to many. Requests and answers are the crate `api`'s, and so is the other end, the client.

pub mod access;
pub mod announce;
pub mod app;
mod boot;
mod clock;
mod dashboard;
mod listen;
mod loop_client;
mod memory_keys;
mod plans;
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
