//! The verbs for a robot's description, and for what is changed of it while the robot runs.

pub(crate) mod config;
pub(crate) mod preferences;
pub(crate) mod rust_table;
pub(crate) mod urdf;
