//! A store that is opened: every object is looked at, and what the table says is brought in line with it.
//! Called once, by `Store::open`. The law: what is broken is put aside and told, never given out and never lost
//! in silence.

use sha2::{Digest, Sha256};

use super::{ASIDE, Kept, OBJECTS, Refusal, Store, hex, is_name, object};

impl Store {
    /// Every object is what its name says, and the table names nothing else.
    pub(super) fn look_through(&mut self, adopt: bool) -> Result<(), Refusal> {
        let before = self.index.clone();
        let mut there = Vec::new();
        for name in self.disk.list(OBJECTS)? {
            let path = format!("{OBJECTS}/{name}");
            let bytes = self.disk.read(&path)?;
            let digest = name.strip_suffix(".wasm").unwrap_or_default();
            if hex(&Sha256::digest(&bytes)) != digest {
                let sentence = format!("{name} is not what it was, and was put aside");
                self.found.push(sentence);
                self.disk.rename(&path, &format!("{ASIDE}/{name}"))?;
                continue;
            }
            there.push((digest.to_owned(), bytes.len() as u64));
        }
        let gone: Vec<_> = self
            .index
            .kept
            .keys()
            .filter(|it| !there.iter().any(|(digest, _)| digest == *it))
            .cloned()
            .collect();
        for digest in gone {
            let name = self.index.kept.get(&digest).map_or("", |it| &it.name);
            // Somebody may have written anything in the place of a digest.
            let short: String = digest.chars().take(8).collect();
            let sentence = format!("{name} ({short}) is not there any more");
            self.found.push(sentence);
            self.index.forget(&digest);
        }
        for (digest, bytes) in &there {
            if self.index.kept.contains_key(digest) {
                continue;
            }
            if adopt {
                self.index.put(digest, found_again(digest, *bytes));
            } else {
                // It came in whole, and the power went before it was written down: as if it had never come.
                self.disk.remove(&object(digest))?;
            }
        }
        let known: Vec<_> = self.index.kept.keys().cloned().collect();
        self.index.tags.retain(|_, it| known.contains(it));
        self.index.good.retain(|_, it| known.contains(it));
        for versions in self.index.names.values_mut() {
            versions.retain(|it| known.contains(it));
        }
        self.index.names.retain(|_, it| !it.is_empty());
        for (digest, bytes) in there {
            if let Some(kept) = self.index.kept.get_mut(&digest) {
                kept.bytes = bytes;
                let name = kept.name.clone();
                let is_free = !self.index.names.contains_key(&name) && is_name(&name);
                if is_free && !self.index.is_named(&digest) {
                    self.index.names.insert(name, vec![digest]);
                }
            }
        }
        if self.index != before {
            let index = self.index.clone();
            self.write(index)?;
        }
        Ok(())
    }
}

/// What is known of a choreography whose table was lost.
fn found_again(digest: &str, bytes: u64) -> Kept {
    Kept {
        name: format!("found-{}", &digest[..8]),
        bytes,
        came: 0,
        by: "the store".to_owned(),
        key: None,
        signed: None,
    }
}
