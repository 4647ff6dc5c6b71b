//! The robot's packet: what it says of itself each 12 ms.
//! Read by the client; written by whoever plays the robot.
//!
//! It is one map of thirteen keys. `RobotConfig` has four texts, every other key an array of numbers. The map of a
//! robot that says only where its gyroscope stands, at 0.5, 0 and -2 rad/s, is these bytes:
//!
//! ```text
//! 81                                one key
//!   a9 47 79 72 6f 73 63 6f 70 65   a text of nine bytes: Gyroscope
//!   93                              an array of three
//!     ca 3f 00 00 00                0.5, as four bytes with the highest first
//!     00                            0, as a whole number: any form of number is understood
//!     fe                            -2
//! ```
//!
//! The law: a packet is taken as a whole or not at all; what it does not say stays as it was said before.

use super::channels::LolaInput;
use super::groups::{INPUTS, READINGS};
use super::pack::{PackError, PackReader, PackWriter};

/// The bytes of a robot's packet, with identifiers of 20 letters and versions of five, as robots have them.
pub const SENSOR_BYTES: usize = 896;

/// Under this key are the four texts.
const CONFIG: &str = "RobotConfig";

/// The bytes of each text that are kept.
const TEXT: usize = 32;

/// Which robot it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RobotConfig {
    texts: [[u8; TEXT]; 4],
    sizes: [usize; 4],
}

impl RobotConfig {
    /// The body's identifier and version, then the head's; what is longer than 32 bytes is cut.
    pub fn new(texts: [&str; 4]) -> RobotConfig {
        let mut config = RobotConfig::default();
        for (place, text) in texts.into_iter().enumerate() {
            // Cut before the letter that does not fit.
            let mut size = text.len().min(TEXT);
            while !text.is_char_boundary(size) {
                size -= 1;
            }
            config.texts[place][..size].copy_from_slice(&text.as_bytes()[..size]);
            config.sizes[place] = size;
        }
        config
    }

    /// The body's identifier and version, then the head's.
    pub fn texts(&self) -> [&str; 4] {
        [0, 1, 2, 3].map(|it| {
            let text = &self.texts[it][..self.sizes[it]];
            std::str::from_utf8(text).unwrap_or("")
        })
    }

    fn read(reader: &mut PackReader<'_>) -> Result<RobotConfig, PackError> {
        reader.array(4)?;
        let mut texts = [""; 4];
        for text in &mut texts {
            *text = std::str::from_utf8(reader.text()?).map_err(|_| PackError::Odd)?;
        }
        Ok(RobotConfig::new(texts))
    }
}

/// All that the robot said last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorPacket {
    /// Which robot it is.
    pub config: RobotConfig,
    /// The value of each channel, by its place; no number where the robot has said none yet.
    pub values: [f32; READINGS],
}

impl Default for SensorPacket {
    fn default() -> SensorPacket {
        SensorPacket {
            config: RobotConfig::default(),
            values: [f32::NAN; READINGS],
        }
    }
}

impl SensorPacket {
    /// The value of a channel, if the robot has said one.
    pub fn get(&self, channel: LolaInput) -> Option<f32> {
        let value = self.values.get(channel.place()).copied();
        value.filter(|it| it.is_finite())
    }

    /// Sets a channel's value.
    pub fn set(&mut self, channel: LolaInput, value: f32) {
        if let Some(place) = self.values.get_mut(channel.place()) {
            *place = value;
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
            if key == CONFIG.as_bytes() {
                next.config = RobotConfig::read(&mut reader)?;
            } else if let Some(group) = INPUTS.iter().find(|it| it.key.as_bytes() == key) {
                reader.group(&mut next.values[group.places()])?;
            } else {
                reader.skip()?;
                continue;
            }
            known = true;
        }
        if !known {
            return Err(PackError::Odd);
        }
        *self = next;
        Ok(size)
    }

    /// Writes it and says how many bytes it is. Of a group in which every value is none, nothing is written.
    /// `None` if it does not fit; [`super::LONGEST`] bytes are always enough.
    pub fn encode(&self, into: &mut [u8]) -> Option<usize> {
        let said = |values: &[f32]| values.iter().any(|it| !it.is_nan());
        let groups = || INPUTS.iter().filter(|it| said(&self.values[it.places()]));
        let mut writer = PackWriter::packet(into, 1 + groups().count())?;
        writer.text(CONFIG)?;
        writer.array(4)?;
        for text in self.config.texts() {
            writer.text(text)?;
        }
        for group in groups() {
            writer.group(group, &self.values[group.places()])?;
        }
        Some(writer.size())
    }
}
