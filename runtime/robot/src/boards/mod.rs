//! From the description to devices: every board that is real is opened, locked and mounted.
//!
//! Called at start-up by whoever drives a real robot, and by what looks after it. `lock` keeps two of them apart; `peer` is
//! the other end, for whoever has no board; `gauge` listens to a joint that nobody drives.
//! The law: all boards are opened, or none; what is wrong is said of each of them.

pub mod gauge;
mod lock;
pub mod peer;

use std::fmt;

use cycle::Span;
use drivers::bus::{Socket, Spi, Transfer};
use drivers::rack::{Device, Mounted, Rack};
use drivers::servo::{Servo, Session};

use crate::config::{Board, Bus, Driver, Robot, layout};

pub use lock::{Held, hold};

/// Why a robot's boards were not opened: a sentence for each that could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenErrors(pub Vec<String>);

impl fmt::Display for OpenErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.join("\n"))
    }
}

impl std::error::Error for OpenErrors {}

/// Every real board of a robot, and the locks that keep others away from them.
#[derive(Debug, Default)]
pub struct Opened {
    /// The boards.
    pub rack: Rack,
    /// Kept as long as they are driven.
    pub held: Vec<Held>,
}

/// Opens every real board.
///
/// # Errors
/// A sentence for each board that could not be opened.
pub fn open(robot: &Robot) -> Result<Opened, OpenErrors> {
    let (mut rack, mut held, mut wrong) = (Rack::default(), Vec::new(), Vec::new());
    for (place, board) in robot.boards.iter().enumerate().filter(|it| it.1.is_real()) {
        match hold(board).and_then(|it| Ok((it, device(robot, place, board)?))) {
            Ok((lock, device)) => {
                held.extend(lock);
                rack.0
                    .push(Mounted::new(place, device, u64::from(board.every)));
            }
            Err(why) => wrong.push(format!("the board `{}`: {why}", board.name)),
        }
    }
    if wrong.is_empty() {
        Ok(Opened { rack, held })
    } else {
        Err(OpenErrors(wrong))
    }
}

fn device(robot: &Robot, place: usize, board: &Board) -> Result<Box<dyn Device>, String> {
    match &board.driver {
        Driver::Servo { bus, .. } => {
            let period = robot.settings.period.nanos() * u64::from(board.every);
            let session = Session::new(layout(robot, place), Span::from_nanos(period));
            Ok(Box::new(Servo::new(session, carrier(bus)?)))
        }
        _ => Err("it has no driver yet".to_owned()),
    }
}

/// What carries the bytes of a board on this bus.
///
/// # Errors
/// A sentence.
pub fn carrier(bus: &Bus) -> Result<Box<dyn Transfer>, String> {
    let told =
        |why| format!("{bus}: {why}; fix: look with `dcm-run doctor`, or simulate it: `--sim`");
    match bus {
        Bus::Spi(spi) => Ok(Box::new(Spi::open(spi).map_err(told)?)),
        Bus::Socket(path) => {
            let own = std::env::temp_dir().join(format!("dcm-run-{}", std::process::id()));
            Ok(Box::new(Socket::connect(path, &own).map_err(told)?))
        }
    }
}
