//! Everything that crosses rooms, but for the golden traces.

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

mod burst;
mod check;
mod choreographies;
mod config;
mod contract;
mod dependencies;
mod doctor;
mod doubts;
mod fuzz;
mod ledger;
mod limits;
mod meshes;
mod oracle;
mod page;
mod plot;
mod promises;
mod record;
mod requests;
mod returns;
mod safety;
mod scripts;
mod shows;
mod silence;
mod sim;
mod stands;
mod states;
mod structure;
mod tidy;
mod urdf;
