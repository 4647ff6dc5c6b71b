//! Locks boards, so that only one process drives a board: a lock on the device itself, which the kernel releases when
//! the process ends.
//! Held by the loop while it runs, then by the guardian.
//! A process that drives a board holds its lock.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use description::{BoardSpec, Bus, Driver};

/// The lock of a board. Dropping it releases the lock.
#[derive(Debug)]
pub struct BoardLock(#[allow(dead_code, reason = "the open file is the lock")] File);

/// Why a board could not be locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockError {
    /// Another process drives the board through this device.
    InUse(PathBuf),
    /// Its device cannot be opened; the message says why.
    Device(String),
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::InUse(path) => write!(
                f,
                "{} is driven by another process; fix: end that process; `fuser` shows which one it is",
                path.display()
            ),
            LockError::Device(sentence) => write!(f, "{sentence}"),
        }
    }
}

impl std::error::Error for LockError {}

/// Locks the board: its device, or a file beside its socket. Returns no lock for a board without either; the kernel
/// locks GPIO lines when they are requested.
///
/// # Errors
/// Another process drives it, or its device cannot be opened.
pub fn lock_board(board: &BoardSpec) -> Result<Option<BoardLock>, LockError> {
    let Some(path) = place(board) else {
        return Ok(None);
    };
    let failed = |why: std::io::Error| {
        LockError::Device(format!("{}: {why}{}", path.display(), fix(&path, &why)))
    };
    let file = open(&path).map_err(failed)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(BoardLock(file))),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(LockError::InUse(path)),
        Err(why) => Err(failed(why.into())),
    }
}

/// The fix for a user who has no permission to open a device.
fn fix(path: &Path, why: &std::io::Error) -> String {
    if why.kind() != std::io::ErrorKind::PermissionDenied {
        return String::new();
    }
    let group = std::fs::metadata(path)
        .ok()
        .and_then(|metadata| group(metadata.gid()));
    match group.as_deref() {
        // A udev rule gives a device that only root may open to a group.
        None | Some("root") => {
            "; fix: set a group with a udev rule, such as `SUBSYSTEM==\"spidev\", GROUP=\"spi\"`, and join it"
                .to_owned()
        }
        Some(group) => format!("; fix: join its group, `sudo usermod -aG {group} $USER`, and log in again"),
    }
}

/// The name of a group.
fn group(number: u32) -> Option<String> {
    let groups = std::fs::read_to_string("/etc/group").ok()?;
    let mut lines = groups.lines().map(|line| line.split(':'));
    lines.find_map(|mut line| {
        let name = line.next()?;
        (line.nth(1)?.parse() == Ok(number)).then(|| name.to_owned())
    })
}

/// Whether no process has locked this board, or its device is missing; false for a board that cannot be locked.
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
    // A device already exists; the lock file of a socket is created.
    let is_device = path.starts_with("/dev");
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(!is_device)
        .truncate(false)
        .open(path)
}
