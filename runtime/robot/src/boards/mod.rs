//! From the description to devices: every board that is real is opened, locked and mounted.
//!
//! Called at start-up by whoever drives a real robot, and by what looks after it. `mount` makes each device, `lock` keeps two of them apart; `peer` is
//! the other end, for whoever has no board; `gauge` listens to a joint that nobody drives.
//! The law: all boards are opened, or none; what is wrong is said of each of them.

pub mod gauge;
mod lock;
mod mount;
pub mod peer;

use std::fmt;

use std::path::PathBuf;

use drivers::rack::{Mounted, Rack};

use crate::config::Robot;

pub use lock::{Held, hold};
pub use mount::carrier;
pub(crate) use mount::device;

/// Boards that are listened to, by name, and the file for each.
pub type Taps = [(String, PathBuf)];

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

/// Opens every real board, some of them listened to.
///
/// # Errors
/// A sentence for each board that could not be opened.
pub fn open(robot: &Robot, taps: &Taps) -> Result<Opened, OpenErrors> {
    opened(robot, taps, false)
}

/// As `open`, from a process that is gone: boards and relays that have power keep it.
///
/// # Errors
/// As for `open`.
pub fn take_over(robot: &Robot) -> Result<Opened, OpenErrors> {
    opened(robot, &[], true)
}

fn opened(robot: &Robot, taps: &Taps, driven: bool) -> Result<Opened, OpenErrors> {
    let (mut rack, mut held, mut wrong) = (Rack::default(), Vec::new(), Vec::new());
    for (place, board) in robot.boards.iter().enumerate().filter(|it| it.1.is_real()) {
        match hold(board).and_then(|it| Ok((it, mount::device(robot, place, taps, driven)?))) {
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
