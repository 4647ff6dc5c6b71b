//! The verbs on one machine: the real binary, a loop, its page and its boards. In this folder, each test starts
//! what it needs in folders of its own, and every wait has a timeout.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../drivers/tests/lola/robot/mod.rs"]
#[allow(dead_code, reason = "not everything that it can do is asked here")]
mod lola_robot;
#[path = "../common/project.rs"]
#[allow(dead_code, reason = "not every program asks for everything")]
mod project;

#[path = "../common/terminal.rs"]
mod terminal;

mod about;
mod arming;
mod bench;
mod body;
mod check;
mod cli;
mod clients;
mod conversions;
mod dev;
mod guests;
mod logs;
mod motions;
mod projects;
mod record;
mod run;
mod screens;
mod told;
mod wire;
