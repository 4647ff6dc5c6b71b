//! MCP3008: eight analogue inputs of ten bits, for potentiometers, pressure and voltages.
//!
//! Three bytes each way: a start bit, single-ended and the channel go out; a zero and ten bits come back.

use super::WrongPart;

/// Inputs of a chip.
pub const INPUTS: u8 = 8;

/// The bytes that ask for an input; a number out of range asks for the last one.
pub fn ask(input: u8) -> [u8; 3] {
    let input = input.min(INPUTS - 1);
    [1, 0x80 | input << 4, 0]
}

/// Decodes the bytes received with the question.
///
/// # Errors
/// [`WrongPart`]: the bit before the value is not 0, as when nothing drives the line.
pub fn read(came: [u8; 3]) -> Result<u16, WrongPart> {
    if came[1] & 4 != 0 {
        return Err(WrongPart);
    }
    Ok(u16::from(came[1] & 3) << 8 | u16::from(came[2]))
}

/// A simulated chip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimMcp3008 {
    /// What its inputs are at.
    pub inputs: [u16; 8],
}

impl SimMcp3008 {
    /// A transfer. Before the value the line floats and is pulled high.
    pub fn transfer(&self, down: [u8; 3]) -> [u8; 3] {
        let word = u32::from_be_bytes([0, down[0], down[1], down[2]]);
        // The first 1 is the start bit, wherever it is.
        let start = word.leading_zeros();
        if start > 32 - 17 {
            return [0xff; 3];
        }
        let after = |bits: u32| word << (start + 1) >> (32 - bits);
        let (single, input) = (after(1), after(4) & 7);
        let value = match single {
            1 => u32::from(self.inputs[input as usize] & 0x3ff),
            // The difference of a pair, the even one first unless the lowest bit is set.
            _ => {
                let pair = (input & 6) as usize;
                let (a, b) = (self.inputs[pair], self.inputs[pair + 1]);
                let (plus, minus) = if input & 1 == 0 { (a, b) } else { (b, a) };
                u32::from(plus.saturating_sub(minus) & 0x3ff)
            }
        };
        // A clock to sample, a zero, ten bits: five bits and one after the start bit.
        let at = 32 - (start + 1 + 4 + 1 + 1 + 10);
        let mask = (1 << (at + 11)) - 1;
        let back = (0x00ff_ffff & !mask) | value << at;
        let [_, first, second, third] = back.to_be_bytes();
        [first, second, third]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_is_the_datasheets_figure_for_eight_bit_controllers() {
        assert_eq!(ask(0), [0b0000_0001, 0b1000_0000, 0]);
        assert_eq!(ask(5), [0b0000_0001, 0b1101_0000, 0]);
        assert_eq!(ask(200), ask(7));
        assert_eq!(read([0xff, 0b1111_1010, 0x55]), Ok(0x255));
        assert_eq!(read([0xff; 3]), Err(WrongPart));
        assert_eq!(read([0; 3]), Ok(0));
    }

    #[test]
    fn every_input_at_every_level_is_read() {
        let mut chip = SimMcp3008::default();
        for level in 0..1024 {
            chip.inputs = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| (level + i * 100) % 1024);
            for input in 0..INPUTS {
                let wanted = chip.inputs[usize::from(input)];
                assert_eq!(read(chip.transfer(ask(input))), Ok(wanted));
            }
        }
        assert_eq!(read(chip.transfer([0; 3])), Err(WrongPart), "no question");
    }
}
