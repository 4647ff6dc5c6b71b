//! What carries bytes: one full-duplex transfer at a time, over a real bus or a substitute.
//!
//! `spi` is Linux' spidev, `socket` a board that runs as a process. Three wrap any other bus: `faulty` damages frames
//! as wires do, `delayed` takes time, and `tap` records the transfers and replays them. None of them interprets the
//! bytes.
//! Every transfer ends within its timeout, with an answer or with a named fault.

mod delayed;
mod faulty;
mod socket;
mod spi;
mod tap;

use std::fmt;
use std::io;

use rustix::io::Errno;

pub use delayed::{DelayMode, Delayed, Latency};
pub use faulty::{Faulty, Mishap, Rates};
pub use socket::{Socket, serve};
pub use spi::{Spi, SpiSettings, locate};
pub use tap::{Difference, NotATape, Passed, Played, Tap, Tape};

/// Why a transfer failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusFault {
    /// The bus does not exist, or was unplugged.
    Gone,
    /// This user may not use it.
    Forbidden,
    /// Another process uses the bus.
    Busy,
    /// There was no answer in time.
    TimedOut,
    /// The bus takes no transfer of this length.
    TooLong,
    /// The bus does not support its settings.
    Settings,
    /// Another error, with the system's error number.
    Other(i32),
}

impl fmt::Display for BusFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BusFault::Gone => write!(f, "the bus is not there"),
            BusFault::Forbidden => write!(
                f,
                "this user may not use the bus; fix: add it to the group that owns it, then log in again"
            ),
            BusFault::Busy => write!(f, "another process uses the bus"),
            BusFault::TimedOut => write!(f, "no answer in time"),
            BusFault::TooLong => write!(
                f,
                "the bus takes no transfer of this length; fix: raise the kernel's spidev.bufsiz"
            ),
            BusFault::Settings => {
                write!(f, "the bus does not support this mode, speed or word size")
            }
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
            // Observed on a real kernel: an unplugged device gives SHUTDOWN while it is open, and does not exist
            // afterwards. The socket of an ended process refuses connections, or does not exist.
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
    /// Sends `down` and receives the same number of bytes into `up`.
    ///
    /// # Errors
    /// A [`BusFault`]; the contents of `up` are then unspecified.
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault>;
}

impl<T: Transfer + ?Sized> Transfer for Box<T> {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        (**self).transfer(down, up)
    }
}
