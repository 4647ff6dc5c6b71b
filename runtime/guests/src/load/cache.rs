//! The cache of machine code: in a folder that belongs to this user, or in memory for as long as a check takes.
//! Read before a component is compiled, written afterwards.
//! Only what this program wrote is ever loaded, and only as it was written. What has changed in any bit, or
//! is in a place where others can write, is not loaded but compiled again.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::load::code_form::CodeForm;
use crate::load::engine::Tier;
use crate::shared::guest_shared::LAYOUT;

/// Bytes that the folder may hold; the oldest files are removed first.
const FOLDER_MAX: u64 = 1 << 30;

const MAGIC: &[u8; 8] = b"DCMCODE1";

/// Bytes of code that are kept in memory; when there would be more, all are dropped.
const MEMORY_MAX: usize = 64 << 20;

/// Where compiled code is kept. Clones share it.
#[derive(Clone, Debug)]
pub struct Cache(CachePlace);

/// Machine code, and how it was made.
type KeptCode = HashMap<CacheKey, (Vec<u8>, Tier)>;

#[derive(Clone, Debug)]
enum CachePlace {
    Memory(Arc<Mutex<KeptCode>>),
    Folder(PathBuf),
}

/// What an artefact was made of, and how.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct CacheKey(String);

impl CacheKey {
    /// The key of a component in a form; it covers everything that the code depends on. `first` is the tier that is
    /// tried first: what a debug build compiled quickly is not what a robot runs.
    pub fn of(component: &[u8], form: CodeForm, first: Tier) -> CacheKey {
        let mut digest = Sha256::new();
        digest.update(component);
        digest.update(form.name());
        digest.update(first.name());
        digest.update(LAYOUT.to_le_bytes());
        digest.update(env!("CARGO_PKG_VERSION"));
        digest.update(crate::load::inplace::SOURCE);
        CacheKey(format!("{:x}", digest.finalize()))
    }
}

/// The digest of a component, by which people and manifests name it. `network::hex::digest` is the same: neither crate
/// imports the other, and what both import knows no SHA-256.
pub fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

impl Default for Cache {
    fn default() -> Cache {
        Cache::in_memory()
    }
}

impl Cache {
    /// A cache that lasts as long as it and its clones.
    pub fn in_memory() -> Cache {
        Cache(CachePlace::Memory(Arc::default()))
    }

    /// A cache in this folder, which is created for this user alone.
    ///
    /// # Errors
    /// The folder cannot be created, or belongs to somebody else.
    pub fn at(folder: &Path) -> io::Result<Cache> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let found = fs::symlink_metadata(folder)?;
        let mine = found.uid() == rustix::process::geteuid().as_raw();
        if !(found.is_dir() && mine && found.mode() & 0o022 == 0) {
            return Err(io::Error::other(
                "others can write to it, so nothing in it can be trusted",
            ));
        }
        Ok(Cache(CachePlace::Folder(folder.to_owned())))
    }

    /// The code of this key, and its tier.
    pub fn find(&self, key: &CacheKey) -> Option<(Vec<u8>, Tier)> {
        let folder = match &self.0 {
            CachePlace::Memory(kept) => {
                let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                return kept.get(key).cloned();
            }
            CachePlace::Folder(folder) => folder,
        };
        [Tier::Good, Tier::Quick].into_iter().find_map(|tier| {
            let path = path(folder, key, tier);
            let code = read(&path, key).ok()?;
            if code.is_none() {
                // It is of no use, and takes space.
                let _ = fs::remove_file(&path);
            }
            Some((code?, tier))
        })
    }

    /// Keeps code. If the folder is full or read-only, nothing is kept, which is no error.
    pub fn keep(&self, key: &CacheKey, tier: Tier, code: &[u8]) {
        match &self.0 {
            CachePlace::Memory(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let bytes: usize = kept.values().map(|(code, _)| code.len()).sum();
                if bytes + code.len() > MEMORY_MAX {
                    kept.clear();
                }
                kept.insert(key.clone(), (code.to_owned(), tier));
            }
            CachePlace::Folder(folder) => {
                // If this fails, it is compiled again next time.
                let _ = write(&path(folder, key, tier), key, code);
                let _ = tidy(folder);
            }
        }
    }

    /// How many nanoseconds each byte of the last large component took.
    pub fn pace(&self) -> Option<f64> {
        let text = fs::read_to_string(self.folder()?.join(PACE)).ok()?;
        text.trim().parse().ok()
    }

    /// Keeps that pace, for estimates.
    pub fn keep_pace(&self, pace: f64) {
        let Some(folder) = self.folder() else { return };
        // Without it, the estimate is that of a usual computer.
        let _ = fs::write(folder.join(PACE), format!("{pace:.0}\n"));
    }

    fn folder(&self) -> Option<&Path> {
        match &self.0 {
            CachePlace::Folder(folder) => Some(folder),
            CachePlace::Memory(_) => None,
        }
    }
}

/// The file with the pace of the compiler.
const PACE: &str = "nanoseconds-per-byte";

fn path(folder: &Path, key: &CacheKey, tier: Tier) -> PathBuf {
    folder.join(format!("{}.{}", key.0, tier.name()))
}

/// The digest of code together with its key: code of another key under this name is detected.
fn seal(key: &CacheKey, code: &[u8]) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(&key.0);
    digest.update(code);
    digest.finalize().into()
}

/// The code in a file; `None` if it is not as it was written.
fn read(path: &Path, key: &CacheKey) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut options = File::options();
    options.read(true).custom_flags(NOFOLLOW);
    let mut file = options.open(path)?;
    let mine = file.metadata()?.uid() == rustix::process::geteuid().as_raw();
    file.read_to_end(&mut bytes)?;
    let whole = mine && bytes.len() > 40 && bytes.starts_with(MAGIC);
    if !whole || seal(key, &bytes[40..])[..] != bytes[8..40] {
        return Ok(None);
    }
    bytes.drain(..40);
    Ok(Some(bytes))
}

/// A symbolic link in place of a file is not followed.
const NOFOLLOW: i32 = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();

fn write(path: &Path, key: &CacheKey, code: &[u8]) -> io::Result<()> {
    // Two processes that compile the same component each write a draft of their own.
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600);
    let written = options.open(&draft).and_then(|mut file| {
        file.write_all(MAGIC)?;
        file.write_all(&seal(key, code))?;
        file.write_all(code)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Removes the oldest files until the folder is small enough.
fn tidy(folder: &Path) -> io::Result<()> {
    let mut kept = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.metadata()?;
        kept.push((found.modified()?, found.len(), entry.path()));
    }
    kept.sort();
    let mut total: u64 = kept.iter().map(|pair| pair.1).sum();
    for (_, length, path) in kept {
        if total <= FOLDER_MAX {
            break;
        }
        fs::remove_file(path)?;
        total -= length;
    }
    Ok(())
}
