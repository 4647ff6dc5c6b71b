//! The file operations of the store, as a trait. Each may fail.
//! `Folder` uses a real disk; tests have disks that lose power between any two calls, or fail. The store
//! touches files only by this trait, so the tests cover every way to fail.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

/// A folder of files, named by relative paths such as `choreographies/ab12.wasm`.
pub trait Disk: Send + Sync {
    /// Makes a folder if it is missing.
    ///
    /// # Errors
    /// The disk fails.
    fn make_folder(&self, folder: &str) -> io::Result<()>;
    /// The names in a folder.
    ///
    /// # Errors
    /// The disk fails.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;
    /// Reads a whole file.
    ///
    /// # Errors
    /// The disk fails.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// Appends to a file. `first`: creates or truncates it before.
    ///
    /// # Errors
    /// The disk fails.
    fn write(&self, path: &str, piece: &[u8], first: bool) -> io::Result<()>;
    /// Syncs a file: what was written survives a loss of power.
    ///
    /// # Errors
    /// The disk fails.
    fn sync(&self, path: &str) -> io::Result<()>;
    /// Renames a file, and replaces the file that had the name.
    ///
    /// # Errors
    /// The disk fails.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Syncs a folder: its names survive a loss of power.
    ///
    /// # Errors
    /// The disk fails.
    fn sync_folder(&self, folder: &str) -> io::Result<()>;
    /// Removes a file.
    ///
    /// # Errors
    /// The disk fails.
    fn remove(&self, path: &str) -> io::Result<()>;
    /// The length of a file in bytes.
    ///
    /// # Errors
    /// The disk fails.
    fn length(&self, path: &str) -> io::Result<u64>;
}

/// A real folder that only its owner can read.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at this path. It is made if it is missing.
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

    /// The full path of a file.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }
}

/// Opens a file to write to it. A symbolic link is removed first: what it leads to is none of the server's.
///
/// # Errors
/// The disk fails.
pub(crate) fn open_no_link(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let options = options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    match options.open(path) {
        Err(error) if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {
            fs::remove_file(path)?;
            options.open(path)
        }
        opened => opened,
    }
}

impl Disk for Folder {
    fn make_folder(&self, folder: &str) -> io::Result<()> {
        let path = self.path(folder);
        let make = || {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
        };
        match make() {
            // What has its name and is no folder makes way.
            Err(error) if fs::symlink_metadata(&path).is_ok_and(|path| !path.is_dir()) => {
                let ways = (1..100).map(|i| path.with_extension(format!("not-a-folder.{i}")));
                let free = ways
                    .into_iter()
                    .find(|item| fs::symlink_metadata(item).is_err());
                let Some(away) = free else { return Err(error) };
                fs::rename(&path, &away).map_err(|_| error)?;
                tracing::warn!("{folder} was no folder; it is {} now", away.display());
                make()
            }
            made => made,
        }
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path(folder))? {
            // The store's own names are all UTF-8.
            names.extend(entry?.file_name().into_string());
        }
        names.sort();
        Ok(names)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let path = self.path(path);
        // A pipe would wait for a writer.
        if !fs::metadata(&path)?.is_file() {
            let sentence = "it is not a file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
        }
        fs::read(path)
    }

    fn write(&self, path: &str, piece: &[u8], first: bool) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.mode(0o600).create(first).truncate(first);
        let options = if first {
            options.write(true)
        } else {
            options.append(true)
        };
        open_no_link(options, &self.path(path))?.write_all(piece)
    }

    fn sync(&self, path: &str) -> io::Result<()> {
        OpenOptions::new()
            .write(true)
            .open(self.path(path))?
            .sync_all()
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path(from), self.path(to))
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        File::open(self.path(folder))?.sync_all()
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.path(path))
    }

    fn length(&self, path: &str) -> io::Result<u64> {
        Ok(fs::metadata(self.path(path))?.len())
    }
}
