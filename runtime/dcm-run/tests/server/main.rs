//! A served robot: the real binary, its server, and its clients. In this folder, each test has a robot of its
//! own, on free ports.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/hard.rs"]
mod hard;
#[path = "../common/project.rs"]
#[allow(dead_code, reason = "not every program asks for everything")]
mod project;

mod connections;
mod damages;
mod equal_replies;
mod exact_integers;
mod forgeries;
mod frozen;
mod hangups;
mod hard_times;
mod held_back;
mod lanes;
mod logs;
mod long_moves;
mod motion_report;
mod motions;
mod names;
mod nao;
mod other_version;
mod pairing;
mod preferences;
mod recordings;
mod refusals;
mod requests;
mod serve;
mod stop_socket;
mod stop_under_load;
mod viewers;
mod which_robot;
