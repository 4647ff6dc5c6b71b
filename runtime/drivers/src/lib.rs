//! Drivers: what stands between the cycle and motors.
//!
//! Each board is a [`cycle::Board`]. It knows volts and bytes, never wasm and never files of
//! configuration. `sim` is the simulated body: a robot without hardware is a robot. `servo` speaks the board protocol,
//! over whatever `bus` carries bytes; `parts` are what hangs on a bus without it, and `aside` runs those that are slow;
//! `lines` are what hangs on no bus at all; `lola` is a whole NAO behind one socket. `rack` holds all boards of a
//! robot, and `faults` names what can be wrong with any of them.

pub mod aside;
pub mod bus;
pub mod faults;
pub mod lines;
pub mod lola;
pub mod parts;
pub mod rack;
pub mod servo;
pub mod sim;
