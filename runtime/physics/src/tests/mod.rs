//! What bodies do, held against equations and laws that do not come from this crate.

mod boxes;
mod contacts;
mod motion;
