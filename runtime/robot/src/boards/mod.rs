//! From the description to devices: every board that is real is opened, locked and mounted.
//!
//! Called at start-up by whoever drives a real robot, and by what looks after it. `mount` makes each device,
//! `lock` keeps two of them apart; `table` compares a board with its description; `peer` is
//! the other end, for whoever has no board; `gauge` listens to a joint that nobody drives.
//! The law: all boards are opened, or none, and nothing is said to a board that another process drives.

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

/// Turns that a loop may miss, and the time that it may stand still at least, until its boards are taken over.
const MISSED: (u64, Duration) = (20, Duration::from_millis(250));

/// How long a loop of this period may stand still until its guardian ends it, and takes its boards over.
pub fn taken_over_after(period: Span) -> Duration {
    let missed = Duration::from_nanos(period.nanos().saturating_mul(MISSED.0));
    missed.max(MISSED.1)
}

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
    pub locks: Vec<BoardLock>,
    /// What is odd about them, though they can be driven: a sentence each.
    pub warnings: Vec<String>,
}

/// Opens every real board, some of them listened to.
///
/// # Errors
/// A sentence for each board that could not be opened.
pub fn open(robot: &Robot, taps: &Taps) -> Result<Opened, OpenErrors> {
    let (locks, failed) = lock_each(robot);
    let mut wrong: Vec<_> = failed.iter().map(sentence).collect();
    // Whoever asks a board that another drives takes its force away: then nothing of this robot is opened.
    if failed.iter().any(|it| matches!(it.1, LockError::InUse(_))) {
        return Err(OpenErrors(wrong));
    }
    let (opened, mut others) = mount_all(robot, taps, false, locks);
    // Of a board that could not be held it is told once.
    others.retain(|it| !failed.iter().any(|known| known.0 == it.0));
    wrong.extend(others.into_iter().map(|it| it.1));
    if wrong.is_empty() {
        Ok(opened)
    } else {
        Err(OpenErrors(wrong))
    }
}

/// Boards that were driven until now by a process that is gone: boards and relays that have power keep it. The names
/// of those that could not be had come with the others.
pub fn take_over(robot: &Robot, locks: Vec<BoardLock>) -> (Opened, Vec<String>) {
    let (opened, wrong) = mount_all(robot, &[], true, locks);
    (opened, wrong.into_iter().map(|it| it.0).collect())
}

/// The locks of every real board.
///
/// # Errors
/// A sentence for each that somebody else has.
pub fn lock_all(robot: &Robot) -> Result<Vec<BoardLock>, OpenErrors> {
    let (locks, wrong) = lock_each(robot);
    if wrong.is_empty() {
        Ok(locks)
    } else {
        Err(OpenErrors(wrong.iter().map(sentence).collect()))
    }
}

/// The locks that could be had, and of the others the board's name and why not.
fn lock_each(robot: &Robot) -> (Vec<BoardLock>, Vec<(String, LockError)>) {
    let (mut locks, mut wrong) = (Vec::new(), Vec::new());
    for board in robot.boards.iter().filter(|it| it.is_real()) {
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

/// Every real board that could be opened, and of the others the name and why not.
fn mount_all(
    robot: &Robot,
    taps: &Taps,
    driven: bool,
    locks: Vec<BoardLock>,
) -> (Opened, Vec<(String, String)>) {
    let (mut rack, mut wrong, mut warnings) = (Rack::default(), Vec::new(), Vec::new());
    for (place, board) in robot.boards.iter().enumerate().filter(|it| it.1.is_real()) {
        match mount::device(robot, place, taps, driven) {
            Ok(ready) => {
                let mounted = Mounted::new(place, ready.device, u64::from(board.every));
                rack.0.push(mounted);
                warnings.extend(ready.warning.map(|it| named(&board.name) + &it));
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
