//! What bodies do, held against equations and laws that do not come from this crate.

mod contacts;
mod motion;
