//! A store that is opened: every object is looked at, and what the table says is brought in line with it.
//! Called once, by `Store::open`. The law: what is broken is put aside and told, never given out and never lost
//! in silence.

use api::choreographies::{StoredChoreography, is_name};
use api::hex::unhex;

use super::{ASIDE, ChoreographyStore, Index, OBJECTS, StoreError, object};

/// The table as it was found.
pub(super) enum FoundIndex {
    /// It was read.
    Known(Index),
    /// There was none, and nothing that it could have named.
    New,
    /// It cannot be read, or is gone although something is kept.
    Lost,
}

impl ChoreographyStore {
    /// Every object is what its name says, and the table names nothing else.
    pub(super) fn look_through(&mut self, table: FoundIndex) -> Result<(), StoreError> {
        let (before, adopt) = match table {
            FoundIndex::Known(index) => (Some(index), false),
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
                self.index.put(digest, found_again(digest, *bytes));
            } else {
                // It came in whole, and the power went before it was written down: as if it had never come.
                // If it cannot be removed now, the next start does it.
                let _ = self.disk.remove(&object(digest));
            }
        }
        self.name_what_is_there(there);
        if before.is_none_or(|it| it != self.index) {
            let written = self.write(self.index.clone());
            // On a full disk it is read only, and the next start finds what this one has found.
            let told =
                |it: StoreError| format!("the table cannot be written: {}", it.trouble().sentence);
            self.found.extend(written.err().map(told));
        }
        Ok(())
    }

    /// The objects that are there, with their lengths; what is broken is put aside.
    fn objects(&mut self, adopt: bool) -> Result<Vec<(String, u64)>, StoreError> {
        let mut there = Vec::new();
        for name in self.disk.list(OBJECTS)? {
            let path = format!("{OBJECTS}/{name}");
            let digest = name.strip_suffix(".wasm").unwrap_or_default();
            let bytes = match self.disk.read(&path) {
                Ok(bytes) => bytes,
                Err(error) => {
                    // It may be read another day, and comes in anew if somebody brings it: what is known of it stays.
                    self.found.push(format!("{name} cannot be read: {error}"));
                    // Without a table its name must do.
                    let is_digest = unhex(digest).is_some_and(|it| it.len() == 32);
                    let known = self.index.kept.get(digest).map(|it| it.bytes);
                    let known = known.or((adopt && is_digest).then_some(0));
                    there.extend(known.map(|it| (digest.to_owned(), it)));
                    continue;
                }
            };
            if api::hex::digest(&bytes) == digest {
                there.push((digest.to_owned(), bytes.len() as u64));
                continue;
            }
            let aside = self.disk.rename(&path, &format!("{ASIDE}/{name}"));
            let became = aside.map_or_else(
                |error| format!("could not be put aside: {error}"),
                |()| "was put aside".to_owned(),
            );
            self.found
                .push(format!("{name} is not what it was, and {became}"));
        }
        Ok(there)
    }

    /// The table forgets what is not there, and says so.
    fn forget_absent(&mut self, there: &[(String, u64)]) {
        let kept = self.index.kept.keys();
        let gone = kept.filter(|it| !there.iter().any(|(digest, _)| digest == *it));
        for digest in gone.cloned().collect::<Vec<_>>() {
            let name = self.index.kept.get(&digest).map_or("", |it| &it.name);
            // Somebody may have written anything in the place of a digest.
            let short: String = digest.chars().take(8).collect();
            let sentence = format!("{name} ({short}) is not there any more");
            self.found.push(sentence);
            self.index.forget(&digest);
        }
    }

    /// Tags and names mean only what is there, and what is there has its name, if that is free.
    fn name_what_is_there(&mut self, there: Vec<(String, u64)>) {
        let known: Vec<_> = self.index.kept.keys().cloned().collect();
        self.index.tags.retain(|_, it| known.contains(it));
        self.index.good.retain(|_, it| known.contains(it));
        for versions in self.index.names.values_mut() {
            versions.retain(|it| known.contains(it));
        }
        self.index.names.retain(|_, it| !it.is_empty());
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

/// What is known of a choreography whose table was lost.
fn found_again(digest: &str, bytes: u64) -> StoredChoreography {
    StoredChoreography {
        name: format!("found-{}", &digest[..8]),
        bytes,
        came: 0,
        by: "the store".to_owned(),
        key: None,
        signed: None,
    }
}
