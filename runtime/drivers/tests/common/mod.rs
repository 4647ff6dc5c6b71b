//! What these suites share: a board on a desk, and the promises that every board keeps.
#![allow(dead_code, reason = "each suite uses some of it")]

pub(crate) mod desk;
pub(crate) mod promises;
