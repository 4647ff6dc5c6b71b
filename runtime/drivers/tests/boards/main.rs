//! Boards on a desk, without hardware: what each of them promises, and what becomes of it on a bad wire.
//! In this folder, everything runs in virtual time, or beside a thread or process of the test's own.

#[path = "../common/mod.rs"]
mod common;

mod aside;
mod buses;
mod conformance;
mod million;
mod servo;
mod socket;
mod tap;
