//! The turn's side of a board's lines: one bank for each chip.
//! Owned by the device to which the lines belong.
//! A bank whose chip is gone makes no calls; when the chip is back, all its outputs are set again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use cycle::Outgoing;
use rtrb::{Consumer, Producer, RingBuffer};

use super::chip_thread::{ChipThread, ChipWorker};
use super::errors::LinesError;
use super::hold::{Hold, by_chip};
use super::line_state::LineState;
use super::outputs::Outputs;
use super::pulse::Pulse;
use super::settings::{LineRole, WantedLine, Wiring};
use crate::bus::BusFault;

/// The lines of one chip.
#[derive(Debug)]
struct Bank {
    there: Arc<AtomicBool>,
    outputs: Option<Outputs>,
    opened: Consumer<Outputs>,
    /// Outputs of a chip that was gone, for the chip thread to close.
    worn: Producer<Outputs>,
    pulse: Option<Pulse>,
    /// The actuator of each trigger.
    triggers: Vec<usize>,
    /// The numbers of the chip's inputs.
    inputs: Vec<usize>,
    _thread: ChipThread,
}

/// All lines of a board.
#[derive(Debug)]
pub(super) struct Banks {
    banks: Vec<Bank>,
    pub(super) shared: Arc<LineState>,
}

/// A thread could not be started.
fn no_thread(error: std::io::Error) -> LinesError {
    LinesError::System {
        what: "a thread for gpio lines".to_owned(),
        said: error.to_string(),
    }
}

impl Bank {
    fn open(
        wanted: Vec<WantedLine>,
        chip: Option<&str>,
        actuators: &[usize],
        shared: &Arc<LineState>,
    ) -> Result<Bank, LinesError> {
        let mut hold = Hold::open(&wanted, chip)?;
        // Two places, so that the chip thread need not wait for a turn that has not taken the last one.
        let (fresh, opened) = RingBuffer::new(2);
        let (worn, closed) = RingBuffer::new(4);
        let there = Arc::new(AtomicBool::new(false));
        let lines = Arc::new(Mutex::new(None));
        let numbers: Vec<usize> = wanted.iter().filter_map(trigger).collect();
        let triggers = numbers
            .iter()
            .filter_map(|number| actuators.get(*number).copied());
        let triggers = triggers.collect();
        let counters = ChipWorker::counters(&wanted);
        let inputs = counters.iter().map(|(number, _)| *number).collect();
        let mut keep = ChipWorker {
            wanted,
            chip: chip.map(str::to_owned),
            shared: Arc::clone(shared),
            there: Arc::clone(&there),
            fresh,
            worn: closed,
            triggers: Arc::clone(&lines),
            counters,
        };
        let what = || chip.unwrap_or("gpio lines").to_owned();
        let served = keep.serve(&mut hold, true);
        served.map_err(|fault| LinesError::System {
            what: what(),
            said: fault.to_string(),
        })?;
        let pulse = match numbers.is_empty() {
            true => None,
            false => Some(Pulse::start(numbers, lines, Arc::clone(shared)).map_err(no_thread)?),
        };
        Ok(Bank {
            there,
            outputs: None,
            opened,
            worn,
            pulse,
            triggers,
            inputs,
            _thread: ChipThread::start(keep, hold).map_err(no_thread)?,
        })
    }

    /// Sets the chip's outputs for this turn, and fires the triggers that are due.
    fn drive(&mut self, out: &Outgoing<'_>) -> Result<(), BusFault> {
        if !self.is_there() {
            return Err(BusFault::Gone);
        }
        while let Ok(fresh) = self.opened.pop() {
            if let Some(worn) = self.outputs.replace(fresh) {
                // There is room: the chip thread empties the queue before it opens the chip again.
                let _ = self.worn.push(worn);
            }
        }
        if let Some(outputs) = &mut self.outputs {
            outputs.drive(out)?;
        }
        if let Some(pulse) = &self.pulse {
            for fire in out.fires {
                let places = self.triggers.iter().enumerate();
                for (place, _) in
                    places.filter(|(_, place)| **place == usize::from(fire.actuator.0))
                {
                    pulse.fire(place);
                }
            }
        }
        Ok(())
    }

    fn is_there(&self) -> bool {
        self.there.load(Ordering::Acquire)
    }
}

/// The number of the trigger that this line belongs to, if it is one.
fn trigger(wanted: &WantedLine) -> Option<usize> {
    match wanted.role {
        LineRole::Trigger(number) => Some(number),
        LineRole::Output(_) | LineRole::Input { .. } => None,
    }
}

impl Drop for Bank {
    fn drop(&mut self) {
        while let Ok(outputs) = self.opened.pop() {
            self.outputs = Some(outputs);
        }
        if let Some(outputs) = &self.outputs {
            outputs.release();
        }
    }
}

impl Banks {
    /// Opens all lines of a board.
    pub(super) fn open(wiring: Wiring, chip: Option<&str>) -> Result<Banks, LinesError> {
        let shared = Arc::new(LineState::new(wiring.inputs, wiring.triggers.len()));
        let chips = by_chip(wiring.wanted, chip)?.into_iter();
        let banks = chips.map(|value| Bank::open(value, chip, &wiring.triggers, &shared));
        let banks = banks.collect::<Result<_, _>>()?;
        Ok(Banks { banks, shared })
    }

    /// Sets all outputs for this turn. Returns the first fault. The other chips are driven even if one is gone.
    pub(super) fn drive(&mut self, out: &Outgoing<'_>) -> Result<(), BusFault> {
        let all = self.banks.iter_mut().map(|bank| bank.drive(out));
        all.fold(Ok(()), Result::and)
    }

    /// Whether every chip is present.
    pub(super) fn are_there(&self) -> bool {
        self.banks.iter().all(Bank::is_there)
    }

    /// Whether the chip of this input is present.
    pub(super) fn hears(&self, input: usize) -> bool {
        let bank = self.banks.iter().find(|bank| bank.inputs.contains(&input));
        bank.is_some_and(Bank::is_there)
    }
}
