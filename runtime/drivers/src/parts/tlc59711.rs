//! TLC59711: 12 outputs of 16 bits, in four groups of red, green and blue, each colour with a brightness of its own.
//!
//! 224 bits: a command of six, five of function, three brightnesses of seven bits, blue first, then the levels, the
//! last group's blue first. It latches by itself when the clock stops. Chained, the last chip's bits go first.

use super::Register;

/// Outputs of a chip: R0, G0, B0, R1 … B3.
pub const OUTPUTS: usize = 12;

/// Bytes of a chip.
pub const BYTES: usize = 28;

/// The write command; other commands have no effect.
const WRITE: u32 = 0b10_0101;

/// The settings of a chip besides its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Brightness of red, green and blue, 0 to 127.
    pub brightness: [u8; 3],
    /// Whether all outputs are off.
    pub blank: bool,
}

impl Default for Function {
    fn default() -> Function {
        Function {
            brightness: [127; 3],
            blank: false,
        }
    }
}

/// OUTTMG and TMGRST and DSPRPT set, EXTGCK not: edges rise together, and the pattern repeats by itself.
const FUNCTION: u32 = 0b1_0110;

/// Encodes these levels and settings.
pub fn bytes(levels: &[u16; OUTPUTS], function: Function) -> [u8; BYTES] {
    let [red, green, blue] = function
        .brightness
        .map(|brightness| u32::from(brightness.min(127)));
    let five = FUNCTION | u32::from(function.blank);
    let head = WRITE << 26 | five << 21 | blue << 14 | green << 7 | red;
    let mut bytes = [0; BYTES];
    let (first, rest) = bytes.split_at_mut(4);
    first.copy_from_slice(&head.to_be_bytes());
    for (two, level) in rest
        .as_chunks_mut::<2>()
        .0
        .iter_mut()
        .zip(levels.iter().rev())
    {
        *two = level.to_be_bytes();
    }
    bytes
}

/// A simulated chip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimTlc59711 {
    register: Register<BYTES>,
    levels: [u16; OUTPUTS],
    function: Function,
}

impl SimTlc59711 {
    /// Shifts a byte in and another one out, to the next chip.
    pub fn shift(&mut self, byte: u8) -> u8 {
        self.register.shift(byte)
    }

    /// The clock stops: the chip shows the register, if it holds a write command.
    pub fn latch(&mut self) {
        let (head, rest) = self
            .register
            .0
            .split_first_chunk::<4>()
            .unwrap_or((&[0; 4], &[]));
        let head = u32::from_be_bytes(*head);
        if head >> 26 != WRITE {
            return;
        }
        let seven = |at: u32| (head >> at & 127) as u8;
        self.function = Function {
            brightness: [seven(0), seven(7), seven(14)],
            blank: head >> 21 & 1 != 0,
        };
        for (level, two) in self
            .levels
            .iter_mut()
            .zip(rest.as_chunks::<2>().0.iter().rev())
        {
            *level = u16::from_be_bytes(*two);
        }
    }

    /// The levels of its outputs, and its settings.
    pub fn shows(&self) -> (&[u16; OUTPUTS], Function) {
        (&self.levels, self.function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_the_datasheets() {
        let mut levels = [0; OUTPUTS];
        levels[11] = 0x1234;
        levels[0] = 0x5678;
        let bytes = bytes(&levels, Function::default());
        // 100101, 10110, 1111111 three times.
        assert_eq!(bytes[..4], [0x96, 0xdf, 0xff, 0xff]);
        assert_eq!(
            (&bytes[4..6], &bytes[26..]),
            (&[0x12, 0x34][..], &[0x56, 0x78][..])
        );
    }

    #[test]
    fn a_chip_shows_what_was_meant_and_nothing_for_another_command() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut chip = SimTlc59711::default();
        for _ in 0..1_000 {
            let levels = [(); OUTPUTS].map(|()| random.u16(..));
            let function = Function {
                brightness: [(); 3].map(|()| random.u8(..=127)),
                blank: random.bool(),
            };
            bytes(&levels, function)
                .iter()
                .for_each(|byte| _ = chip.shift(*byte));
            chip.latch();
            assert_eq!(chip.shows(), (&levels, function));
            [0; BYTES].iter().for_each(|item| _ = chip.shift(*item));
            chip.latch();
            assert_eq!(chip.shows(), (&levels, function));
        }
    }
}
