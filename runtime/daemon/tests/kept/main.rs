//! What a robot's server stores, on disks that fail: choreographies, trusted keys, settings.

#[path = "../common/mod.rs"]
mod common;

mod permissions;
mod settings;
mod store;
mod trust;
