//! Device nodes of a real kernel: buses and lines. `tests/kernel/test.sh` boots one and runs these in it; nobody else
//! does, because they need its devices.

#[path = "../common/mod.rs"]
mod common;

mod buses;
mod lines;
