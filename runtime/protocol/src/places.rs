//! The paths of a running loop: its socket, its lock and its page.
//! Used by the loop's process when it starts, and by every tool that connects to it.
//! Each name has one loop at most; a folder of another user is not used.

use std::fmt;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use crate::lock_file::{LockFile, LockFileError};

/// The longest name of a loop.
pub const NAME_MAX: usize = 64;

/// The folder for the loops of system services.
const MACHINE: &str = "/run/dcm-run";

/// The paths of one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The loop's name.
    pub name: String,
    /// The socket, which takes requests.
    pub socket: PathBuf,
    /// The stop socket: to connect to it is to press the emergency stop.
    pub stop: PathBuf,
    /// The page, which shows the state.
    pub page: PathBuf,
    lock: PathBuf,
}

/// Why a path cannot be used.
#[derive(Debug)]
pub enum PlaceError {
    /// Invalid name.
    Name(String),
    /// A loop of this name is already running.
    Taken {
        /// Its name.
        name: String,
        /// Its process ID.
        process: String,
    },
    /// The folder belongs to another user.
    Foreign(PathBuf),
    /// The file or folder could not be created.
    Io(PathBuf, io::Error),
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceError::Name(name) => write!(
                f,
                "invalid name `{name}`; fix: use 1 to {NAME_MAX} letters, digits, `-` and `_`"
            ),
            PlaceError::Taken { name, process } => write!(
                f,
                "a loop named {name} is already running, as process {process}; fix: stop it, or give this \
                 one another name with --id"
            ),
            PlaceError::Foreign(path) => write!(
                f,
                "{} belongs to another user; fix: remove it, or set DCM_RUN_DIR to a folder of your own",
                path.display()
            ),
            PlaceError::Io(path, error) => write!(
                f,
                "{} cannot be used: {error}; fix: set DCM_RUN_DIR to a folder of your own",
                path.display()
            ),
        }
    }
}

impl std::error::Error for PlaceError {}

/// A name that is claimed by this process. No other loop can claim it at the same time.
#[derive(Debug)]
pub struct Claim {
    _lock: LockFile,
    places: Places,
}

impl Places {
    /// The paths of the loop named `name`, for this user.
    ///
    /// # Errors
    /// [`PlaceError::Name`].
    pub fn of(name: &str) -> Result<Places, PlaceError> {
        let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_option = name.starts_with('-');
        if name.is_empty() || name.len() > NAME_MAX || is_option || !name.chars().all(is_valid) {
            return Err(PlaceError::Name(name.to_owned()));
        }
        let (folder, own) = folder();
        Ok(Places::in_folder(name, &folder, own))
    }

    /// The paths of the loop named `name`: this user's, or else those of a system service.
    ///
    /// # Errors
    /// [`PlaceError::Name`].
    pub fn find(name: &str) -> Result<Places, PlaceError> {
        let own = Places::of(name)?;
        if own.socket.exists() {
            return Ok(own);
        }
        let of_machine = Places::in_folder(name, Path::new(MACHINE), false);
        Ok(if of_machine.socket.exists() {
            of_machine
        } else {
            own
        })
    }

    fn in_folder(name: &str, folder: &Path, own: bool) -> Places {
        // The page belongs into memory, unless DCM_RUN_DIR names a folder.
        let page = if own || !Path::new("/dev/shm").is_dir() {
            folder.join(format!("{name}.page"))
        } else {
            PathBuf::from(format!(
                "/dev/shm/dcm-run-{}-{name}.page",
                geteuid().as_raw()
            ))
        };
        Places {
            name: name.to_owned(),
            socket: folder.join(format!("{name}.sock")),
            stop: folder.join(format!("{name}.stop")),
            lock: folder.join(format!("{name}.lock")),
            page,
        }
    }

    /// Removes the lock file, if the name was claimed only as a test.
    pub fn forget(&self) {
        // An error means that the file is missing or belongs to another user: nothing to remove.
        let _ = fs::remove_file(&self.lock);
    }

    /// Claims the name for this process.
    ///
    /// # Errors
    /// [`PlaceError`]: another process has it, or the folder cannot be used.
    pub fn claim(self) -> Result<Claim, PlaceError> {
        let folder = self.lock.parent().unwrap_or(Path::new("."));
        make_folder(folder)?;
        let process = std::process::id().to_string();
        let lock = match LockFile::hold(&self.lock, &process) {
            Ok(lock) => lock,
            Err(LockFileError::Held(process)) => {
                return Err(PlaceError::Taken {
                    name: self.name,
                    process,
                });
            }
            Err(LockFileError::Io(error)) => return Err(PlaceError::Io(self.lock, error)),
        };
        // What an earlier process left behind.
        for socket in [&self.socket, &self.stop] {
            match fs::remove_file(socket) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(PlaceError::Io(socket.clone(), error));
                }
                _ => {}
            }
        }
        Ok(Claim {
            _lock: lock,
            places: self,
        })
    }
}

impl Claim {
    /// The claimed paths.
    pub fn places(&self) -> &Places {
        &self.places
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // The page stays, as the black box. A socket that stays behind does no harm.
        let _ = fs::remove_file(&self.places.socket);
        let _ = fs::remove_file(&self.places.stop);
    }
}

/// The names of all loops that have a socket on this machine.
pub fn names() -> Vec<String> {
    let (folder, own) = folder();
    let machine = (!own).then(|| PathBuf::from(MACHINE));
    let folders = std::iter::once(folder).chain(machine);
    let entries = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut names: Vec<_> = entries
        .filter_map(|entry| {
            Some(
                entry
                    .file_name()
                    .to_str()?
                    .strip_suffix(".sock")?
                    .to_owned(),
            )
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The folder for cached machine code; none if there is no home directory.
pub fn code_folder() -> Option<PathBuf> {
    let set = |key| std::env::var_os(key).filter(|value| !value.is_empty());
    // systemd may name several folders; the first one counts.
    if let Some(folders) = set("CACHE_DIRECTORY") {
        let first = std::env::split_paths(&folders).next();
        return first.map(|folder| folder.join("code"));
    }
    if let Some(folder) = set("DCM_RUN_DIR") {
        return Some(PathBuf::from(folder).join("code"));
    }
    if geteuid().is_root() {
        return Some(PathBuf::from("/var/cache/dcm-run/code"));
    }
    let cache = set("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(set("HOME")?).join(".cache")));
    Some(cache?.join("dcm-run/code"))
}

/// The folder for sockets, and whether DCM_RUN_DIR names it.
fn folder() -> (PathBuf, bool) {
    let set = |key| {
        std::env::var_os(key)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(folder) = set("DCM_RUN_DIR") {
        return (folder, true);
    }
    // systemd sets it for a unit with `RuntimeDirectory`.
    if let Some(folder) = set("RUNTIME_DIRECTORY") {
        return (folder, false);
    }
    let user = geteuid();
    if user.is_root() {
        return (PathBuf::from(MACHINE), false);
    }
    let folder = match set("XDG_RUNTIME_DIR") {
        Some(folder) => folder.join("dcm-run"),
        None => PathBuf::from(format!("/tmp/dcm-run-{}", user.as_raw())),
    };
    (folder, false)
}

fn make_folder(folder: &Path) -> Result<(), PlaceError> {
    let mut builder = DirBuilder::new();
    let created = builder.recursive(true).mode(0o700).create(folder);
    created.map_err(|error| PlaceError::Io(folder.to_owned(), error))?;
    let metadata =
        fs::symlink_metadata(folder).map_err(|error| PlaceError::Io(folder.to_owned(), error))?;
    if metadata.uid() != geteuid().as_raw() || !metadata.is_dir() {
        return Err(PlaceError::Foreign(folder.to_owned()));
    }
    Ok(())
}
