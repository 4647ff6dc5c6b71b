//! The robot's server: what it keeps, who may what, and how the world talks to it.
//!
//! It is a process beside the loop's, and meets it on the socket and the page only. `supervise` keeps it
//! alive, from within the loop's process; `serve` is its life. `door` lets connections in, `routes` is what can
//! be asked, `access` who may ask it, `store` and `trust` what is kept and whose. `line` asks the loop,
//! `streams` show it to many. Requests and answers are the crate `api`'s, and so is the other end, the client.

pub mod access;
pub mod announce;
pub mod app;
mod boot;
mod clock;
mod door;
mod line;
mod names;
mod page;
mod plans;
pub mod routes;
mod serve;
pub mod settings;
pub mod store;
mod streams;
mod supervise;
mod timing;
pub mod trust;
pub mod viewers;

pub use serve::{Serving, serve};
pub use supervise::{Supervised, supervise};
