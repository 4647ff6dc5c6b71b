//! The packet to the robot: one map with every joint, light and sonar.
//! The client writes one for each packet that it receives; simulated robots read it.
//!
//! It begins with the bytes `8b` (eleven keys), `a8 50 6f 73 69 74 69 6f 6e` (a text of eight bytes: Position), `dc 00
//! 19` (an array of 25) and `ca 3f 00 00 00` (0.5), if `HeadYaw` has this target.
//! No NaN is sent. A value that nobody has set is 0, and a joint that nobody has set stays where it is.

use super::channels::LolaOutput;
use super::groups::{COMMANDS, MEASURED, OUTPUTS, POSITIONS, SONARS, STIFFNESSES};
use super::pack::{PackError, PackReader, PackWriter};
use super::sensors::SensorPacket;

/// The length of every packet to the robot.
pub const COMMAND_BYTES: usize = 786;

/// The commands to the robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommandPacket {
    /// The value of each channel; for a sonar, a value above 0 makes it send.
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

    /// Sets every stiffness to 0 and every position to the measured one, so that a later stiffness does not move the
    /// joint.
    pub(super) fn relax(&mut self, measured: &SensorPacket) {
        self.values[STIFFNESSES.places()].fill(0.0);
        self.values[SONARS.places()].fill(0.0);
        self.values[POSITIONS.places()].fill(f32::NAN);
        self.complete(measured);
    }

    /// Replaces every NaN: for a joint by its measured position.
    pub(super) fn complete(&mut self, measured: &SensorPacket) {
        let stands = &measured.values[MEASURED.places()];
        let joints = self.values[POSITIONS.places()].iter_mut().zip(stands);
        for (value, stands) in joints.filter(|joint| !joint.0.is_finite()) {
            *value = *stands;
        }
        for value in self.values.iter_mut().filter(|value| !value.is_finite()) {
            *value = 0.0;
        }
    }

    /// Decodes the packet at the front of `bytes` and returns its length. Unknown keys are skipped, and keys may be
    /// missing.
    ///
    /// # Errors
    /// A [`PackError`], with nothing changed.
    pub fn decode(&mut self, bytes: &[u8]) -> Result<usize, PackError> {
        let (mut reader, keys, size) = PackReader::packet(bytes)?;
        let (mut next, mut known) = (*self, false);
        for _ in 0..keys {
            let key = reader.text()?;
            match OUTPUTS.iter().find(|output| output.key.as_bytes() == key) {
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

    /// Encodes the packet and returns its length. `None` if `into` is too short; [`COMMAND_BYTES`] are enough.
    pub fn encode(&self, into: &mut [u8]) -> Option<usize> {
        let mut writer = PackWriter::packet(into, OUTPUTS.len())?;
        for group in &OUTPUTS {
            writer.group(group, &self.values[group.places()])?;
        }
        Some(writer.size())
    }
}
