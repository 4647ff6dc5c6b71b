//! What the store asks of a disk: a handful of calls, each of which may fail.
//! `Folder` is the real one; tests have one that loses power between any two calls, and one that fails.
//! The law: nothing else in the store touches files, so whatever survives these calls survives.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

/// A folder of files, named by relative paths such as `choreographies/ab12.wasm`.
pub trait Disk: Send + Sync {
    /// Makes a folder, if it is not there.
    ///
    /// # Errors
    /// As the disk says.
    fn make(&self, folder: &str) -> io::Result<()>;
    /// The names in a folder.
    ///
    /// # Errors
    /// As the disk says.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;
    /// A whole file.
    ///
    /// # Errors
    /// As the disk says.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// Writes at the end of a file; the first piece makes it, or empties it.
    ///
    /// # Errors
    /// As the disk says.
    fn write(&self, path: &str, piece: &[u8], first: bool) -> io::Result<()>;
    /// What was written to the file stays, whatever happens to the power.
    ///
    /// # Errors
    /// As the disk says.
    fn keep(&self, path: &str) -> io::Result<()>;
    /// Gives a file another name, in the place of whatever had it.
    ///
    /// # Errors
    /// As the disk says.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// The names in a folder stay as they are now, whatever happens to the power.
    ///
    /// # Errors
    /// As the disk says.
    fn keep_names(&self, folder: &str) -> io::Result<()>;
    /// Removes a file.
    ///
    /// # Errors
    /// As the disk says.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// How many bytes a file has.
    ///
    /// # Errors
    /// As the disk says.
    fn length(&self, path: &str) -> io::Result<u64>;
}

/// A real folder, for its owner alone.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at this path, made if it is not there.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn at(path: PathBuf) -> io::Result<Folder> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&path)?;
        Ok(Folder(path))
    }

    /// Where a file of it is.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }
}

impl Disk for Folder {
    fn make(&self, folder: &str) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder
            .recursive(true)
            .mode(0o700)
            .create(self.path(folder))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path(folder))? {
            // A name that is no text is none of ours.
            names.extend(entry?.file_name().into_string());
        }
        names.sort();
        Ok(names)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path(path))
    }

    fn write(&self, path: &str, piece: &[u8], first: bool) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.mode(0o600).create(first).truncate(first);
        let options = if first {
            options.write(true)
        } else {
            options.append(true)
        };
        options.open(self.path(path))?.write_all(piece)
    }

    fn keep(&self, path: &str) -> io::Result<()> {
        OpenOptions::new()
            .write(true)
            .open(self.path(path))?
            .sync_all()
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path(from), self.path(to))
    }

    fn keep_names(&self, folder: &str) -> io::Result<()> {
        File::open(self.path(folder))?.sync_all()
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.path(path))
    }

    fn length(&self, path: &str) -> io::Result<u64> {
        Ok(fs::metadata(self.path(path))?.len())
    }
}
