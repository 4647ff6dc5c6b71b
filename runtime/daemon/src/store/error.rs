//! Why the store refuses something: a small enum inside, a sentence with a fix outside.
//! Made by the store; told by the API.

use std::io;

use api::error::ErrorCode;
use socket::Trouble;

/// Why the store refuses something.
#[derive(Debug)]
pub enum StoreError {
    /// Invalid name.
    Name(String),
    /// Nothing is stored under this name; similar names.
    NotFound(String, Vec<String>),
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
        /// What it needs.
        needs: u64,
        /// What there is in all.
        quota: u64,
    },
    /// There are too many.
    TooMany(usize),
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
    /// The error as the API tells it.
    pub fn trouble(&self) -> Trouble {
        match self {
            StoreError::Name(name) => ErrorCode::InvalidName
                .trouble(format!("`{name}` is not a valid name"))
                .fix("1 to 64 small letters, digits, `-`, `_` and `.`, beginning with a letter or a digit"),
            StoreError::NotFound(name, near) => {
                let trouble = ErrorCode::NotFound.trouble(format!("nothing is stored as `{name}`"));
                match near.as_slice() {
                    [] => trouble.fix("`dcm-run ls` lists what is stored"),
                    near => trouble.fix(format!("did you mean {}?", near.join(", "))),
                }
            }
            StoreError::Digest { said, is } => ErrorCode::DigestMismatch
                .trouble(format!("the bytes that came are {is}, and {said} was announced"))
                .fix("send it again"),
            StoreError::NotAComponent(what) => ErrorCode::NotAComponent
                .trouble(format!("it is {what}, not a choreography"))
                .fix("send a .wasm component; `dcm-run build` makes one of what compilers make"),
            StoreError::Large(most) => ErrorCode::TooLarge
                .trouble(format!("a choreography has at most {} MiB", most >> 20))
                .fix("leave out debugging information"),
            StoreError::Quota { needs, quota } => ErrorCode::QuotaExceeded
                .trouble(format!("it needs {needs} bytes, and all that is stored may have {quota}"))
                .fix("`dcm-run rm` what is not needed, or raise `store.quota` in dcm-run.toml"),
            StoreError::TooMany(most) => ErrorCode::QuotaExceeded
                .trouble(format!("there are {most} of them already"))
                .fix("`dcm-run rm` what is not needed"),
            StoreError::InUse(what) => ErrorCode::InUse
                .trouble(format!("it {what}"))
                .fix("change that first, or use --force"),
            StoreError::NoPreviousVersion(name) => ErrorCode::NoPreviousVersion
                .trouble(format!("`{name}` has no version before this one"))
                .fix("push the version that you want; `dcm-run ls --all` lists what there is"),
            StoreError::Broken(digest) => ErrorCode::Damaged
                .trouble(format!("the stored file {digest} was damaged, and was put aside"))
                .fix("push it again, and look after the disk"),
            StoreError::Disk(error) => disk(error),
        }
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        StoreError::Disk(error)
    }
}

fn disk(error: &io::Error) -> Trouble {
    use io::ErrorKind as Kind;
    let (sentence, fix) = match error.kind() {
        Kind::StorageFull | Kind::QuotaExceeded => (
            "the robot's disk is full",
            "make room; what was kept before is still there",
        ),
        Kind::ReadOnlyFilesystem => (
            "the robot's disk can only be read",
            "mount it for writing; what was kept before is still there",
        ),
        Kind::PermissionDenied => (
            "the server may not write to its own folder",
            "give the folder of its state to the user who runs it",
        ),
        _ => {
            let sentence = format!("the robot's disk failed: {error}");
            return ErrorCode::DiskFailed
                .trouble(sentence)
                .fix("look after the disk: `dmesg` says more");
        }
    };
    ErrorCode::DiskFailed.trouble(sentence).fix(fix)
}
