//! TLC5947: 24 constant-current outputs of 12 bits each, for lights and, with care, for servos' pulses.
//!
//! A shift register of 288 bits: the most significant bit of the last output goes first. The chip shows the shifted
//! bits when the latch (XLAT) rises. Several are chained: the last chip's bits go first.

use super::Register;

/// Outputs of a chip.
pub const OUTPUTS: usize = 24;

/// Bytes for a chip.
pub const BYTES: usize = 36;

/// The highest level.
pub const HIGHEST: u16 = 4095;

/// Encodes these levels; a level above the highest is clamped.
pub fn bytes(levels: &[u16; OUTPUTS]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    // Two outputs are three bytes; the last output goes first.
    let pairs = levels.as_chunks::<2>().0.iter().rev();
    for (three, [lower, upper]) in bytes.as_chunks_mut::<3>().0.iter_mut().zip(pairs) {
        let (first, second) = (*upper.min(&HIGHEST), *lower.min(&HIGHEST));
        *three = [
            (first >> 4) as u8,
            ((first & 0xf) << 4 | second >> 8) as u8,
            second as u8,
        ];
    }
    bytes
}

/// A simulated chip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimTlc5947 {
    register: Register<BYTES>,
    levels: [u16; OUTPUTS],
}

impl SimTlc5947 {
    /// Shifts a byte in and another one out, to the next chip.
    pub fn shift(&mut self, byte: u8) -> u8 {
        self.register.shift(byte)
    }

    /// The latch rises: the chip shows the register.
    pub fn latch(&mut self) {
        for (output, level) in self.levels.iter_mut().enumerate() {
            let first = (OUTPUTS - 1 - output) * 12;
            *level = (first..first + 12).fold(0, |level, bit| {
                let bit = self.register.0[bit / 8] >> (7 - bit % 8) & 1;
                level << 1 | u16::from(bit)
            });
        }
    }

    /// The levels of its outputs.
    pub fn levels(&self) -> &[u16; OUTPUTS] {
        &self.levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_output_goes_first_and_its_highest_bit_before_all() {
        let mut levels = [0; OUTPUTS];
        levels[23] = 0x800;
        assert_eq!(bytes(&levels)[0], 0x80);
        levels = [0; OUTPUTS];
        levels[0] = 1;
        assert_eq!(bytes(&levels)[BYTES - 1], 1);
        levels[0] = u16::MAX;
        assert_eq!(bytes(&levels)[BYTES - 2..], [0x0f, 0xff]);
    }

    #[test]
    fn a_chain_of_chips_shows_what_was_meant_when_it_is_latched() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut near, mut far) = (SimTlc5947::default(), SimTlc5947::default());
        for _ in 0..1_000 {
            let mut levels = || [(); OUTPUTS].map(|()| random.u16(..=HIGHEST));
            let (first, last) = (levels(), levels());
            for byte in bytes(&last).into_iter().chain(bytes(&first)) {
                let on = near.shift(byte);
                far.shift(on);
            }
            let before = *near.levels();
            assert_eq!(near.levels(), &before, "not before the latch");
            near.latch();
            far.latch();
            assert_eq!((near.levels(), far.levels()), (&first, &last));
        }
    }
}
