//! What several of these suites share.
#![allow(dead_code, reason = "each suite uses some of it")]

pub(crate) mod desk;
