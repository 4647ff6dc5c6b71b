//! One process drives a board: a lock on the device itself, that the kernel takes back however the process ends.
//! BoardLock by the loop for as long as it lives, and by the guardian after it.
//! The law: whoever drives a board holds its lock, so two never do; a dead process holds nothing.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use description::{BoardSpec, Bus, Driver};

/// The lock of a board. It is given back when it is dropped.
#[derive(Debug)]
pub struct BoardLock(#[allow(dead_code, reason = "the open file is the lock")] File);

/// Why a board could not be locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockError {
    /// Another process drives it, by this device.
    InUse(PathBuf),
    /// Its device cannot be opened; the sentence says why.
    Device(String),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::InUse(path) => write!(
                f,
                "{} is driven by another process; fix: end it first; `fuser` shows which it is",
                path.display()
            ),
            LockError::Device(sentence) => write!(f, "{sentence}"),
        }
    }
}

impl std::error::Error for LockError {}

/// Locks the board, if it is one that can be locked: its device, or a file beside its socket. Lines are locked by the
/// kernel when they are asked for.
///
/// # Errors
/// Another process drives it, or there is no such device.
pub fn lock_board(board: &BoardSpec) -> Result<Option<BoardLock>, LockError> {
    let Some(path) = place(board) else {
        return Ok(None);
    };
    let told = |why: std::io::Error| {
        LockError::Device(format!("{}: {why}{}", path.display(), fix(&path, &why)))
    };
    let file = open(&path).map_err(told)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(BoardLock(file))),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(LockError::InUse(path)),
        Err(why) => Err(told(why.into())),
    }
}

/// What a user who may not open a device can do.
fn fix(path: &Path, why: &std::io::Error) -> String {
    if why.kind() != std::io::ErrorKind::PermissionDenied {
        return String::new();
    }
    let group = std::fs::metadata(path).ok().and_then(|it| group(it.gid()));
    match group.as_deref() {
        // What only root may open is given to a group by a rule of udev's.
        None | Some("root") => {
            "; fix: give it to a group by a rule of udev's, as `SUBSYSTEM==\"spidev\", GROUP=\"spi\"`, and join that"
                .to_owned()
        }
        Some(group) => format!("; fix: join its group, `sudo usermod -aG {group} $USER`, and log in anew"),
    }
}

/// The name of a group.
fn group(number: u32) -> Option<String> {
    let groups = std::fs::read_to_string("/etc/group").ok()?;
    let mut lines = groups.lines().map(|it| it.split(':'));
    lines.find_map(|mut line| {
        let name = line.next()?;
        (line.nth(1)?.parse() == Ok(number)).then(|| name.to_owned())
    })
}

/// Whether this is a board that can be locked, and nobody has, or that is not there at all.
pub fn is_free(board: &BoardSpec) -> bool {
    let Some(path) = place(board) else {
        return false;
    };
    let Ok(file) = File::open(path) else {
        return true;
    };
    flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

fn place(board: &BoardSpec) -> Option<PathBuf> {
    match (&board.driver, board.bus()) {
        (_, Some(Bus::Spi(spi))) => Some(drivers::bus::locate(&spi.path)),
        (_, Some(Bus::Socket(socket))) | (Driver::Lola { socket }, _) => {
            let mut path = socket.clone().into_os_string();
            path.push(".lock");
            Some(PathBuf::from(path))
        }
        _ => None,
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    // A device is there already; what locks a socket is made.
    let is_device = path.starts_with("/dev");
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(!is_device)
        .truncate(false)
        .open(path)
}
