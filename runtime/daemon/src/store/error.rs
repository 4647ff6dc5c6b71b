//! The errors of the store: an enum, and its message with a fix for the API.
//! Made by the store, converted by the routes.

use std::io;

use protocol::choreographies::{digest_as_name, invalid_name, is_name};
use protocol::{ErrorCode, RequestError};

/// An error of the store.
#[derive(Debug)]
pub enum StoreError {
    /// Invalid name.
    Name(String),
    /// Something else has this name already; what it is.
    Taken(String, &'static str),
    /// Nothing is stored under this name; similar names.
    NotFound(String, Vec<String>),
    /// There is no such tag.
    NoTag(String),
    /// The bytes do not have the announced digest.
    Digest {
        /// The announced digest.
        said: String,
        /// The digest of the bytes.
        is: String,
    },
    /// Not a component; what it is instead.
    NotAComponent(&'static str),
    /// Larger than the limit.
    Large(u64),
    /// The quota is exceeded.
    Quota {
        /// The size of the upload, bytes.
        needs: u64,
        /// The quota, bytes.
        quota: u64,
    },
    /// The maximum number of choreographies, names or tags is stored already.
    TooMany(usize, &'static str),
    /// Something else uses it.
    InUse(String),
    /// The name has no previous version.
    NoPreviousVersion(String),
    /// The stored file is damaged.
    Broken(String),
    /// The disk failed.
    Disk(io::Error),
}

impl StoreError {
    /// The error with its code, message and fix.
    pub fn error(&self) -> RequestError {
        match self {
            StoreError::Name(name) if is_name(name) => digest_as_name(name),
            StoreError::Name(name) => invalid_name(name),
            StoreError::Taken(name, what) => ErrorCode::Taken
                .error(format!("`{name}` is the name of {what} already"))
                .fix("use another name: one name must not mean two things"),
            StoreError::NotFound(name, near) => {
                let error = ErrorCode::NotFound.error(format!("nothing is stored as `{name}`"));
                match near.as_slice() {
                    [] => error.fix("`dcm-run ls` lists what is stored"),
                    near => error.fix(format!("did you mean {}?", near.join(", "))),
                }
            }
            StoreError::Digest { said, is } => ErrorCode::DigestMismatch
                .error(format!("the digest of the bytes is {is}, but {said} was announced"))
                .fix("send it again"),
            StoreError::NotAComponent(what) => ErrorCode::NotAComponent
                .error(format!("it is {what}, not a choreography"))
                .fix(
                    "send a WebAssembly component; `dcm-run build` makes one from a core module; or name the file of a \
                     motion: `file=wave.motion`",
                ),
            StoreError::Large(most) => ErrorCode::TooLarge
                .error(format!("a choreography may have at most {} MiB", most >> 20))
                .fix("leave out debugging information; divide a motion"),
            StoreError::Quota { needs, quota } => ErrorCode::QuotaExceeded
                .error(format!("it needs {needs} bytes; the quota for all choreographies is {quota} bytes"))
                .fix("remove what is not needed: `dcm-run rm`, or raise `store.quota` in dcm-run.toml"),
            StoreError::TooMany(most, kind) => ErrorCode::QuotaExceeded
                .error(format!("{most} {kind} are stored already"))
                .fix("remove what is not needed: `dcm-run rm`"),
            StoreError::InUse(what) => ErrorCode::InUse
                .error(format!("it {what}"))
                .fix("change that first, or use --force"),
            StoreError::NoTag(tag) => ErrorCode::NotFound
                .error(format!("there is no tag `{tag}`"))
                .fix("`dcm-run ls --all` lists the versions with their tags"),
            StoreError::NoPreviousVersion(name) => ErrorCode::NoPreviousVersion
                .error(format!("`{name}` has no previous version"))
                .fix("push the version that you want; `dcm-run ls --all` lists the stored ones"),
            StoreError::Broken(digest) => ErrorCode::Damaged
                .error(format!("the stored file {digest} is damaged; it was moved to `aside`"))
                .fix("push it again, and check the disk"),
            StoreError::Disk(error) => disk(error),
        }
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        StoreError::Disk(error)
    }
}

fn disk(error: &io::Error) -> RequestError {
    use io::ErrorKind as Kind;
    let (sentence, fix) = match error.kind() {
        Kind::StorageFull | Kind::QuotaExceeded => (
            "the robot's disk is full",
            "free some space; what was stored before is still there",
        ),
        Kind::ReadOnlyFilesystem => (
            "the robot's disk is read-only",
            "mount it for writing; what was stored before is still there",
        ),
        Kind::PermissionDenied => (
            "the server cannot write to its own folder",
            "make the user who runs it the owner of its state folder",
        ),
        _ => {
            let sentence = format!("the robot's disk failed: {error}");
            return ErrorCode::DiskFailed
                .error(sentence)
                .fix("check the disk: `dmesg` says more");
        }
    };
    ErrorCode::DiskFailed.error(sentence).fix(fix)
}
