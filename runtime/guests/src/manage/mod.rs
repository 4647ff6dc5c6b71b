//! What stands outside the turn: the manager of guests, its registry, grants, and the threads of scores.
//! Called by whoever loads, tunes, ends or asks about guests.
//! The loop never waits for anything here.

pub(crate) mod admission;
pub(crate) mod control;
pub(crate) mod grant;
pub(crate) mod manager;
pub(crate) mod posted;
pub(crate) mod queries;
pub(crate) mod registry;
pub(crate) mod replay;
pub(crate) mod score_thread;
