//! A servo board as a device of the rack: a session and its bus.
//! Mounted at start-up; one transfer in each turn in which it is due.
//! Both buffers are allocated before the first turn.

use cycle::{Answer, Incoming, Outgoing};

use super::session::Session;
use crate::bus::Transfer;
use crate::faults::Faults;
use crate::rack::Device;

/// A servo board.
#[derive(Debug)]
pub struct Servo<T> {
    /// The session with the board.
    pub session: Session,
    /// The bus to the board.
    pub bus: T,
    down: Vec<u8>,
    up: Vec<u8>,
}

impl<T: Transfer> Servo<T> {
    /// The board at the other end of `bus`.
    pub fn new(session: Session, bus: T) -> Servo<T> {
        let room = session.longest().unwrap_or(0);
        Servo {
            session,
            bus,
            down: vec![0; room],
            up: vec![0; room],
        }
    }
}

impl<T: Transfer> Device for Servo<T> {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) -> Answer {
        let size = self.session.compose(out, &mut self.down);
        let (down, up) = (&self.down[..size], &mut self.up[..size]);
        match self.bus.transfer(down, up) {
            Ok(()) => self.session.hear(up, back),
            Err(fault) => self.session.failed(fault),
        }
    }

    fn stopped(&self) -> bool {
        self.session.last() == Some(crate::faults::Fault::Stopped)
    }

    fn faults(&self) -> Faults {
        *self.session.faults()
    }
}
