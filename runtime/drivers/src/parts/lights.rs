//! Parts with lights, joined with a bus: on their own thread, they show the outputs of the last turn.
//! Mounted from the description, each on a bus of its own.
//! Lights keep their levels, powered or not; a level out of range is clamped, and an output that nobody drives
//! is dark.

use super::{apa102, tlc5947, tlc59711};
use crate::aside::PartDevice;
use crate::bus::Transfer;
use crate::faults::Fault;

/// Chips of TLC5947 in a chain: for each 24 outputs of 0 to 4,095, the nearest chip's first. Chip select is wired to
/// the latch XLAT, so that the chips show the new levels when the transfer ends.
#[derive(Debug)]
pub struct Tlc5947<T> {
    bus: T,
    down: Vec<u8>,
    up: Vec<u8>,
}

impl<T> Tlc5947<T> {
    /// A chain of `chips` chips on this bus.
    pub fn new(bus: T, chips: usize) -> Tlc5947<T> {
        let room = || vec![0; chips * tlc5947::BYTES];
        let (down, up) = (room(), room());
        Tlc5947 { bus, down, up }
    }
}

impl<T: Transfer + 'static> PartDevice for Tlc5947<T> {
    fn run(&mut self, outputs: &[f64], _: bool, _: &mut [f64]) -> Result<(), Fault> {
        // The last chip's bits go first.
        let chips = self.down.as_chunks_mut::<{ tlc5947::BYTES }>().0;
        for (chip, bytes) in chips.iter_mut().rev().enumerate() {
            *bytes = tlc5947::bytes(&levels(outputs, chip, tlc5947::HIGHEST));
        }
        Ok(self.bus.transfer(&self.down, &mut self.up)?)
    }
}

/// Chips of TLC59711 in a chain: for each 12 outputs of 0 to 65,535, the nearest chip's first.
#[derive(Debug)]
pub struct Tlc59711<T> {
    bus: T,
    function: tlc59711::Function,
    down: Vec<u8>,
    up: Vec<u8>,
}

impl<T> Tlc59711<T> {
    /// A chain of `chips` chips on this bus, all with this function.
    pub fn new(bus: T, chips: usize, function: tlc59711::Function) -> Tlc59711<T> {
        let room = || vec![0; chips * tlc59711::BYTES];
        Tlc59711 {
            bus,
            function,
            down: room(),
            up: room(),
        }
    }
}

impl<T: Transfer + 'static> PartDevice for Tlc59711<T> {
    fn run(&mut self, outputs: &[f64], _: bool, _: &mut [f64]) -> Result<(), Fault> {
        let chips = self.down.as_chunks_mut::<{ tlc59711::BYTES }>().0;
        for (chip, bytes) in chips.iter_mut().rev().enumerate() {
            *bytes = tlc59711::bytes(&levels(outputs, chip, u16::MAX), self.function);
        }
        Ok(self.bus.transfer(&self.down, &mut self.up)?)
    }
}

/// A strip of APA102: for each light four outputs, its brightness of 0 to 31, red, green and blue of 0 to 255.
#[derive(Debug)]
pub struct Apa102<T> {
    bus: T,
    lights: Vec<apa102::Light>,
    down: Vec<u8>,
    up: Vec<u8>,
}

impl<T> Apa102<T> {
    /// A strip of `lights` lights on this bus.
    pub fn new(bus: T, lights: usize) -> Apa102<T> {
        let room = || vec![0; apa102::length(lights)];
        Apa102 {
            bus,
            lights: vec![apa102::Light::default(); lights],
            down: room(),
            up: room(),
        }
    }
}

impl<T: Transfer + 'static> PartDevice for Apa102<T> {
    fn run(&mut self, outputs: &[f64], _: bool, _: &mut [f64]) -> Result<(), Fault> {
        for (place, light) in self.lights.iter_mut().enumerate() {
            // Colours are at most 255.
            let part = |value: usize, most| level(outputs.get(4 * place + value), most) as u8;
            *light = apa102::Light {
                brightness: part(0, 31),
                red: part(1, 255),
                green: part(2, 255),
                blue: part(3, 255),
            };
        }
        // There is room: `new` allocated it for this number of lights.
        apa102::write(&self.lights, &mut self.down);
        Ok(self.bus.transfer(&self.down, &mut self.up)?)
    }
}

/// The levels of a chip's outputs.
fn levels<const N: usize>(outputs: &[f64], chip: usize, most: u16) -> [u16; N] {
    std::array::from_fn(|i| level(outputs.get(chip * N + i), most))
}

/// Converts counts to a level; NaN is dark.
fn level(counts: Option<&f64>, most: u16) -> u16 {
    let counts = counts.map_or(0.0, |count| libm::round(*count));
    // The cast converts NaN and negative values to 0.
    (counts as u16).min(most)
}
