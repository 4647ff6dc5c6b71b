//! Boards: what stands between the cycle and motors.
//!
//! Each board is a [`cycle::Board`]. It knows volts and bytes, never wasm and never files of
//! configuration. The simulated body comes first: a robot without hardware is a robot.

pub mod sim;
