//! What the robot is told: one map with every joint, light and sonar in it, each time anew.
//! Written by the client once for each packet that comes; read by whoever plays the robot.
//!
//! It begins with the bytes `8b` (eleven keys), `a8 50 6f 73 69 74 69 6f 6e` (a text of eight bytes: Position), `dc 00
//! 19` (an array of 25) and `ca 3f 00 00 00` (0.5), if that is where `HeadYaw` shall go.
//! The law: only numbers go out. What nobody has set is 0, and a joint that nobody has set stays where it stands.

use super::channels::LolaOutput;
use super::groups::{COMMANDS, MEASURED, OUTPUTS, POSITIONS, SONARS, STIFFNESSES};
use super::pack::{PackError, PackReader, PackWriter};
use super::sensors::SensorPacket;

/// The bytes of every packet to the robot.
pub const COMMAND_BYTES: usize = 786;

/// All that the robot is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommandPacket {
    /// The value of each channel, by its place; of a sonar, whether it shall send, above 0.
    pub values: [f32; COMMANDS],
}

impl Default for CommandPacket {
    /// Limp, dark and silent.
    fn default() -> CommandPacket {
        CommandPacket {
            values: [0.0; COMMANDS],
        }
    }
}

impl CommandPacket {
    /// The value of a channel.
    pub fn get(&self, channel: LolaOutput) -> f32 {
        self.values.get(channel.place()).copied().unwrap_or(0.0)
    }

    /// Sets a channel's value.
    pub fn set(&mut self, channel: LolaOutput, value: f32) {
        if let Some(place) = self.values.get_mut(channel.place()) {
            *place = value;
        }
    }

    /// Lets go of every joint, and asks each to be where it stands: whoever stiffens it next will not move it so.
    pub(super) fn relax(&mut self, measured: &SensorPacket) {
        self.values[STIFFNESSES.places()].fill(0.0);
        self.values[SONARS.places()].fill(0.0);
        self.values[POSITIONS.places()].fill(f32::NAN);
        self.complete(measured);
    }

    /// Gives a number to every channel that has none: to a joint the place where it stands.
    pub(super) fn complete(&mut self, measured: &SensorPacket) {
        let stands = &measured.values[MEASURED.places()];
        let joints = self.values[POSITIONS.places()].iter_mut().zip(stands);
        for (value, stands) in joints.filter(|it| !it.0.is_finite()) {
            *value = *stands;
        }
        for value in self.values.iter_mut().filter(|it| !it.is_finite()) {
            *value = 0.0;
        }
    }

    /// Takes the packet at the front of `bytes` and says how many of them it was. Keys that are not known are passed
    /// over, and keys may be missing.
    ///
    /// # Errors
    /// A [`PackError`]; then nothing was taken.
    pub fn decode(&mut self, bytes: &[u8]) -> Result<usize, PackError> {
        let (mut reader, keys, size) = PackReader::packet(bytes)?;
        let (mut next, mut known) = (*self, false);
        for _ in 0..keys {
            let key = reader.text()?;
            match OUTPUTS.iter().find(|it| it.key.as_bytes() == key) {
                Some(group) => {
                    reader.group(&mut next.values[group.places()])?;
                    known = true;
                }
                None => reader.skip()?,
            }
        }
        if !known {
            return Err(PackError::Odd);
        }
        *self = next;
        Ok(size)
    }

    /// Writes it and says how many bytes it is. `None` if it does not fit into [`COMMAND_BYTES`].
    pub fn encode(&self, into: &mut [u8]) -> Option<usize> {
        let mut writer = PackWriter::packet(into, OUTPUTS.len())?;
        for group in &OUTPUTS {
            writer.group(group, &self.values[group.places()])?;
        }
        Some(writer.size())
    }
}
