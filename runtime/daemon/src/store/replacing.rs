//! Replaces files, and puts damaged ones aside. Called by the store and by what is kept in a file each.
//! After a crash the old or the new file is there, and what was damaged is never lost.

use std::io;

use super::ASIDE;
use super::disk::Disk;

/// Moves a damaged file to `aside`, under a name that no other has. Returns its new path.
///
/// # Errors
/// The disk fails.
pub(super) fn put_aside(disk: &dyn Disk, path: &str) -> io::Result<String> {
    let there = disk.list(ASIDE)?;
    let mut names = (1..).map(|i| format!("{path}.{i}"));
    let name = names.find(|name| !there.contains(name)).unwrap_or_default();
    let aside = format!("{ASIDE}/{name}");
    disk.rename(path, &aside)?;
    disk.sync_folder(ASIDE)?;
    Ok(aside)
}

/// Replaces a file atomically: after a crash the old or the new one is there.
///
/// # Errors
/// The disk fails.
pub fn replace(disk: &dyn Disk, path: &str, text: &[u8]) -> io::Result<()> {
    let next = write_new(disk, path, text)?;
    disk.rename(&next, path)?;
    disk.sync_folder(".")
}

pub(super) fn write_new(disk: &dyn Disk, path: &str, text: &[u8]) -> io::Result<String> {
    let next = format!("{path}.next");
    let written = disk
        .write(&next, text, true)
        .and_then(|()| disk.sync(&next));
    if let Err(error) = written {
        // On a full disk even a part of it is in the way.
        let _ = disk.remove(&next);
        return Err(error);
    }
    Ok(next)
}

/// Whether something is no file, or another user's: it stays so, whenever it is read again.
pub(super) fn is_no_file(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, IsADirectory, PermissionDenied};
    matches!(error.kind(), InvalidInput | IsADirectory | PermissionDenied)
}

/// Whether the disk has no room for it.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}
