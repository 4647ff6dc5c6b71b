//! Parts that people own, at the end of an SPI bus: what their bytes mean, as their datasheets say it.
//!
//! Each file is one part: how its bytes are made and read, and a simulated chip that does with bytes what the real
//! one does. None of these knows a bus. `lights` and `senses` join them with one, for [`crate::aside`] to run. Only
//! `tlc5947` needs a line besides, its latch.
//! The law: making and reading are total. A value that a part cannot have is brought into its range, and bytes that
//! no such part sends are a [`NotIt`], not a value.

pub mod apa102;
pub mod as5048a;
pub mod lights;
pub mod lsm6ds;
pub mod mcp3008;
pub mod senses;
pub mod tlc5947;
pub mod tlc59711;

/// What came back is not what this part sends: nobody is there, or something else, or bits were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotIt;

/// The shift register of a simulated chip: what comes in at one end goes out at the other, to the next chip.
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
