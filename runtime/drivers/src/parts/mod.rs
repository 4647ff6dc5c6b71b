//! Common parts at the end of an SPI bus: their bytes by their datasheets.
//!
//! Each file encodes and decodes the bytes of one part, and has a simulated chip. None of them uses a bus: `lights` and
//! `senses` join them with one, and [`crate::aside`] runs them. Only `tlc5947` needs another line, its latch.
//! Encoding and decoding are total. A value out of range is clamped, and bytes that the part cannot send give
//! [`WrongPart`].

pub mod apa102;
pub mod as5048a;
pub mod lights;
pub mod lsm6ds;
pub mod mcp3008;
pub mod senses;
pub mod tlc5947;
pub mod tlc59711;

/// The received bytes are not from this part: nothing is connected, or another part, or bits were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongPart;

/// The shift register of a simulated chip: bits enter at one end and leave at the other, to the next chip.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Register<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Default for Register<BYTES> {
    fn default() -> Self {
        Register([0; BYTES])
    }
}

impl<const BYTES: usize> Register<BYTES> {
    fn shift(&mut self, byte: u8) -> u8 {
        let out = self.0[0];
        self.0.rotate_left(1);
        self.0[BYTES - 1] = byte;
        out
    }
}
