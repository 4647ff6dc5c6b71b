//! The store's index: names, versions, tags and boot entries, in one file.
//! Only the store changes it. It is read and written as a whole, it names only stored files, and every list
//! is bounded.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use protocol::choreographies::{
    BootEntry, ListedChoreography, StoredChoreography, is_like_a_digest,
};
use serde::{Deserialize, Serialize};

/// The maximum number of versions of a name.
pub(super) const VERSIONS_MAX: usize = 16;

/// The maximum number of names whose newest signature is remembered, including removed names.
const NAMES_MAX: usize = 4096;

/// The index.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Index {
    /// The version of the file's format.
    pub form: u32,
    /// The stored choreographies, by digest.
    pub kept: BTreeMap<String, StoredChoreography>,
    /// Versions of each name, the newest first.
    pub names: BTreeMap<String, Vec<String>>,
    /// The digest of each tag.
    pub tags: BTreeMap<String, String>,
    /// What plays at boot.
    pub boot: Vec<BootEntry>,
    /// The version of each name that last played well at boot.
    pub good: BTreeMap<String, String>,
    /// The number of boots in a row at which a digest did not play well.
    pub failing: BTreeMap<String, u32>,
    /// The newest time of signing of each name. It stays when versions are removed, so older ones stay refused.
    pub signed: BTreeMap<String, u64>,
    /// The signature of each version that has one, by name: each name needs its own.
    pub seals: BTreeMap<String, BTreeMap<String, String>>,
    /// The run of the loop whose boot entries were started.
    pub booted: u64,
    /// The latest time that the clock has shown, s of UTC since 1970. The clock may have gone back since.
    pub latest: u64,
}

impl Index {
    /// The digest of a reference: a tag, a name, or the first digits of a digest. What looks like a digest is one.
    pub fn find(&self, reference: &str) -> Option<&str> {
        let digits = reference.strip_prefix("sha256:").unwrap_or(reference);
        if is_like_a_digest(digits) {
            let digits = digits.to_ascii_lowercase();
            let mut alike = self.kept.keys().filter(|key| key.starts_with(&digits));
            return match (alike.next(), alike.next()) {
                (Some(one), None) => Some(one),
                _ => None,
            };
        }
        if let Some(digest) = self.tags.get(reference) {
            return Some(digest);
        }
        let versions = self.names.get(reference)?;
        versions.first().map(String::as_str)
    }

    /// All names of `digest`: first `wanted` and `reference`, if they are among them.
    pub fn names_of<'a>(
        &'a self,
        wanted: Option<&str>,
        reference: &str,
        digest: &str,
    ) -> impl Iterator<Item = &'a str> {
        let came = self.kept.get(digest).map(|value| value.name.as_str());
        let rank = |name: &str| match name {
            name if Some(name) == wanted => 0,
            name if name == reference => 1,
            name if Some(name) == came => 2,
            _ => 3,
        };
        let named = self.names.iter().filter(|name| holds(name.1, digest));
        let mut names: Vec<_> = named.map(|pair| pair.0.as_str()).collect();
        names.sort_by_key(|name| rank(name));
        names.into_iter()
    }

    /// Keeps the signature of a version under a name.
    pub fn seal(&mut self, name: &str, digest: &str, text: String) {
        let seals = self.seals.entry(name.to_owned()).or_default();
        seals.insert(digest.to_owned(), text);
    }

    /// The signature of a version under a name.
    pub fn seal_of(&self, name: &str, digest: &str) -> Option<&str> {
        self.seals.get(name)?.get(digest).map(String::as_str)
    }

    /// Removes the signatures of what is there no more.
    pub(super) fn prune_seals(&mut self) {
        let names = &self.names;
        for (name, seals) in &mut self.seals {
            seals.retain(|digest, _| names.get(name).is_some_and(|name| holds(name, digest)));
        }
        self.seals.retain(|_, seal| !seal.is_empty());
    }

    /// The name of `digest`: `reference` if that is one of its names, else the first of its names.
    pub fn name_of<'a>(&'a self, reference: &'a str, digest: &str) -> Option<&'a str> {
        let has = |name: &str| self.names.get(name).is_some_and(|name| holds(name, digest));
        if has(reference) {
            return Some(reference);
        }
        let mut named = self.names.iter().filter(|name| holds(name.1, digest));
        let came = self.kept.get(digest).map(|value| value.name.as_str());
        came.filter(|came| has(came))
            .or_else(|| named.next().map(|pair| pair.0.as_str()))
            .or(came)
    }

    /// All versions by name, the newest first. A version with two names is listed twice.
    pub fn list(&self) -> Vec<ListedChoreography> {
        let boots: Vec<_> = self
            .boot
            .iter()
            .filter_map(|plan| {
                let digest = self.find(&plan.choreography)?;
                Some((self.name_of(&plan.choreography, digest)?, digest))
            })
            .collect();
        let row = |name: &str, digest: &str, kept: &StoredChoreography| ListedChoreography {
            digest: digest.to_owned(),
            kept: StoredChoreography {
                name: name.to_owned(),
                ..kept.clone()
            },
            current: self.names.get(name).and_then(|name| name.first()) == Some(&digest.to_owned()),
            good: self.good.get(name).is_some_and(|value| value == digest),
            boot: boots.contains(&(name, digest)),
            tags: self.tags_of(digest),
        };
        let named = self.names.iter().flat_map(|(name, versions)| {
            let kept = versions
                .iter()
                .filter_map(|version| self.kept.get_key_value(version));
            kept.map(move |(digest, kept)| (name, digest, kept))
        });
        // Versions beyond `VERSIONS_MAX` have no name.
        let unnamed = self.kept.iter().filter(|pair| !self.is_named(pair.0));
        let unnamed = unnamed.map(|(digest, kept)| (&kept.name, digest, kept));
        let mut listed: Vec<_> = named
            .chain(unnamed)
            .map(|item| row(item.0, item.1, item.2))
            .collect();
        listed.sort_by(|a, b| {
            let key = |choreography: &ListedChoreography| {
                (
                    choreography.kept.name.clone(),
                    !choreography.current,
                    u64::MAX - choreography.kept.came,
                )
            };
            key(a).cmp(&key(b))
        });
        listed
    }

    /// Whether a name has this version.
    pub(super) fn is_named(&self, digest: &str) -> bool {
        self.names.values().any(|value| holds(value, digest))
    }

    /// The tags of a digest.
    pub fn tags_of(&self, digest: &str) -> Vec<String> {
        let tags = self.tags.iter().filter(|tag| tag.1 == digest);
        tags.map(|tag| tag.0.clone()).collect()
    }

    /// Adds a choreography as the newest version of its name.
    pub(super) fn put(&mut self, digest: &str, kept: StoredChoreography) {
        let versions = self.names.entry(kept.name.clone()).or_default();
        versions.retain(|version| version != digest);
        versions.insert(0, digest.to_owned());
        versions.truncate(VERSIONS_MAX);
        if let Some(signed) = kept.signed {
            let newest = self.signed.entry(kept.name.clone()).or_default();
            *newest = signed.max(*newest);
        }
        match self.kept.entry(digest.to_owned()) {
            Entry::Vacant(place) => drop(place.insert(kept)),
            // The same bytes with a newer signature.
            Entry::Occupied(mut known) if kept.signed > known.get().signed => {
                let known = known.get_mut();
                (known.signed, known.key) = (kept.signed, kept.key);
            }
            Entry::Occupied(_) => {}
        }
        if self.signed.len() > NAMES_MAX {
            self.signed.retain(|item, _| self.names.contains_key(item));
        }
    }

    /// Removes `digest` everywhere.
    pub(super) fn forget(&mut self, digest: &str) {
        self.kept.remove(digest);
        self.tags.retain(|_, tag| tag != digest);
        self.good.retain(|_, item| item != digest);
        self.failing.remove(digest);
        for versions in self.names.values_mut() {
            versions.retain(|version| version != digest);
        }
        self.names.retain(|_, name| !name.is_empty());
    }

    /// Versions that came as `name`, and that newer ones have displaced.
    pub(super) fn displaced(&self, name: &str) -> Vec<String> {
        let versions = self.names.get(name).map_or(&[][..], Vec::as_slice);
        let came = self.kept.iter().filter(|(_, kept)| kept.name == name);
        let displaced = came.filter(|(digest, _)| !holds(versions, digest));
        displaced.map(|(digest, _)| digest.clone()).collect()
    }

    /// Removes boot entries of which nothing is stored, but for those of these references.
    pub(super) fn retain_boot(&mut self, is_kept: impl Fn(&str) -> bool) {
        let boot = std::mem::take(&mut self.boot);
        let stays = |entry: &BootEntry| {
            self.find(&entry.choreography).is_some() || is_kept(&entry.choreography)
        };
        self.boot = boot.into_iter().filter(stays).collect();
    }

    /// Removes version `digest` from `name`. Returns false, and changes nothing, if no other name has it.
    pub(super) fn unname(&mut self, name: &str, digest: &str) -> bool {
        let mut others = self.names.iter().filter(|pair| pair.0 != name);
        let Some((other, _)) = others.find(|pair| holds(pair.1, digest)) else {
            return false;
        };
        let other = other.clone();
        if let Some(versions) = self.names.get_mut(name) {
            versions.retain(|version| version != digest);
        }
        self.names.retain(|_, name| !name.is_empty());
        if self.good.get(name).is_some_and(|value| value == digest) {
            self.good.remove(name);
        }
        if let Some(kept) = self.kept.get_mut(digest).filter(|value| value.name == name) {
            kept.name = other;
        }
        true
    }

    /// A name like this one that nothing has, neither a choreography nor a tag.
    pub(super) fn free_name(&self, like: &str) -> String {
        let stem = &like[..like.len().min(56)];
        let mut tried = (1..).map(|i| match i {
            1 => format!("x-{stem}"),
            _ => format!("x{i}-{stem}"),
        });
        let is_free =
            |text: &String| !self.names.contains_key(text) && !self.tags.contains_key(text);
        tried.find(is_free).unwrap_or_default()
    }

    /// Gives all versions of a name another one, also where it plays at boot.
    pub(super) fn rename(&mut self, name: &str, next: &str) {
        if let Some(versions) = self.names.remove(name) {
            let into = self.names.entry(next.to_owned()).or_default();
            into.extend(versions);
        }
        if let Some(good) = self.good.remove(name) {
            self.good.insert(next.to_owned(), good);
        }
        if let Some(signed) = self.signed.remove(name) {
            self.signed.insert(next.to_owned(), signed);
        }
        for kept in self.kept.values_mut().filter(|value| value.name == name) {
            kept.name = next.to_owned();
        }
        for boot in self
            .boot
            .iter_mut()
            .filter(|boot| boot.choreography == name)
        {
            boot.choreography = next.to_owned();
        }
    }

    /// The size of all choreographies, bytes.
    pub fn bytes(&self) -> u64 {
        self.kept.values().map(|value| value.bytes).sum()
    }
}

fn holds(versions: &[String], digest: &str) -> bool {
    versions.iter().any(|version| version == digest)
}
