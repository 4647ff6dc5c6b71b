//! Runs a robot's loop, in real or in virtual time.
//!
//! `live` is the loop: it connects body, boards, page, guests and clock. `pace` wakes it at each turn, `realtime` sets
//! up its thread, and `boards` opens the boards of the description.
//! `guardian` is the process that brings the body down when the loop cannot.
//! `guest_policy` makes the grants of guests, `guest_service` loads them. `show` reads shows: files of timed commands.
//! `socket` answers requests; `states` says what is possible in each state; `event_history` keeps the latest
//! events, and `heat_log` logs the temperatures of motors.
//! `doctor` examines the machine.

pub mod boards;
pub mod doctor;
pub mod event_history;
pub mod guardian;
pub mod guest_policy;
pub mod guest_service;
pub mod heat_log;
pub mod live;
pub mod pace;
pub mod realtime;
pub mod show;
pub mod socket;
pub mod states;
