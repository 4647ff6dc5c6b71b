//! Tests across crates, except the golden traces.

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

mod appends;
mod burst;
mod check;
mod choreographies;
mod codes;
mod commit;
mod config;
mod contract;
mod dependencies;
mod derived;
mod doctor;
mod doubts;
mod driving;
mod engines;
mod fuzz;
mod layers;
mod ledger;
mod licenses;
mod lights;
mod limits;
mod limp;
mod long_moves;
mod meshes;
mod oracle;
mod page;
mod plot;
mod progress;
mod promises;
mod record;
mod requests;
mod returns;
mod safety;
mod scripts;
mod sdk;
mod shows;
mod silence;
mod sim;
mod stands;
mod states;
mod structure;
mod takeovers;
mod tidy;
mod trim;
mod urdf;
