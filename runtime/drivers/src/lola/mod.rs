//! A NAO V6 as one board: a client of LoLA, the interface of its NAOqi, on a real robot or a simulator.
//! Mounted at start-up from the description, like any other board.
//!
//! LoLA sends a packet of all sensors every 12 ms over a Unix socket, and takes one of all actuators; both are msgpack.
//! `sensors` and `commands` are the packets, `groups` their contents, `channels` the names of these, and `pack` the
//! part of msgpack that they need. `line` is the socket, `client` the thread that owns it, and `triple_buffer` the data
//! shared with the turn. `device` is the device of the rack; `look` reads a robot's state without driving it.
//! LoLA keeps its last command, so the client relaxes the body when the turn falls silent. A relaxed body
//! stays so until a turn has reported a body without power.

mod channels;
mod client;
mod commands;
mod device;
mod groups;
mod line;
mod look;
mod pack;
mod sensors;
mod triple_buffer;

use std::path::PathBuf;

pub use channels::{LolaInput, LolaOutput, NoChannel};
pub use commands::{COMMAND_BYTES, CommandPacket};
pub use device::Lola;
pub use groups::{COMMANDS, READINGS};
pub use look::has_force;
pub use pack::{LONGEST, PackError, measure};
pub use sensors::{RobotConfig, SENSOR_BYTES, SensorPacket};

/// The machine's atomics. The triple buffer imports them from here, so that a test can replace them.
mod atomic {
    pub(super) use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
}

/// LoLA's socket on a robot.
pub const SOCKET: &str = "/tmp/robocup";

/// The channel of an actuator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LolaActuator {
    /// The actuator's number.
    pub actuator: usize,
    /// The channel that it drives.
    pub to: LolaOutput,
}

/// The channel of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LolaSensor {
    /// The sensor's number.
    pub sensor: usize,
    /// The channel that it reads.
    pub from: LolaInput,
}

/// The settings of a NAO.
///
/// A joint has force only through its `Stiffness`: without one it is limp, and is sent its measured position. Lights
/// that nobody drives are dark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LolaSettings {
    /// Its socket; on a robot [`SOCKET`].
    pub socket: PathBuf,
    /// The channels of actuators; each output has at most one.
    pub actuators: Vec<LolaActuator>,
    /// The channels of sensors.
    pub sensors: Vec<LolaSensor>,
    /// Whether a process that is gone has driven the robot until now. Then nothing is sent before the first turn, so
    /// that the robot keeps its last command.
    pub driven: bool,
}
