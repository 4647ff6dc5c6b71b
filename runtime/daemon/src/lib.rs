//! The robot's server: what it keeps, who may what, and how the world talks to it.
//!
//! It is a process beside the loop's, and meets it on the socket and the page only. `supervise` keeps it
//! alive, from within the loop's process; `serve` is its life. `door` lets connections in, `api` is what can
//! be asked, `access` who may ask it, `store` and `trust` what is kept and whose. `line` asks the loop,
//! `streams` show it to many. `client` is the other end, for the command line.

pub mod access;
pub mod announce;
pub mod api;
pub mod app;
mod boot;
pub mod calendar;
pub mod client;
mod door;
mod line;
mod names;
mod page;
mod plans;
mod serve;
pub mod settings;
pub mod store;
mod streams;
mod supervise;
mod timing;
pub mod trust;
pub mod viewers;

pub use serve::{Serving, local_socket, serve};
pub use supervise::{Supervised, supervise};
