//! The store of choreographies, by the digest of their bytes.
//! Used by the routes under one lock, on threads that may block. After a crash at any point the old or the new
//! state is there, never a mixture; the bytes that are read have the digest of their name.

mod disk;
mod error;
mod index;
mod kept;
mod opening;
mod replacing;
mod upload;

use std::io;
use std::sync::Arc;

use protocol::choreographies::{StoredChoreography, is_like_a_digest, is_name};
use sha2::{Digest, Sha256};

pub(crate) use disk::open_no_link;
pub use disk::{Disk, Folder};
pub use error::StoreError;
pub use index::Index;
use kept::with_reserve;
pub(crate) use kept::{change_stored, make_reserve, read};
pub use replacing::replace;
pub use upload::Upload;

use opening::FoundIndex;
use replacing::{is_full, is_no_file, put_aside, write_new};
use upload::require_component;

/// The maximum size of a choreography, bytes: what a loop accepts.
pub const CHOREOGRAPHY_MAX: u64 = 64 << 20;

/// The maximum number of stored choreographies, of their names, and of their tags.
pub const KEPT_MAX: usize = 1000;

const OBJECTS: &str = "choreographies";
const INCOMING: &str = "incoming";
const ASIDE: &str = "aside";
const INDEX: &str = "index.json";

/// The store.
pub struct ChoreographyStore {
    disk: Arc<dyn Disk>,
    index: Index,
    quota: u64,
    uploads: u64,
    /// The problems that were found when it was opened, as messages.
    pub found: Vec<String>,
}

impl ChoreographyStore {
    /// Opens the store on this disk. Damaged files are moved to `aside`.
    ///
    /// # Errors
    /// The disk cannot be read or written.
    pub fn open(disk: Arc<dyn Disk>, quota: u64) -> Result<ChoreographyStore, StoreError> {
        for folder in [OBJECTS, INCOMING, ASIDE] {
            disk.make_folder(folder)?;
        }
        let mut found = Vec::new();
        // Interrupted uploads. One that cannot be removed does no harm.
        for name in disk.list(INCOMING)? {
            let _ = disk.remove(&format!("{INCOMING}/{name}"));
        }
        let table = match disk.read(INDEX) {
            Ok(text) => match serde_json::from_slice::<Index>(&text) {
                Ok(index) => FoundIndex::Known(Box::new(index)),
                Err(error) => {
                    // Somebody has edited it. The files that it named are still there, and are found by their
                    // digests. The old index stays in place until the new one is written, so that a start that is
                    // interrupted here can be repeated.
                    found.push(format!(
                        "the store's index cannot be read ({error}); rebuilding it"
                    ));
                    let aside = disk.write(&format!("{ASIDE}/{INDEX}"), &text, true);
                    found.extend(
                        aside
                            .err()
                            .map(|error| format!("and cannot be moved to `aside`: {error}")),
                    );
                    FoundIndex::Lost
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if disk.list(OBJECTS)?.is_empty() {
                    FoundIndex::New
                } else {
                    found.push("the store's index is missing; rebuilding it".to_owned());
                    FoundIndex::Lost
                }
            }
            Err(error) if is_no_file(&error) => {
                let aside = put_aside(&*disk, INDEX)?;
                found.push(format!(
                    "the store's index cannot be read ({error}); it is {aside} now, and is rebuilt"
                ));
                FoundIndex::Lost
            }
            Err(error) => return Err(error.into()),
        };
        let mut store = ChoreographyStore {
            disk,
            index: Index::default(),
            quota,
            uploads: 0,
            found,
        };
        store.reconcile(table)?;
        Ok(store)
    }

    /// The index.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Begins an upload with this announced digest and size.
    ///
    /// # Errors
    /// There is no room. A choreography that is stored already may always be uploaded again.
    pub fn begin(&mut self, said: &str, bytes: Option<u64>) -> Result<Upload, StoreError> {
        let known = self.index.kept.get(said).map(|value| value.bytes);
        if known.is_none() && self.index.kept.len() >= KEPT_MAX {
            return Err(StoreError::TooMany(KEPT_MAX, "choreographies"));
        }
        let bytes = bytes.unwrap_or(0);
        if bytes > CHOREOGRAPHY_MAX {
            return Err(StoreError::Large(CHOREOGRAPHY_MAX));
        }
        let room = self.quota.saturating_sub(self.index.bytes());
        let room = room.max(known.unwrap_or(0));
        if bytes > room {
            let quota = self.quota;
            return Err(StoreError::Quota {
                needs: bytes,
                quota,
            });
        }
        self.uploads += 1;
        let path = format!("{INCOMING}/{}", self.uploads);
        self.disk.write(&path, &[], true)?;
        Ok(Upload {
            disk: Arc::clone(&self.disk),
            path,
            hash: Sha256::new(),
            head: Vec::new(),
            bytes: 0,
            most: CHOREOGRAPHY_MAX.min(room),
            is_complete: false,
        })
    }

    /// Stores a complete upload. Returns its digest, and whether it was stored already.
    ///
    /// # Errors
    /// It is not a component, the digest is another than announced, the name is invalid, or the disk fails.
    pub fn install(
        &mut self,
        mut upload: Upload,
        said: &str,
        kept: impl FnOnce(u64) -> StoredChoreography,
    ) -> Result<(String, bool), StoreError> {
        upload.verify(said)?;
        let is = said.to_owned();
        require_component(&upload.head)?;
        let kept = kept(upload.bytes);
        self.require_name(&kept.name)?;
        if self.index.tags.contains_key(&kept.name) {
            return Err(StoreError::Taken(kept.name, "a tag"));
        }
        let names = &self.index.names;
        if names.len() >= KEPT_MAX && !names.contains_key(&kept.name) {
            return Err(StoreError::TooMany(KEPT_MAX, "names"));
        }
        let known = self.index.kept.contains_key(&is);
        if !known {
            let (needs, quota) = (upload.bytes, self.quota);
            if quota.saturating_sub(self.index.bytes()) < needs {
                return Err(StoreError::Quota { needs, quota });
            }
        }
        // It replaces a file of the same digest: that may have been damaged since.
        self.disk.sync(&upload.path)?;
        self.disk.rename(&upload.path, &object(&is))?;
        upload.is_complete = true;
        self.disk.sync_folder(OBJECTS)?;
        let mut index = self.index.clone();
        index.put(&is, kept);
        let written = self.write(index);
        if written.is_err() && !self.index.kept.contains_key(&is) {
            // If this fails as well, the next start removes the file.
            let _ = self.disk.remove(&object(&is));
        }
        written?;
        Ok((is, known))
    }

    /// The digest of a reference: a tag, a name, or the first digits of a digest.
    ///
    /// # Errors
    /// Nothing is stored under it.
    pub fn find(&self, reference: &str) -> Result<String, StoreError> {
        let found = self.index.find(reference).map(str::to_owned);
        found.ok_or_else(|| {
            let known = self.index.names.keys().chain(self.index.tags.keys());
            let near =
                known.filter(|name| name.contains(reference) || reference.contains(name.as_str()));
            StoreError::NotFound(reference.to_owned(), near.take(3).cloned().collect())
        })
    }

    /// The bytes of a stored choreography. Their digest is verified.
    ///
    /// # Errors
    /// It is missing or damaged.
    pub fn read(&mut self, digest: &str) -> Result<Vec<u8>, StoreError> {
        let path = object(digest);
        let bytes = self.disk.read(&path)?;
        if network::hex::digest(&bytes) == digest {
            return Ok(bytes);
        }
        self.disk.rename(&path, &format!("{ASIDE}/{digest}.wasm"))?;
        let mut index = self.index.clone();
        index.forget(digest);
        self.write(index)?;
        Err(StoreError::Broken(digest.to_owned()))
    }

    /// Removes a name with all its versions, or the one version of a tag or a digest. A version that also has another
    /// name stays stored under that name. What is not stored any more does not play at boot. `force`: even if it plays
    /// at boot or is tagged.
    ///
    /// # Errors
    /// It is not stored, it is in use, or the disk fails.
    pub fn remove(&mut self, reference: &str, force: bool) -> Result<(), StoreError> {
        let digest = self.find(reference)?;
        let mut index = self.index.clone();
        let is_tag = index.tags.contains_key(reference);
        let versions = index.names.get(reference).filter(|_| !is_tag).cloned();
        let by_name = versions.is_some();
        let mut going = versions.unwrap_or_else(|| vec![digest]);
        if by_name {
            // With those that newer versions have displaced: otherwise one would be the name's version again.
            going.extend(index.displaced(reference));
        }
        let at_boot = self.index.list().into_iter().any(|choreography| {
            choreography.boot
                && going.contains(&choreography.digest)
                && (!by_name || choreography.kept.name == reference)
        });
        if at_boot && !force {
            let what = "plays at boot";
            return Err(StoreError::InUse(what.to_owned()));
        }
        going.retain(|item| !(by_name && index.unname(reference, item)));
        let mut tags = going.iter().flat_map(|item| index.tags_of(item)).peekable();
        if tags.peek().is_some() && !force {
            let what = format!("is tagged {}", tags.collect::<Vec<_>>().join(", "));
            return Err(StoreError::InUse(what));
        }
        drop(tags);
        for digest in &going {
            index.forget(digest);
        }
        // Whoever takes this name next has not been chosen for the boot.
        index.retain_boot(|entry| self.index.find(entry).is_none());
        match self.write(index.clone()) {
            Err(StoreError::Disk(error)) if is_full(&error) && going.is_empty() => {
                // No file goes, because others have another name.
                let disk = Arc::clone(&self.disk);
                with_reserve(&*disk, || self.write(index))?;
            }
            Err(StoreError::Disk(error)) if is_full(&error) => {
                // The files go first, which makes room. An index that still has them loses them at the next start.
                for digest in &going {
                    self.disk.remove(&object(digest))?;
                }
                if self.write(index.clone()).is_err() {
                    self.index = index;
                }
            }
            written => {
                written?;
                for digest in &going {
                    // If this fails, the next start removes the file.
                    let _ = self.disk.remove(&object(digest));
                }
            }
        }
        Ok(())
    }

    /// Tags a digest, or removes the tag.
    ///
    /// # Errors
    /// The tag is not a valid name, or there is no such tag to remove.
    pub fn tag(&mut self, tag: &str, digest: Option<&str>) -> Result<(), StoreError> {
        self.require_name(tag)?;
        if digest.is_some() && self.index.names.contains_key(tag) {
            return Err(StoreError::Taken(tag.to_owned(), "a choreography"));
        }
        let tags = &self.index.tags;
        if digest.is_some() && tags.len() >= KEPT_MAX && !tags.contains_key(tag) {
            return Err(StoreError::TooMany(KEPT_MAX, "tags"));
        }
        let mut index = self.index.clone();
        match digest {
            Some(digest) => {
                index.tags.insert(tag.to_owned(), digest.to_owned());
            }
            None => {
                let gone = index.tags.remove(tag);
                gone.ok_or_else(|| StoreError::NoTag(tag.to_owned()))?;
            }
        }
        self.write(index)
    }

    /// What looks like a digest is no name: a digest must always mean its own bytes.
    fn require_name(&self, name: &str) -> Result<(), StoreError> {
        if !is_name(name) || is_like_a_digest(name) {
            return Err(StoreError::Name(name.to_owned()));
        }
        Ok(())
    }

    /// Rolls `name` back to its previous version. The current version becomes the oldest.
    ///
    /// # Errors
    /// It has no previous version.
    pub fn roll_back(&mut self, name: &str) -> Result<String, StoreError> {
        let mut index = self.index.clone();
        let versions = index.names.get_mut(name);
        let versions = versions.ok_or_else(|| StoreError::NotFound(name.to_owned(), Vec::new()))?;
        if versions.len() < 2 {
            return Err(StoreError::NoPreviousVersion(name.to_owned()));
        }
        let bad = versions.remove(0);
        versions.push(bad);
        let digest = versions[0].clone();
        self.write(index)?;
        Ok(digest)
    }

    /// Changes the index.
    ///
    /// # Errors
    /// The disk fails.
    pub fn change(&mut self, change: impl FnOnce(&mut Index)) -> Result<(), StoreError> {
        let mut index = self.index.clone();
        change(&mut index);
        if index == self.index {
            return Ok(());
        }
        self.write(index)
    }

    /// Writes the index to a new file, and renames that over the old one.
    fn write(&mut self, mut index: Index) -> Result<(), StoreError> {
        index.form = 1;
        index.prune_seals();
        let text = serde_json::to_vec_pretty(&index).map_err(io::Error::from)?;
        let next = write_new(&*self.disk, INDEX, &text)?;
        self.disk.rename(&next, INDEX)?;
        // From here on a reader finds the new index.
        self.index = index;
        self.disk.sync_folder(".")?;
        Ok(())
    }
}

/// The path of a choreography's file.
pub fn object(digest: &str) -> String {
    format!("{OBJECTS}/{digest}.wasm")
}
