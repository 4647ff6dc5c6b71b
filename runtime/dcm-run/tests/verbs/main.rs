//! The verbs as people meet them on one machine: the real binary, a loop, its page and its boards.
//! The law of this folder: each test starts what it needs in folders of its own, and waits for no more than it says.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../drivers/tests/lola/robot/mod.rs"]
#[allow(dead_code, reason = "not everything that it can do is asked here")]
mod lola_robot;

#[path = "../common/terminal.rs"]
mod terminal;

mod check;
mod cli;
mod clients;
mod guests;
mod record;
mod run;
mod screens;
mod told;
mod wire;
