//! The loop assembled, in real or in virtual time.
//!
//! `config` reads what the robot is. `live` is the loop that joins body, board, page and clock;
//! `memory` owns what its cycle borrows, `realtime` gives its thread what it needs of the machine,
//! `pace` wakes it at each turn. `casting` says what guests are told and granted, `company` brings
//! them in. `socket` is where others ask it.
//! `event_history` keeps what happened for those who ask later.
//! `check` plays a show beforehand, in virtual time, and judges what it would do.
//! `show` reads shows that are only commands and instants.
//! `record` writes a run down and plays it again, bit for bit.
//! `doctor` says what the machine can do, `urdf` makes descriptions of other people's models.
//! `trace` plays a written script turn by turn and prints what every turn did: the way to try the
//! semantics without a robot. `urdf` makes a description of the URDF that others wrote.

pub mod boards;
pub mod casting;
pub mod check;
pub mod company;
pub mod config;
pub mod doctor;
pub mod event_history;
mod figure;
pub mod guardian;
pub mod live;
pub mod memory;
pub mod pace;
pub mod realtime;
pub mod record;
pub mod show;
pub mod socket;
pub mod states;
pub mod trace;
pub mod urdf;
