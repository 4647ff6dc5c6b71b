//! AS5048A: a magnetic encoder of 14 bits, for the position of a joint.
//!
//! Words of 16 bits: even parity, read or write, an address. The answer comes with the next word: even parity, an error
//! flag, 14 bits. So a transfer reads the angle for which the previous one asked.

use super::WrongPart;

/// Steps in a revolution.
pub const STEPS: u16 = 1 << 14;

const READ: u16 = 1 << 14;
const ERROR: u16 = 1 << 14;
const ANGLE: u16 = 0x3fff;
const CLEAR: u16 = 0x0001;
const DIAGNOSIS: u16 = 0x3ffd;

/// Bits of the diagnosis register: started up, and invalid angle because the magnet is too near or too far.
const READY: u16 = 1 << 8;
const OVERFLOW: u16 = 1 << 9;

/// The word with its parity.
fn even(word: u16) -> u16 {
    let rest = word & 0x7fff;
    rest | ((rest.count_ones() as u16 & 1) << 15)
}

/// The word that asks for the angle.
pub fn ask_angle() -> [u8; 2] {
    even(READ | ANGLE).to_be_bytes()
}

/// The word that clears the error flag.
pub fn clear_error() -> [u8; 2] {
    even(READ | CLEAR).to_be_bytes()
}

/// The word that asks for the diagnosis: a line that is stuck at 0 is a valid angle, but not a valid diagnosis.
pub fn ask_diagnosis() -> [u8; 2] {
    even(READ | DIAGNOSIS).to_be_bytes()
}

/// Whether the diagnosis says that the angle is valid.
pub fn is_sound(diagnosis: u16) -> bool {
    diagnosis & READY != 0 && diagnosis & OVERFLOW == 0
}

/// A received word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncoderWord {
    /// The angle in steps, or the register that was asked for.
    Angle(u16),
    /// The error flag is set and must be cleared.
    Error,
}

/// Decodes the answer to the previous word.
///
/// # Errors
/// [`WrongPart`]: the parity is wrong, or nothing drives the line.
pub fn read(came: [u8; 2]) -> Result<EncoderWord, WrongPart> {
    let word = u16::from_be_bytes(came);
    // All ones have even parity, so check silence separately.
    if word != even(word) || word == u16::MAX {
        return Err(WrongPart);
    }
    if word & ERROR != 0 {
        return Ok(EncoderWord::Error);
    }
    Ok(EncoderWord::Angle(word & ANGLE))
}

/// A simulated chip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimAs5048a {
    /// Where it is, in steps.
    pub angle: u16,
    /// Whether its magnet is lost.
    pub lost: bool,
    error: bool,
    next: u16,
}

impl SimAs5048a {
    /// A transfer of one word.
    pub fn transfer(&mut self, down: [u8; 2]) -> [u8; 2] {
        let back = self.next;
        let word = u16::from_be_bytes(down);
        let sound = word == even(word);
        let value = match (sound, word & READ != 0, word & ANGLE) {
            (true, true, ANGLE) => self.angle & ANGLE,
            (true, true, DIAGNOSIS) => READY | if self.lost { OVERFLOW } else { 0 },
            (true, true, CLEAR) => {
                self.error = false;
                0
            }
            (true, _, _) => 0,
            (false, _, _) => {
                self.error = true;
                0
            }
        };
        let flag = if self.error { ERROR } else { 0 };
        self.next = even(value | flag);
        back.to_be_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_for_the_angle_is_all_ones_as_the_datasheet_says() {
        assert_eq!(ask_angle(), [0xff, 0xff]);
        assert_eq!(clear_error(), [0x40, 0x01]);
        assert_eq!(read([0xff, 0xff]), Err(WrongPart));
        assert_eq!(read([0x80, 0x00]), Err(WrongPart));
    }

    #[test]
    fn every_angle_is_read_a_transfer_later_and_every_changed_bit_is_found() {
        let mut chip = SimAs5048a::default();
        chip.transfer(ask_angle());
        for angle in 0..STEPS {
            chip.angle = angle;
            chip.transfer(ask_angle());
            let came = chip.transfer(ask_angle());
            assert_eq!(read(came), Ok(EncoderWord::Angle(angle)));
            for bit in 0..16 {
                let changed = (u16::from_be_bytes(came) ^ 1 << bit).to_be_bytes();
                assert_eq!(read(changed), Err(WrongPart));
            }
        }
        chip.transfer(ask_diagnosis());
        let diagnosis = |came| match read(came) {
            Ok(EncoderWord::Angle(word)) => is_sound(word),
            _ => false,
        };
        assert!(diagnosis(chip.transfer(ask_angle())) && !diagnosis([0, 0]));
        // After a damaged word the chip reports an error until the flag is cleared.
        chip.transfer([0x7f, 0xff]);
        assert_eq!(read(chip.transfer(ask_angle())), Ok(EncoderWord::Error));
        chip.transfer(clear_error());
        chip.transfer(ask_angle());
        assert_eq!(
            read(chip.transfer(ask_angle())),
            Ok(EncoderWord::Angle(STEPS - 1))
        );
    }
}
