//! A board with two lines beside its bus: its ready line and its fault line.
//! Wraps a device when it is mounted.
//! Nothing is sent to a board that is not ready or has a fault, nor while its lines cannot be read.

use cycle::{Answer, Incoming, Outgoing};

use super::bank::Banks;
use super::errors::LinesError;
use super::settings::{LineName, Wiring};
use crate::bus::BusFault;
use crate::faults::{Fault, Faults};
use crate::rack::Device;

/// The settings of a board's ready and fault lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchSettings {
    /// The chip on which names are looked up: a path, a name or a label (default: all chips).
    pub chip: Option<String>,
    /// Active while the board is ready.
    pub ready: Option<LineName>,
    /// Active while the board has a fault.
    pub fault: Option<LineName>,
}

/// A board's ready and fault lines, open.
#[derive(Debug)]
pub struct Watch {
    banks: Banks,
    ready: Option<usize>,
    fault: Option<usize>,
}

impl Watch {
    /// Opens the lines.
    ///
    /// # Errors
    /// A [`LinesError`] for the first line that could not be opened.
    pub fn open(settings: &WatchSettings) -> Result<Watch, LinesError> {
        let mut wiring = Wiring::default();
        let ready = settings.ready.as_ref().map(|ready| wiring.aside(ready));
        let fault = settings.fault.as_ref().map(|fault| wiring.aside(fault));
        let banks = Banks::open(wiring, settings.chip.as_deref())?;
        Ok(Watch {
            banks,
            ready,
            fault,
        })
    }

    /// The fault that the lines show now, if any.
    pub fn says(&self) -> Option<Fault> {
        let active = |input| self.banks.shared.active(input);
        if !self.banks.are_there() {
            Some(Fault::Transfer(BusFault::Gone))
        } else if self.fault.is_some_and(active) {
            Some(Fault::FaultLine)
        } else if self.ready.is_some_and(|ready| !active(ready)) {
            Some(Fault::NotReady)
        } else {
            None
        }
    }
}

/// A board that gets exchanges only while its lines allow it.
#[derive(Debug)]
pub struct Guarded<D> {
    /// The board.
    pub device: D,
    watch: Watch,
    /// Turns without an exchange, by fault.
    withheld: Faults,
}

impl<D: Device> Guarded<D> {
    /// Wraps a board with its lines.
    pub fn new(device: D, watch: Watch) -> Guarded<D> {
        Guarded {
            device,
            watch,
            withheld: Faults::default(),
        }
    }
}

impl<D: Device> Device for Guarded<D> {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) -> Answer {
        let Some(fault) = self.watch.says() else {
            return self.device.exchange(out, back);
        };
        self.withheld.count(fault);
        Answer {
            error: fault.error(),
            ..Answer::default()
        }
    }

    fn stopped(&self) -> bool {
        self.device.stopped()
    }

    fn faults(&self) -> Faults {
        self.device.faults().and(&self.withheld)
    }
}
