//! Reads the state of a NAO without writing anything to it.
//! The guardian uses it to find out whether the robot has force. It writes nothing, so that the robot keeps
//! its last command.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use super::groups::INPUTS;
use super::line::connect;
use super::pack::{LONGEST, PackError};
use super::sensors::SensorPacket;
use crate::bus::BusFault;

/// Whether the robot at `socket` reports stiffness in any joint.
///
/// # Errors
/// A [`BusFault`]: nothing listens there, or no valid packet comes within this time.
pub fn has_force(socket: &Path, within: Duration) -> Result<bool, BusFault> {
    let begun = Instant::now();
    // LoLA accepts the next client only a moment after a process has ended.
    let mut stream = loop {
        match connect(socket) {
            Err(BusFault::Busy) if begun.elapsed() < within => {
                std::thread::sleep(Duration::from_millis(1));
            }
            connected => break connected?,
        }
    };
    let (mut bytes, mut filled) = ([0; 2 * LONGEST], 0);
    let mut packet = SensorPacket::default();
    while begun.elapsed() < within {
        match stream.read(&mut bytes[filled..]) {
            Ok(0) => return Err(BusFault::Gone),
            Ok(size) => filled += size,
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => continue,
                _ => return Err(BusFault::Gone),
            },
        }
        match packet.decode(&bytes[..filled]) {
            Ok(_) => {
                let group = INPUTS.iter().find(|input| input.key == "Stiffness");
                let values = group.map_or(&[][..], |group| &packet.values[group.places()]);
                return Ok(values.iter().any(|value| *value > 0.0));
            }
            Err(PackError::Short) => {}
            Err(_) => return Err(BusFault::Settings),
        }
    }
    Err(BusFault::TimedOut)
}
