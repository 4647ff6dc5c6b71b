//! LSM6DS3, LSM6DSL, LSM6DSOX: angular velocity and acceleration in three axes each, and the chip's temperature.
//!
//! Registers: an address with its highest bit set reads, and then increments by itself. Fourteen bytes from
//! `OUT_TEMP_L` are one consistent sample, if block update is on.

use super::WrongPart;

/// The identifiers of the chips.
const WHO: [u8; 3] = [0x69, 0x6a, 0x6c];

const WHO_AM_I: u8 = 0x0f;
const CTRL1_XL: u8 = 0x10;
const CTRL3_C: u8 = 0x12;
const OUT_TEMP_L: u8 = 0x20;
const READ: u8 = 0x80;

/// Bytes of a transfer that reads everything: the address, and fourteen.
pub const BYTES: usize = 15;

/// The chip's ranges of angular velocity and acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// ±250, 500, 1,000 or 2,000 degrees per second.
    pub turn: Turn,
    /// ±2, 4, 8 or 16 g.
    pub pull: Pull,
}

/// See [`Ranges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Turn {
    Dps250,
    Dps500,
    Dps1000,
    Dps2000,
}

/// See [`Ranges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Pull {
    G2,
    G4,
    G8,
    G16,
}

/// One sample in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InertialReading {
    /// Angular velocity about x, y and z, rad/s.
    pub turn: [f64; 3],
    /// Acceleration along x, y and z, m/s².
    pub pull: [f64; 3],
    /// Temperature, °C.
    pub warmth: f64,
}

/// The bytes that ask for the identifier, which is the second byte received.
pub fn ask_who() -> [u8; 2] {
    [READ | WHO_AM_I, 0]
}

/// Checks the identifier.
///
/// # Errors
/// [`WrongPart`].
pub fn is_one(came: [u8; 2]) -> Result<(), WrongPart> {
    WHO.contains(&came[1]).then_some(()).ok_or(WrongPart)
}

/// The bytes that set it up: 416 samples per second at these ranges; block update and address increment on.
pub fn set_up(ranges: Ranges) -> [[u8; 3]; 2] {
    let pull = match ranges.pull {
        Pull::G2 => 0,
        Pull::G16 => 1,
        Pull::G4 => 2,
        Pull::G8 => 3,
    };
    let turn = match ranges.turn {
        Turn::Dps250 => 0,
        Turn::Dps500 => 1,
        Turn::Dps1000 => 2,
        Turn::Dps2000 => 3,
    };
    let rate = 6 << 4;
    [
        [CTRL3_C, 0x44, 0],
        [CTRL1_XL, rate | pull << 2, rate | turn << 2],
    ]
}

/// The bytes of a transfer that reads everything.
pub fn ask() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    bytes[0] = READ | OUT_TEMP_L;
    bytes
}

/// Decodes a sample.
///
/// # Errors
/// [`WrongPart`]: nothing drives the line.
pub fn read(came: &[u8; BYTES], ranges: Ranges) -> Result<InertialReading, WrongPart> {
    let body = &came[1..];
    if body.iter().all(|item| *item == 0xff) || body.iter().all(|item| *item == 0) {
        return Err(WrongPart);
    }
    let word = |place: usize| f64::from(i16::from_le_bytes([body[2 * place], body[2 * place + 1]]));
    let turn = turn_of(ranges.turn).to_radians() / 1000.0;
    let pull = pull_of(ranges.pull) * 9.806_65 / 1000.0;
    Ok(InertialReading {
        turn: [1, 2, 3].map(|i| word(i) * turn),
        pull: [4, 5, 6].map(|i| word(i) * pull),
        warmth: 25.0 + word(0) / 256.0,
    })
}

/// Thousandths of a degree per second in one step.
fn turn_of(range: Turn) -> f64 {
    match range {
        Turn::Dps250 => 8.75,
        Turn::Dps500 => 17.5,
        Turn::Dps1000 => 35.0,
        Turn::Dps2000 => 70.0,
    }
}

/// Thousandths of a g in one step.
fn pull_of(range: Pull) -> f64 {
    match range {
        Pull::G2 => 0.061,
        Pull::G4 => 0.122,
        Pull::G8 => 0.244,
        Pull::G16 => 0.488,
    }
}

/// A simulated chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimLsm6ds {
    registers: [u8; 128],
}

impl Default for SimLsm6ds {
    fn default() -> SimLsm6ds {
        let mut registers = [0; 128];
        registers[usize::from(WHO_AM_I)] = WHO[2];
        registers[usize::from(CTRL3_C)] = 0x04;
        SimLsm6ds { registers }
    }
}

impl SimLsm6ds {
    /// Sets the sample: temperature, angular velocities, accelerations, in the chip's steps.
    pub fn measure(&mut self, steps: [i16; 7]) {
        let out = usize::from(OUT_TEMP_L);
        for (two, step) in self.registers[out..]
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .zip(steps)
        {
            *two = step.to_le_bytes();
        }
    }

    /// A register.
    pub fn register(&self, address: u8) -> u8 {
        self.registers[usize::from(address & 0x7f)]
    }

    /// A transfer: an address, and bytes to or from there.
    pub fn transfer(&mut self, down: &[u8], up: &mut [u8]) {
        up.fill(0xff);
        let Some((head, rest)) = down.split_first() else {
            return;
        };
        let (reads, first) = (head & READ != 0, usize::from(head & 0x7f));
        let goes_on = self.registers[usize::from(CTRL3_C)] & 4 != 0;
        for (place, byte) in rest.iter().enumerate() {
            let address = (first + if goes_on { place } else { 0 }) % self.registers.len();
            if !reads {
                self.registers[address] = *byte;
            } else if let Some(up) = up.get_mut(place + 1) {
                *up = self.registers[address];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGES: Ranges = Ranges {
        turn: Turn::Dps250,
        pull: Pull::G2,
    };

    fn exchange<const N: usize>(chip: &mut SimLsm6ds, down: [u8; N]) -> [u8; N] {
        let mut up = [0; N];
        chip.transfer(&down, &mut up);
        up
    }

    #[test]
    fn a_chip_says_who_it_is_and_is_set_up() {
        let mut chip = SimLsm6ds::default();
        assert_eq!(ask_who(), [0x8f, 0]);
        assert_eq!(is_one(exchange(&mut chip, ask_who())), Ok(()));
        assert_eq!(is_one([0xff, 0xff]), Err(WrongPart));
        let [control, rates] = set_up(Ranges {
            turn: Turn::Dps2000,
            pull: Pull::G16,
        });
        // Writes one register at a time.
        exchange(&mut chip, [control[0], control[1]]);
        exchange(&mut chip, rates);
        assert_eq!((chip.register(CTRL1_XL), chip.register(0x11)), (0x64, 0x6c));
        assert_eq!(chip.register(CTRL3_C), 0x44);
    }

    #[test]
    fn what_it_measures_is_read_in_si_units() {
        let mut chip = SimLsm6ds::default();
        // The datasheet's tables: 250 degrees per second at 8.75 thousandths, 1 g at 0.061.
        chip.measure([256, 28_571, 0, -28_571, 0, 0, 16_393]);
        let came = exchange(&mut chip, ask());
        let motion = read(&came, RANGES).expect("a chip");
        assert!((motion.warmth - 26.0).abs() < 1e-9);
        assert!(
            (motion.turn[0] - 250_f64.to_radians()).abs() < 1e-3,
            "{motion:?}"
        );
        assert!((motion.turn[2] + 250_f64.to_radians()).abs() < 1e-3);
        assert!((motion.pull[2] - 9.806_65).abs() < 1e-3);
        assert_eq!(read(&[0xff; BYTES], RANGES), Err(WrongPart));
    }
}
