//! Everything that crosses rooms, but for the golden traces.

mod burst;
mod ledger;
mod limits;
mod oracle;
mod page;
mod promises;
mod requests;
mod safety;
mod scripts;
mod sim;
mod tidy;
