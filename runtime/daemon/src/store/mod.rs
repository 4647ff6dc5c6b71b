//! The choreographies that a robot keeps, each by the digest of its bytes.
//! Used by the API alone, under one lock, on threads that may wait for a disk.
//! The law: after a crash at any point the old or the new is there, never a mixture; what is given out
//! has the digest that it is known by.

mod disk;
mod error;
mod index;
mod opening;
mod upload;

use std::io;
use std::sync::Arc;

use api::choreographies::{StoredChoreography, is_name};
use api::hex::hex;
use sha2::{Digest, Sha256};

pub use disk::{Disk, Folder};
pub use error::StoreError;
pub use index::Index;
pub use upload::Upload;

use opening::FoundIndex;
use upload::kind;

/// The largest choreography, bytes: what a loop takes.
pub const CHOREOGRAPHY_MAX: u64 = 64 << 20;

/// How many are kept at most.
pub const KEPT_MAX: usize = 1000;

const OBJECTS: &str = "choreographies";
const COMING: &str = "incoming";
const ASIDE: &str = "aside";
const INDEX: &str = "index.json";

/// The store.
pub struct ChoreographyStore {
    disk: Arc<dyn Disk>,
    index: Index,
    quota: u64,
    uploads: u64,
    /// What was found wrong when it was opened.
    pub found: Vec<String>,
}

impl ChoreographyStore {
    /// Opens what is on this disk, and puts aside what is broken.
    ///
    /// # Errors
    /// The disk cannot be read or written at all.
    pub fn open(disk: Arc<dyn Disk>, quota: u64) -> Result<ChoreographyStore, StoreError> {
        for folder in [OBJECTS, COMING, ASIDE] {
            disk.make(folder)?;
        }
        let mut found = Vec::new();
        // What was on its way when the power went is of no use; if it cannot be removed, it is in nobody's way.
        for name in disk.list(COMING)? {
            let _ = disk.remove(&format!("{COMING}/{name}"));
        }
        let table = match disk.read(INDEX) {
            Ok(text) => match serde_json::from_slice::<Index>(&text) {
                Ok(index) => FoundIndex::Known(index),
                Err(error) => {
                    // Somebody has edited it. What it named is still there, and is found by its bytes. It stays in
                    // its place until the new one is written: a start that breaks off is followed by one like it.
                    found.push(format!(
                        "the store's table cannot be read ({error}); it is made anew"
                    ));
                    let aside = disk.write(&format!("{ASIDE}/{INDEX}"), &text, true);
                    found.extend(aside.err().map(|error| format!("nor put aside: {error}")));
                    FoundIndex::Lost
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if disk.list(OBJECTS)?.is_empty() {
                    FoundIndex::New
                } else {
                    found.push("the store's table is gone; it is made anew".to_owned());
                    FoundIndex::Lost
                }
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
        store.look_through(table)?;
        Ok(store)
    }

    /// What is known of all that is kept.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Begins to take a choreography that has this digest and so many bytes, as its sender says.
    ///
    /// # Errors
    /// There is no room. What is kept already may always come again.
    pub fn begin(&mut self, said: &str, bytes: Option<u64>) -> Result<Upload, StoreError> {
        let known = self.index.kept.get(said).map(|it| it.bytes);
        if known.is_none() && self.index.kept.len() >= KEPT_MAX {
            return Err(StoreError::TooMany(KEPT_MAX));
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
        let path = format!("{COMING}/{}", self.uploads);
        self.disk.write(&path, &[], true)?;
        Ok(Upload {
            disk: Arc::clone(&self.disk),
            path,
            hash: Sha256::new(),
            head: Vec::new(),
            bytes: 0,
            most: CHOREOGRAPHY_MAX.min(room),
            whole: false,
        })
    }

    /// Keeps what has come in, if it is what its sender said; its digest, and whether it was there already.
    ///
    /// # Errors
    /// It is not, or the disk would not.
    pub fn install(
        &mut self,
        mut upload: Upload,
        said: &str,
        kept: impl FnOnce(u64) -> StoredChoreography,
    ) -> Result<(String, bool), StoreError> {
        let is = hex(&std::mem::take(&mut upload.hash).finalize());
        if is != said {
            let said = said.to_owned();
            return Err(StoreError::Digest { said, is });
        }
        kind(&upload.head)?;
        let kept = kept(upload.bytes);
        if !is_name(&kept.name) {
            return Err(StoreError::Name(kept.name));
        }
        let known = self.index.kept.contains_key(&is);
        if !known {
            let (needs, quota) = (upload.bytes, self.quota);
            if quota.saturating_sub(self.index.bytes()) < needs {
                return Err(StoreError::Quota { needs, quota });
            }
        }
        // Also in the place of the same bytes: what the disk has made of them nobody knows.
        self.disk.keep(&upload.path)?;
        self.disk.rename(&upload.path, &object(&is))?;
        upload.whole = true;
        self.disk.keep_names(OBJECTS)?;
        let mut index = self.index.clone();
        index.put(&is, kept);
        let written = self.write(index);
        if written.is_err() && !self.index.kept.contains_key(&is) {
            // As if it had never come; if this fails as well, the next start does it.
            let _ = self.disk.remove(&object(&is));
        }
        written?;
        Ok((is, known))
    }

    /// The digest of what somebody means.
    ///
    /// # Errors
    /// Nothing is kept by that name.
    pub fn find(&self, reference: &str) -> Result<String, StoreError> {
        let found = self.index.find(reference).map(str::to_owned);
        found.ok_or_else(|| {
            let known = self.index.names.keys().chain(self.index.tags.keys());
            let near = known.filter(|it| it.contains(reference) || reference.contains(it.as_str()));
            StoreError::NotFound(reference.to_owned(), near.take(3).cloned().collect())
        })
    }

    /// The bytes of what is kept, looked at once more.
    ///
    /// # Errors
    /// It is not there, or not what it was.
    pub fn read(&mut self, digest: &str) -> Result<Vec<u8>, StoreError> {
        let path = object(digest);
        let bytes = self.disk.read(&path)?;
        if api::hex::digest(&bytes) == digest {
            return Ok(bytes);
        }
        self.disk.rename(&path, &format!("{ASIDE}/{digest}.wasm"))?;
        let mut index = self.index.clone();
        index.forget(digest);
        self.write(index)?;
        Err(StoreError::Broken(digest.to_owned()))
    }

    /// Removes what somebody means, unless something else needs it: a name with all its versions, or the one version
    /// that a tag or a digest means. Versions that have another name as well stay under that.
    ///
    /// # Errors
    /// There is none, it is needed, or the disk would not.
    pub fn remove(&mut self, reference: &str, force: bool) -> Result<(), StoreError> {
        let digest = self.find(reference)?;
        let mut index = self.index.clone();
        let is_tag = index.tags.contains_key(reference);
        let versions = index.names.get(reference).filter(|_| !is_tag).cloned();
        let by_name = versions.is_some();
        let mut going = versions.unwrap_or_else(|| vec![digest]);
        let at_boot = self.index.list().into_iter().any(|it| {
            it.boot && going.contains(&it.digest) && (!by_name || it.kept.name == reference)
        });
        if at_boot && !force {
            let what = "plays when the robot has come up";
            return Err(StoreError::InUse(what.to_owned()));
        }
        going.retain(|it| !(by_name && index.unname(reference, it)));
        let mut tags = going.iter().flat_map(|it| index.tags_of(it)).peekable();
        if tags.peek().is_some() && !force {
            let what = format!("is tagged {}", tags.collect::<Vec<_>>().join(", "));
            return Err(StoreError::InUse(what));
        }
        drop(tags);
        for digest in &going {
            index.forget(digest);
        }
        self.write(index)?;
        for digest in &going {
            // It is forgotten; if its bytes cannot be removed now, the next start does it.
            let _ = self.disk.remove(&object(digest));
        }
        Ok(())
    }

    /// Gives a digest a tag, or takes the tag away.
    ///
    /// # Errors
    /// The tag is no name, or there is nothing to take away.
    pub fn tag(&mut self, tag: &str, digest: Option<&str>) -> Result<(), StoreError> {
        if !is_name(tag) {
            return Err(StoreError::Name(tag.to_owned()));
        }
        let mut index = self.index.clone();
        match digest {
            Some(digest) => {
                index.tags.insert(tag.to_owned(), digest.to_owned());
            }
            None => {
                let gone = index.tags.remove(tag);
                gone.ok_or_else(|| StoreError::NotFound(tag.to_owned(), Vec::new()))?;
            }
        }
        self.write(index)
    }

    /// The version of `name` before the one that it means now; that one goes to the end.
    ///
    /// # Errors
    /// There is none.
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

    /// Changes what is known beside the choreographies themselves.
    ///
    /// # Errors
    /// The disk would not.
    pub fn change(&mut self, change: impl FnOnce(&mut Index)) -> Result<(), StoreError> {
        let mut index = self.index.clone();
        change(&mut index);
        if index == self.index {
            return Ok(());
        }
        self.write(index)
    }

    /// Writes the table beside the old one and puts it in its place.
    fn write(&mut self, mut index: Index) -> Result<(), StoreError> {
        index.form = 1;
        let text = serde_json::to_vec_pretty(&index).map_err(io::Error::from)?;
        let next = beside(&*self.disk, INDEX, &text)?;
        self.disk.rename(&next, INDEX)?;
        // From here on the new table is the one that is read.
        self.index = index;
        self.disk.keep_names(".")?;
        Ok(())
    }
}

/// The file of what is kept.
pub fn object(digest: &str) -> String {
    format!("{OBJECTS}/{digest}.wasm")
}

/// Writes a whole file in the place of an old one: after a crash the old or the new is there.
///
/// # Errors
/// As the disk says.
pub fn replace(disk: &dyn Disk, path: &str, text: &[u8]) -> io::Result<()> {
    let next = beside(disk, path, text)?;
    disk.rename(&next, path)?;
    disk.keep_names(".")
}

fn beside(disk: &dyn Disk, path: &str, text: &[u8]) -> io::Result<String> {
    let next = format!("{path}.next");
    disk.write(&next, text, true)?;
    disk.keep(&next)?;
    Ok(next)
}
