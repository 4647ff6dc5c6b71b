//! The packet from the robot, with all sensors, every 12 ms.
//! The client reads it; simulated robots write it.
//!
//! It is one map of thirteen keys. `RobotConfig` has four texts, every other key an array of numbers. A map with only a
//! gyroscope, at 0.5, 0 and -2 rad/s, has these bytes:
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
//! A packet is taken whole or not at all; values that it does not have stay unchanged.

use super::channels::LolaInput;
use super::groups::{INPUTS, READINGS};
use super::pack::{PackError, PackReader, PackWriter};

/// The length of a real robot's packet, with identifiers of 20 letters and versions of five.
pub const SENSOR_BYTES: usize = 896;

/// The key of the four texts.
const CONFIG: &str = "RobotConfig";

/// The most bytes of a text that are kept.
const TEXT: usize = 32;

/// The identifiers and versions of the robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RobotConfig {
    texts: [[u8; TEXT]; 4],
    sizes: [usize; 4],
}

impl RobotConfig {
    /// The body's identifier and version, then the head's; longer texts are truncated to 32 bytes.
    pub fn new(texts: [&str; 4]) -> RobotConfig {
        let mut config = RobotConfig::default();
        for (place, text) in texts.into_iter().enumerate() {
            // Cut before the character that does not fit.
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
        [0, 1, 2, 3].map(|i| {
            let text = &self.texts[i][..self.sizes[i]];
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

/// The robot's last sensors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorPacket {
    /// The identifiers and versions of the robot.
    pub config: RobotConfig,
    /// The value of each channel; NaN before the first.
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
    /// The value of a channel; `None` before the first.
    pub fn get(&self, channel: LolaInput) -> Option<f32> {
        let value = self.values.get(channel.place()).copied();
        value.filter(|value| value.is_finite())
    }

    /// Sets a channel's value.
    pub fn set(&mut self, channel: LolaInput, value: f32) {
        if let Some(place) = self.values.get_mut(channel.place()) {
            *place = value;
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
            if key == CONFIG.as_bytes() {
                next.config = RobotConfig::read(&mut reader)?;
            } else if let Some(group) = INPUTS.iter().find(|input| input.key.as_bytes() == key) {
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

    /// Encodes the packet and returns its length. A group of NaNs only is left out. `None` if it does not fit;
    /// [`super::LONGEST`] bytes are always enough.
    pub fn encode(&self, into: &mut [u8]) -> Option<usize> {
        let said = |values: &[f32]| values.iter().any(|value| !value.is_nan());
        let groups = || {
            INPUTS
                .iter()
                .filter(|input| said(&self.values[input.places()]))
        };
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
