//! Parts with sensors, joined with a bus: on their own thread, they read all their inputs at once.
//! Mounted from the description, each on a bus of its own.
//! An impossible reading is a named fault, and never a reading.

use super::{WrongPart, as5048a, lsm6ds, mcp3008};
use crate::aside::PartDevice;
use crate::bus::Transfer;
use crate::faults::Fault;

/// An MCP3008: up to eight inputs of 0 to 1,023. A line that is stuck at 0 looks like inputs at 0.
#[derive(Debug)]
pub struct Mcp3008<T> {
    bus: T,
}

impl<T> Mcp3008<T> {
    /// The chip on this bus.
    pub fn new(bus: T) -> Mcp3008<T> {
        Mcp3008 { bus }
    }
}

impl<T: Transfer + 'static> PartDevice for Mcp3008<T> {
    fn run(&mut self, _: &[f64], _: bool, inputs: &mut [f64]) -> Result<(), Fault> {
        for (input, counts) in (0..mcp3008::INPUTS).zip(inputs) {
            let came = exchange(&mut self.bus, mcp3008::ask(input))?;
            *counts = f64::from(mcp3008::read(came).map_err(|error| fault(error, &came))?);
        }
        Ok(())
    }
}

/// An AS5048A: one input, its angle of 0 to 16,383 steps.
#[derive(Debug)]
pub struct As5048a<T> {
    bus: T,
}

impl<T> As5048a<T> {
    /// The chip on this bus.
    pub fn new(bus: T) -> As5048a<T> {
        As5048a { bus }
    }

    /// Sends a word, and reads the answer to the previous one.
    fn ask(&mut self, word: [u8; 2]) -> Result<u16, Fault>
    where
        T: Transfer,
    {
        let came = exchange(&mut self.bus, word)?;
        match as5048a::read(came).map_err(|error| fault(error, &came))? {
            as5048a::EncoderWord::Angle(word) => Ok(word),
            as5048a::EncoderWord::Error => {
                exchange(&mut self.bus, as5048a::clear_error())?;
                Err(Fault::Refused(wire::Refused::Form))
            }
        }
    }
}

impl<T: Transfer + 'static> PartDevice for As5048a<T> {
    fn run(&mut self, _: &[f64], _: bool, inputs: &mut [f64]) -> Result<(), Fault> {
        // The answer to the first word is from the previous run.
        exchange(&mut self.bus, as5048a::ask_angle())?;
        let angle = self.ask(as5048a::ask_diagnosis())?;
        let diagnosis = self.ask(as5048a::ask_angle())?;
        if diagnosis == 0 && angle == 0 {
            return Err(Fault::Silence);
        }
        if !as5048a::is_sound(diagnosis) {
            return Err(Fault::UnexpectedFrame);
        }
        if let Some(counts) = inputs.first_mut() {
            *counts = f64::from(angle);
        }
        Ok(())
    }
}

/// An LSM6DS: seven inputs in SI units: angular velocity about x, y and z, acceleration along them, temperature.
#[derive(Debug)]
pub struct Lsm6ds<T> {
    bus: T,
    ranges: lsm6ds::Ranges,
    is_set_up: bool,
}

impl<T> Lsm6ds<T> {
    /// The chip on this bus, with these ranges.
    pub fn new(bus: T, ranges: lsm6ds::Ranges) -> Lsm6ds<T> {
        Lsm6ds {
            bus,
            ranges,
            is_set_up: false,
        }
    }
}

impl<T: Transfer + 'static> PartDevice for Lsm6ds<T> {
    fn run(&mut self, _: &[f64], _: bool, inputs: &mut [f64]) -> Result<(), Fault> {
        // After any fault, identify the chip and set it up again: it may have lost its power, and its settings with it.
        if !std::mem::take(&mut self.is_set_up) {
            let who = exchange(&mut self.bus, lsm6ds::ask_who())?;
            let other = if is_silent(&who[1..]) {
                Fault::Silence
            } else {
                Fault::Mismatch
            };
            lsm6ds::is_one(who).map_err(|WrongPart| other)?;
            let [[control, block, _], rates] = lsm6ds::set_up(self.ranges);
            exchange(&mut self.bus, [control, block])?;
            exchange(&mut self.bus, rates)?;
        }
        let came = exchange(&mut self.bus, lsm6ds::ask())?;
        // The first byte is received while the address is sent.
        let motion = lsm6ds::read(&came, self.ranges).map_err(|error| fault(error, &came[1..]))?;
        let all = motion.turn.into_iter().chain(motion.pull);
        for (counts, value) in inputs.iter_mut().zip(all.chain([motion.warmth])) {
            *counts = value;
        }
        self.is_set_up = true;
        Ok(())
    }
}

fn exchange<T: Transfer, const N: usize>(bus: &mut T, down: [u8; N]) -> Result<[u8; N], Fault> {
    let mut up = [0; N];
    bus.transfer(&down, &mut up)?;
    Ok(up)
}

/// Silence if nothing drives the line, else a corrupt answer.
fn fault(_: WrongPart, came: &[u8]) -> Fault {
    if is_silent(came) {
        Fault::Silence
    } else {
        Fault::Corrupt
    }
}

fn is_silent(came: &[u8]) -> bool {
    came.iter().all(|item| *item == 0xff) || came.iter().all(|item| *item == 0)
}
