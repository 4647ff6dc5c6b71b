//! What carries bytes: one full-duplex transfer at a time, over a real bus or what stands in for one.
//!
//! `spi` is Linux' spidev, `socket` a board that runs as a process. Three stack on any other: `faulty` does to frames
//! what wires do, `delayed` takes time, `tap` writes down what passes and plays it again. What the bytes mean is none
//! of their business.
//! The law: a transfer ends, with what came back or with a fault that has a name; nothing waits beyond its time.

mod delayed;
mod faulty;
mod socket;
mod spi;
mod tap;

use std::fmt;
use std::io;

use rustix::io::Errno;

pub use delayed::{Delayed, Latency, Waiting};
pub use faulty::{Faulty, Mishap, Rates};
pub use socket::{Socket, serve};
pub use spi::{Spi, SpiSettings, locate};
pub use tap::{Difference, NotATape, Passed, Played, Tap, Tape};

/// Why a transfer failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusFault {
    /// The bus is not there, or not any more: it was unplugged.
    Gone,
    /// This user may not use it.
    Forbidden,
    /// Somebody else has it.
    Busy,
    /// Nobody answered in time.
    TimedOut,
    /// It takes no transfer of this length.
    TooLong,
    /// It cannot do what it was set to.
    Settings,
    /// Another error, by the system's number.
    Other(i32),
}

impl fmt::Display for BusFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BusFault::Gone => write!(f, "the bus is not there"),
            BusFault::Forbidden => write!(
                f,
                "this user may not use the bus; fix: add it to the group that owns it, and log in anew"
            ),
            BusFault::Busy => write!(f, "somebody else has the bus"),
            BusFault::TimedOut => write!(f, "nobody answered in time"),
            BusFault::TooLong => write!(
                f,
                "the bus takes no transfer of this length; fix: raise the kernel's spidev.bufsiz"
            ),
            BusFault::Settings => write!(f, "the bus cannot do this mode, speed or word"),
            BusFault::Other(number) => {
                write!(f, "{}", io::Error::from_raw_os_error(*number))
            }
        }
    }
}

impl std::error::Error for BusFault {}

impl From<io::Error> for BusFault {
    fn from(error: io::Error) -> BusFault {
        match Errno::from_io_error(&error) {
            // As seen of a real kernel: what is unplugged gives SHUTDOWN while it is open, and is not there after. A
            // process that has ended refuses, or leaves nothing behind.
            Some(
                Errno::NOENT
                | Errno::NODEV
                | Errno::NXIO
                | Errno::SHUTDOWN
                | Errno::CONNREFUSED
                | Errno::CONNRESET
                | Errno::NOTCONN
                | Errno::DESTADDRREQ,
            ) => BusFault::Gone,
            Some(Errno::PERM | Errno::ACCESS) => BusFault::Forbidden,
            Some(Errno::BUSY) => BusFault::Busy,
            Some(Errno::TIMEDOUT | Errno::AGAIN) => BusFault::TimedOut,
            Some(Errno::MSGSIZE) => BusFault::TooLong,
            Some(Errno::INVAL) => BusFault::Settings,
            other => BusFault::Other(other.map_or(0, Errno::raw_os_error)),
        }
    }
}

/// A bus with one board at the other end.
pub trait Transfer: Send + fmt::Debug {
    /// Sends `down` and receives as many bytes into `up`.
    ///
    /// # Errors
    /// A [`BusFault`]; what is in `up` then means nothing.
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault>;
}

impl<T: Transfer + ?Sized> Transfer for Box<T> {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        (**self).transfer(down, up)
    }
}
