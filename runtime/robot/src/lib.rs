//! The loop assembled, in real or in virtual time.
//!
//! `live` is the loop: it joins body, boards, page, guests and clock. `pace` wakes it at each turn, `realtime`
//! gives its thread what it needs of the machine, and `boards` opens what the description names.
//! `guardian` is the process that brings the body down when the loop cannot.
//! `guest_policy` says what guests are told and granted, `guest_service` brings them in. `show` reads shows that are
//! only commands and instants.
//! `socket` is where others ask the loop; `states` says what is possible from which state, and `event_history` keeps
//! what happened for those who ask later.
//! `doctor` says what the machine can do.

pub mod boards;
pub mod doctor;
pub mod event_history;
pub mod guardian;
pub mod guest_policy;
pub mod guest_service;
pub mod live;
pub mod pace;
pub mod realtime;
pub mod show;
pub mod socket;
pub mod states;
