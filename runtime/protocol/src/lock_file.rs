//! A file that one process holds: of a loop's name, and of a server's state folder.
//! The kernel releases it when its process ends, however that happens.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// A file that this process holds until this is dropped.
#[derive(Debug)]
pub struct LockFile(#[allow(dead_code, reason = "the open file is the lock")] File);

/// Why a file cannot be held.
#[derive(Debug)]
pub enum LockFileError {
    /// Another process holds it; what that has written into it.
    Held(String),
    /// It cannot be created or written.
    Io(io::Error),
}

impl LockFile {
    /// Holds the file at this path, and writes into it who holds it.
    ///
    /// # Errors
    /// [`LockFileError`].
    pub fn hold(path: &Path, holder: &str) -> Result<LockFile, LockFileError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).mode(0o600);
        let mut file = options
            .truncate(false)
            .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
            .open(path)
            .map_err(LockFileError::Io)?;
        if file.try_lock().is_err() {
            let mut holder = String::new();
            // It is only for the message.
            let _ = file.take(256).read_to_string(&mut holder);
            return Err(LockFileError::Held(holder.trim().to_owned()));
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{holder}"));
        written.map_err(LockFileError::Io)?;
        Ok(LockFile(file))
    }
}
