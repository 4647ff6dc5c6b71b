//! What a robot's server keeps, on disks that fail: choreographies, the keys that vouch for them, its settings.

#[path = "../common/mod.rs"]
mod common;

mod settings;
mod store;
mod trust;
