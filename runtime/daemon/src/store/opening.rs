//! Reconciles the index with the stored files when a store is opened: verifies every file.
//! Called once, by `ChoreographyStore::open`. A damaged file is moved to `aside` and reported, never used and
//! never lost silently.

use network::hex::unhex;
use protocol::choreographies::{StoredChoreography, is_like_a_digest, is_name};

use super::{ASIDE, ChoreographyStore, Index, OBJECTS, StoreError, object};

/// The index on the disk.
pub(super) enum FoundIndex {
    /// It was read.
    Known(Box<Index>),
    /// There is none, and no files either.
    New,
    /// It cannot be read, or is missing although there are files.
    Lost,
}

impl ChoreographyStore {
    /// Verifies the files, and updates the index to match them.
    pub(super) fn reconcile(&mut self, table: FoundIndex) -> Result<(), StoreError> {
        let (before, adopt) = match table {
            FoundIndex::Known(index) => (Some(*index), false),
            FoundIndex::New => (None, false),
            FoundIndex::Lost => (None, true),
        };
        self.index = before.clone().unwrap_or_default();
        let there = self.objects(adopt)?;
        self.forget_absent(&there);
        for (digest, bytes) in &there {
            if self.index.kept.contains_key(digest) {
                continue;
            }
            if adopt {
                self.index.put(digest, recovered(digest, *bytes));
            } else {
                // A crash came between the file and the index, so the upload was never confirmed. If this fails, the
                // next start removes the file.
                let _ = self.disk.remove(&object(digest));
            }
        }
        self.restore_names(there);
        self.mend_names();
        if before.is_none_or(|value| value != self.index) {
            let written = self.write(self.index.clone());
            // On a full disk the store can still be read; the next start repeats this.
            let message = |error: StoreError| {
                format!(
                    "the store's index cannot be written: {}",
                    error.error().sentence
                )
            };
            self.found.extend(written.err().map(message));
        }
        Ok(())
    }

    /// The digests and lengths of the files. Damaged files are moved to `aside`.
    fn objects(&mut self, adopt: bool) -> Result<Vec<(String, u64)>, StoreError> {
        let mut there = Vec::new();
        for name in self.disk.list(OBJECTS)? {
            let path = format!("{OBJECTS}/{name}");
            let digest = name.strip_suffix(".wasm").unwrap_or_default();
            let bytes = match self.disk.read(&path) {
                Ok(bytes) => bytes,
                Err(error) => {
                    // It stays in the index: it may be readable later, or be uploaded again.
                    self.found.push(format!("{name} cannot be read: {error}"));
                    // Without an index only its name says what it is.
                    let is_digest = unhex(digest).is_some_and(|value| value.len() == 32);
                    let known = self.index.kept.get(digest).map(|value| value.bytes);
                    let known = known.or((adopt && is_digest).then_some(0));
                    there.extend(known.map(|name| (digest.to_owned(), name)));
                    continue;
                }
            };
            if network::hex::digest(&bytes) == digest {
                there.push((digest.to_owned(), bytes.len() as u64));
                continue;
            }
            let aside = self.disk.rename(&path, &format!("{ASIDE}/{name}"));
            let outcome = aside.map_or_else(
                |error| format!("cannot be moved to `aside`: {error}"),
                |()| "was moved to `aside`".to_owned(),
            );
            self.found.push(format!("{name} is damaged and {outcome}"));
        }
        Ok(there)
    }

    /// Removes missing files from the index, and reports them.
    fn forget_absent(&mut self, there: &[(String, u64)]) {
        let kept = self.index.kept.keys();
        let gone = kept.filter(|value| !there.iter().any(|(digest, _)| digest == *value));
        for digest in gone.cloned().collect::<Vec<_>>() {
            let name = self.index.kept.get(&digest).map_or("", |value| &value.name);
            // In an edited index a digest may be any text.
            let short: String = digest.chars().take(8).collect();
            let sentence = format!("{name} ({short}) is missing");
            self.found.push(sentence);
            self.index.forget(&digest);
        }
    }

    /// Removes tags and names of missing files, and names unnamed files if their name is free.
    fn restore_names(&mut self, there: Vec<(String, u64)>) {
        let known: Vec<_> = self.index.kept.keys().cloned().collect();
        self.index.tags.retain(|_, tag| known.contains(tag));
        self.index.good.retain(|_, item| known.contains(item));
        for versions in self.index.names.values_mut() {
            versions.retain(|version| known.contains(version));
        }
        self.index.names.retain(|_, name| !name.is_empty());
        for (digest, bytes) in there {
            let Some(kept) = self.index.kept.get_mut(&digest) else {
                continue;
            };
            kept.bytes = bytes;
            let name = kept.name.clone();
            let is_free = !self.index.names.contains_key(&name) && is_name(&name);
            if is_free && !self.index.is_named(&digest) {
                self.index.names.insert(name, vec![digest]);
            }
        }
    }
}

impl ChoreographyStore {
    /// Gives what an earlier version let in, and would mean two things, names of its own.
    fn mend_names(&mut self) {
        let index = &mut self.index;
        let names: Vec<_> = index.names.keys().cloned().collect();
        for name in names.into_iter().filter(|name| is_like_a_digest(name)) {
            let next = index.free_name(&name);
            index.rename(&name, &next);
            self.found.push(format!(
                "the name {name} reads as a digest; it is {next} now"
            ));
        }
        let tags: Vec<_> = index.tags.keys().cloned().collect();
        for tag in tags {
            let why = if is_like_a_digest(&tag) {
                "reads as a digest"
            } else if index.names.contains_key(&tag) {
                "is a name as well"
            } else {
                continue;
            };
            let next = index.free_name(&tag);
            let digest = index.tags.remove(&tag).unwrap_or_default();
            let short: String = digest.chars().take(8).collect();
            self.found.push(format!(
                "the tag {tag} (of {short}) {why}; it is {next} now"
            ));
            index.tags.insert(next, digest);
        }
    }
}

/// The entry of a file after the index was lost.
fn recovered(digest: &str, bytes: u64) -> StoredChoreography {
    StoredChoreography {
        name: format!("found-{}", &digest[..8]),
        bytes,
        came: 0,
        by: "the store".to_owned(),
        key: None,
        signed: None,
    }
}
