//! A NAO V6 as one board: LoLA, the door that its NAOqi leaves open, as client of a real robot or of a simulator.
//! Mounted at start-up from the description, like any other board.
//!
//! LoLA sends a packet of all sensors each 12 ms over a Unix socket, and takes one of all actuators back; both are
//! msgpack. `groups` are what is in them, `channels` its names, `pack` is as much of msgpack as that needs, `sensors`
//! and `commands` are the packets. `line` is the socket, `client` the thread that has it, and `triple_buffer` what it
//! shares with the turn. `device` is the board as the rack has it; `look` hears a robot without driving it.
//! The law: LoLA keeps what it was told last, so that whoever falls silent here is let go by us, not by it; and what
//! was let go stays so until a turn says that the body has no power.

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

/// The machine's atomics. The triple buffer takes them from here, so that a test can put others in their place.
mod atomic {
    pub(super) use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
}

/// Where LoLA listens on a robot.
pub const SOCKET: &str = "/tmp/robocup";

/// What an actuator of the body is at LoLA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LolaActuator {
    /// The place of the actuator.
    pub actuator: usize,
    /// What it drives.
    pub to: LolaOutput,
}

/// What a sensor of the body is at LoLA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LolaSensor {
    /// The place of the sensor.
    pub sensor: usize,
    /// What it reads.
    pub from: LolaInput,
}

/// How a NAO is mounted.
///
/// A joint has force only from its `Stiffness`: one that nobody drives is limp, and is sent where it stands. Lights
/// that nobody drives are dark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LolaSettings {
    /// Its socket; on a robot [`SOCKET`].
    pub socket: PathBuf,
    /// What is driven: each output by one actuator at most.
    pub actuators: Vec<LolaActuator>,
    /// What is read.
    pub sensors: Vec<LolaSensor>,
    /// A process that is gone has driven it until now, and it must not let go: before the first turn it is told
    /// nothing, and goes on with its last command.
    pub driven: bool,
}
