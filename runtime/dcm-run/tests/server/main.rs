//! A served robot as people meet it: the real binary, its server, and everybody who talks to it.
//! The law of this folder: each test has a robot of its own, on ports that the machine gives it.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/hard.rs"]
mod hard;

mod forgeries;
mod hangups;
mod hard_times;
mod nao;
mod recordings;
mod serve;
mod viewers;
