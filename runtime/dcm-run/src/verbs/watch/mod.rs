//! The verbs that read: the state of a running robot, its log, recordings.

pub(crate) mod blackbox;
pub(crate) mod events;
pub(crate) mod get;
pub(crate) mod joints;
pub(crate) mod latency;
pub mod plot;
pub(crate) mod ps;
pub(crate) mod repeat;
pub(crate) mod replay;
mod rows;
pub(crate) mod top;
