//! Opens the real boards of a description: locks them and makes their devices.
//!
//! Called by the loop at start-up, and by the guardian. `mount` makes each device, `lock` keeps other processes away;
//! `table` compares a board with its description; `simulate` simulates a servo board as a process; `calibrate` reads a
//! joint that is moved by hand.
//! All boards are opened, or none, and a board that another process drives is not contacted.

pub mod calibrate;
mod lock;
mod mount;
pub mod simulate;
pub mod table;

use std::fmt;

use std::path::PathBuf;
use std::time::Duration;

use cycle::Span;
use drivers::rack::{Mounted, Rack};

use description::Robot;

pub use lock::{BoardLock, LockError, is_free, lock_board};
pub use mount::carrier;
pub(crate) use mount::{OpenedBoard, device};

/// The number of missed turns, and the minimum time without a turn, after which a loop's boards are taken over.
const MISSED: (u64, Duration) = (20, Duration::from_millis(250));

/// How long a loop of this period may make no turn before its guardian ends it and takes over its boards.
pub fn taken_over_after(period: Span) -> Duration {
    let missed = Duration::from_nanos(period.nanos().saturating_mul(MISSED.0));
    missed.max(MISSED.1)
}

/// Boards whose frames are logged: the name and the log file of each.
pub type Taps = [(String, PathBuf)];

/// Why a robot's boards could not be opened: a message for each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenErrors(pub Vec<String>);

impl fmt::Display for OpenErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.join("\n"))
    }
}

impl std::error::Error for OpenErrors {}

/// Every real board of a robot, with the locks.
#[derive(Debug, Default)]
pub struct Opened {
    /// The boards.
    pub rack: Rack,
    /// The locks, which must be kept while the boards are driven.
    pub locks: Vec<BoardLock>,
    /// Warnings about boards that can be driven nevertheless.
    pub warnings: Vec<String>,
}

/// Opens every real board, and logs the frames of those in `taps`.
///
/// # Errors
/// A message for each board that could not be opened.
pub fn open(robot: &Robot, taps: &Taps) -> Result<Opened, OpenErrors> {
    let (locks, failed) = lock_each(robot);
    let mut wrong: Vec<_> = failed.iter().map(sentence).collect();
    // A query would make a board that another process drives go limp: in that case no board is opened.
    if failed
        .iter()
        .any(|pair| matches!(pair.1, LockError::InUse(_)))
    {
        return Err(OpenErrors(wrong));
    }
    let (opened, mut others) = mount_all(robot, taps, false, locks);
    // A board that could not be locked is reported once.
    others.retain(|pair| !failed.iter().any(|known| known.0 == pair.0));
    wrong.extend(others.into_iter().map(|pair| pair.1));
    if wrong.is_empty() {
        Ok(opened)
    } else {
        Err(OpenErrors(wrong))
    }
}

/// Opens boards that a dead process drove until now: boards and relays that have power keep it. Returns the opened
/// boards, and the names of those that could not be opened.
pub fn take_over(robot: &Robot, locks: Vec<BoardLock>) -> (Opened, Vec<String>) {
    let (opened, wrong) = mount_all(robot, &[], true, locks);
    (opened, wrong.into_iter().map(|(board, _)| board).collect())
}

/// The locks of every real board.
///
/// # Errors
/// A message for each board that could not be locked.
pub fn lock_all(robot: &Robot) -> Result<Vec<BoardLock>, OpenErrors> {
    let (locks, wrong) = lock_each(robot);
    if wrong.is_empty() {
        Ok(locks)
    } else {
        Err(OpenErrors(wrong.iter().map(sentence).collect()))
    }
}

/// The locks, and the name and the error of each board that could not be locked.
fn lock_each(robot: &Robot) -> (Vec<BoardLock>, Vec<(String, LockError)>) {
    let (mut locks, mut wrong) = (Vec::new(), Vec::new());
    for board in robot.boards.iter().filter(|board| board.is_real()) {
        match lock_board(board) {
            Ok(lock) => locks.extend(lock),
            Err(why) => wrong.push((board.name.clone(), why)),
        }
    }
    (locks, wrong)
}

fn sentence((board, why): &(String, LockError)) -> String {
    format!("{}{why}", named(board))
}

fn named(board: &str) -> String {
    format!("the board `{board}`: ")
}

/// Every real board that could be opened, and the name and the error of the others.
fn mount_all(
    robot: &Robot,
    taps: &Taps,
    driven: bool,
    locks: Vec<BoardLock>,
) -> (Opened, Vec<(String, String)>) {
    let (mut rack, mut wrong, mut warnings) = (Rack::default(), Vec::new(), Vec::new());
    for (place, board) in robot
        .boards
        .iter()
        .enumerate()
        .filter(|pair| pair.1.is_real())
    {
        let _span = tracing::info_span!("open", board = board.name).entered();
        match mount::device(robot, place, taps, driven) {
            Ok(ready) => {
                tracing::info!(taken_over = driven, "the board was opened");
                let mounted = Mounted::new(place, ready.device, u64::from(board.every));
                rack.0.push(mounted);
                warnings.extend(ready.warning.map(|warning| named(&board.name) + &warning));
            }
            Err(why) => wrong.push((board.name.clone(), format!("{}{why}", named(&board.name)))),
        }
    }
    (
        Opened {
            rack,
            locks,
            warnings,
        },
        wrong,
    )
}
