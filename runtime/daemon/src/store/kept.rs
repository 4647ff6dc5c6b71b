//! Values that are kept in a file each: tokens, keys, plans. Used by the app.
//! A value changes when its file has; and what takes something away, such as a right, is written even if the
//! disk is full.

use std::io;
use std::sync::Mutex;

use network::lock;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::disk::Disk;
use super::replacing::{is_full, put_aside, replace};

/// A file that gives its room to a value that shrinks on a full disk.
const RESERVE: &str = "reserve";

/// Its size: the largest of the values and what a file system needs beside it.
const RESERVE_BYTES: usize = 256 << 10;

/// Makes the reserve, unless it is there. Without it, a full disk refuses what takes away as well.
pub(crate) fn make_reserve(disk: &dyn Disk) {
    let is_there = |n: u64| n == RESERVE_BYTES as u64;
    if disk.length(RESERVE).is_ok_and(is_there) {
        return;
    }
    // Whatever else is there, such as a pipe, must not be opened.
    let _ = disk.remove(RESERVE);
    if disk.write(RESERVE, &[0; RESERVE_BYTES], true).is_err() {
        // A part of it would be in the way.
        let _ = disk.remove(RESERVE);
    }
}

/// Writes what takes something away, in the room of the reserve. If there is none, writing says so.
pub(super) fn with_reserve<R>(disk: &dyn Disk, write: impl FnOnce() -> R) -> R {
    let _ = disk.remove(RESERVE);
    let written = write();
    make_reserve(disk);
    written
}

/// Reads a file. A damaged one is moved to `aside` and told in `found`, and the server goes on without what is in it:
/// nobody has a token, no key is trusted, nothing is planned. So does it with one that cannot be read, and with what is
/// no file: a robot whose server does not start has no stop in the network.
pub(crate) fn read<T: DeserializeOwned + Default>(
    disk: &dyn Disk,
    path: &str,
    found: &mut Vec<String>,
) -> T {
    let why = match disk.read(path) {
        Ok(text) => match serde_json::from_slice(&text) {
            Ok(value) => return value,
            Err(error) => error.to_string(),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => return T::default(),
        Err(error) => error.to_string(),
    };
    let aside = match put_aside(disk, path) {
        Ok(aside) => format!("it is {aside} now"),
        Err(error) => format!("it cannot be put aside ({error})"),
    };
    found.push(format!(
        "{path} could not be read ({why}); {aside}, and the server goes on without it"
    ));
    T::default()
}

/// Changes a value and its file.
///
/// # Errors
/// The disk fails, and nothing has changed.
pub(crate) fn change_stored<T: Clone + Serialize, R>(
    disk: &dyn Disk,
    path: &str,
    value: &Mutex<T>,
    change: impl FnOnce(&mut T) -> R,
) -> Result<R, StoreError> {
    let mut next = lock(value).clone();
    let before = serde_json::to_vec_pretty(&next).map_err(io::Error::from)?;
    let answer = change(&mut next);
    let text = serde_json::to_vec_pretty(&next).map_err(io::Error::from)?;
    match replace(disk, path, &text) {
        Err(error) if is_full(&error) && text.len() <= before.len() => {
            with_reserve(disk, || replace(disk, path, &text))?;
        }
        replaced => replaced?,
    }
    *lock(value) = next;
    Ok(answer)
}
