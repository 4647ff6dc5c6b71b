//! The lines of a board as a device of the rack: sets outputs, reads inputs, and reports the stop line.
//! Mounted at start-up. It is due in every turn, because triggers fire only in turns in which it is due.
//! In the turn there is at most one call of the kernel for each chip, and one wake-up for each trigger that
//! fires; nothing is allocated or locked. A stop line that cannot be read counts as pressed.

use cycle::{Answer, Incoming, Outgoing};

use super::bank::Banks;
use super::errors::LinesError;
use super::settings::{LinesSettings, Wiring};
use crate::faults::{Fault, Faults};
use crate::rack::Device;

/// The lines of one board.
#[derive(Debug)]
pub struct Lines {
    banks: Banks,
    /// The sensor of each input.
    sensors: Vec<usize>,
    /// The input of the stop line.
    estop: Option<usize>,
    /// The count of its presses at the last turn.
    presses: u64,
    /// Whether it was pressed since the previous turn, however shortly.
    pressed: bool,
    faults: Faults,
}

impl Lines {
    /// Opens all lines.
    ///
    /// # Errors
    /// A [`LinesError`] for the first line that could not be opened. Then no line is open.
    pub fn open(settings: &LinesSettings) -> Result<Lines, LinesError> {
        let mut wiring = Wiring::of(settings)?;
        let estop = settings.estop.as_ref().map(|estop| wiring.aside(estop));
        let sensors = wiring.sensors.clone();
        Ok(Lines {
            banks: Banks::open(wiring, settings.chip.as_deref())?,
            sensors,
            estop,
            presses: 0,
            pressed: false,
            faults: Faults::default(),
        })
    }

    /// Edges that the kernel dropped because they were not read in time; the levels were read again.
    pub fn lost(&self) -> u64 {
        self.banks.shared.lost()
    }
}

impl Device for Lines {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) -> Answer {
        if let Some(estop) = self.estop {
            let presses = self.banks.shared.presses(estop);
            self.pressed = presses != self.presses;
            self.presses = presses;
        }
        if let Err(fault) = self.banks.drive(out) {
            let fault = Fault::Transfer(fault);
            self.faults.count(fault);
            return Answer {
                error: fault.error(),
                ..Answer::default()
            };
        }
        for (input, sensor) in self.sensors.iter().enumerate() {
            let place = back.counts.get_mut(*sensor);
            if let (Some(place), Some(counts)) = (place, self.banks.shared.counts(input)) {
                *place = counts;
            }
        }
        self.faults.good += 1;
        Answer {
            answered: true,
            acknowledged: out.turn,
            error: 0,
        }
    }

    fn stopped(&self) -> bool {
        self.estop.is_some_and(|estop| {
            let is_active = self.banks.shared.active(estop);
            is_active || self.pressed || !self.banks.hears(estop)
        })
    }

    fn faults(&self) -> Faults {
        self.faults
    }
}
