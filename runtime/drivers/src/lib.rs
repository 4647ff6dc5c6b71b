//! Drivers connect the cycle with motors and sensors.
//!
//! Each board is a [`cycle::Board`]. It knows volts and bytes, but neither wasm nor configuration files. `sim` is the
//! simulated body. `servo` implements the host's end of the board protocol over a `bus`, which carries bytes. `parts`
//! are chips with a protocol of their own, and `aside` runs slow parts on threads of their own. `lines` are gpio lines.
//! `lola` is a whole NAO behind one socket. `rack` holds all boards of a robot, and `faults` lists the reasons why a
//! board did not answer.

pub mod aside;
pub mod bus;
pub mod faults;
pub mod lines;
pub mod lola;
pub mod parts;
pub mod rack;
pub mod servo;
pub mod sim;
