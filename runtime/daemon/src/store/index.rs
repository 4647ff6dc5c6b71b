//! What the store knows of what it keeps: one table, written whole, read whole.
//! The store alone changes it. The law: it never names what is not there, and every list has an end.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use api::choreographies::{BootEntry, ListedChoreography, StoredChoreography};
use serde::{Deserialize, Serialize};

/// Versions of a name that are remembered.
pub(super) const VERSIONS_MAX: usize = 16;

/// Names whose newest signature is remembered when they are gone.
const NAMES_MAX: usize = 4096;

/// All that the store knows.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Index {
    /// The form of this table.
    pub form: u32,
    /// What is kept, by its digest.
    pub kept: BTreeMap<String, StoredChoreography>,
    /// Versions of each name, the newest first.
    pub names: BTreeMap<String, Vec<String>>,
    /// Digests by the tags that people gave them.
    pub tags: BTreeMap<String, String>,
    /// What plays when the robot has come up.
    pub boot: Vec<BootEntry>,
    /// The digest of each name that has last played well.
    pub good: BTreeMap<String, String>,
    /// Starts of the robot at which these digests did not play well, since they last did.
    pub failing: BTreeMap<String, u32>,
    /// When the newest version of each name was signed that ever came; what is removed does not make older ones new.
    pub signed: BTreeMap<String, u64>,
    /// The run of the loop for which that was done.
    pub booted: u64,
    /// The latest second that was ever seen, of UTC since 1970: the clock may have been wrong since.
    pub latest: u64,
}

impl Index {
    /// The digest that somebody means: by a tag, a name, or the beginning of a digest.
    pub fn find(&self, reference: &str) -> Option<&str> {
        if let Some(digest) = self.tags.get(reference) {
            return Some(digest);
        }
        if let Some(digest) = self.names.get(reference).and_then(|it| it.first()) {
            return Some(digest);
        }
        let digest = reference.strip_prefix("sha256:").unwrap_or(reference);
        if digest.len() < 8 {
            return None;
        }
        let mut alike = self.kept.keys().filter(|it| it.starts_with(digest));
        match (alike.next(), alike.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    }

    /// The name under which `digest` is meant by `reference`: this itself if it is one, else the first that has it.
    pub fn name_of<'a>(&'a self, reference: &'a str, digest: &str) -> Option<&'a str> {
        let has = |name: &str| self.names.get(name).is_some_and(|it| holds(it, digest));
        if has(reference) {
            return Some(reference);
        }
        let mut named = self.names.iter().filter(|it| holds(it.1, digest));
        let came = self.kept.get(digest).map(|it| it.name.as_str());
        came.filter(|it| has(it))
            .or_else(|| named.next().map(|it| it.0.as_str()))
            .or(came)
    }

    /// Everything, in the order of names, the newest first; bytes that have two names are there twice.
    pub fn list(&self) -> Vec<ListedChoreography> {
        let boots: Vec<_> = self
            .boot
            .iter()
            .filter_map(|it| {
                let digest = self.find(&it.choreography)?;
                Some((self.name_of(&it.choreography, digest)?, digest))
            })
            .collect();
        let row = |name: &str, digest: &str, kept: &StoredChoreography| ListedChoreography {
            digest: digest.to_owned(),
            kept: StoredChoreography {
                name: name.to_owned(),
                ..kept.clone()
            },
            current: self.names.get(name).and_then(|it| it.first()) == Some(&digest.to_owned()),
            good: self.good.get(name).is_some_and(|it| it == digest),
            boot: boots.contains(&(name, digest)),
            tags: self.tags_of(digest),
        };
        let named = self.names.iter().flat_map(|(name, versions)| {
            let kept = versions.iter().filter_map(|it| self.kept.get_key_value(it));
            kept.map(move |(digest, kept)| (name, digest, kept))
        });
        // What is older than the versions that are remembered.
        let unnamed = self.kept.iter().filter(|it| !self.is_named(it.0));
        let unnamed = unnamed.map(|(digest, kept)| (&kept.name, digest, kept));
        let mut listed: Vec<_> = named
            .chain(unnamed)
            .map(|it| row(it.0, it.1, it.2))
            .collect();
        listed.sort_by(|a, b| {
            let key = |it: &ListedChoreography| {
                (it.kept.name.clone(), !it.current, u64::MAX - it.kept.came)
            };
            key(a).cmp(&key(b))
        });
        listed
    }

    /// Whether some name has this version.
    pub(super) fn is_named(&self, digest: &str) -> bool {
        self.names.values().any(|it| holds(it, digest))
    }

    /// The tags of a digest.
    pub fn tags_of(&self, digest: &str) -> Vec<String> {
        let tags = self.tags.iter().filter(|it| it.1 == digest);
        tags.map(|it| it.0.clone()).collect()
    }

    /// `digest` becomes the newest version of `name`.
    pub(super) fn put(&mut self, digest: &str, kept: StoredChoreography) {
        let versions = self.names.entry(kept.name.clone()).or_default();
        versions.retain(|it| it != digest);
        versions.insert(0, digest.to_owned());
        versions.truncate(VERSIONS_MAX);
        if let Some(signed) = kept.signed {
            let newest = self.signed.entry(kept.name.clone()).or_default();
            *newest = signed.max(*newest);
        }
        match self.kept.entry(digest.to_owned()) {
            Entry::Vacant(place) => drop(place.insert(kept)),
            // The same bytes, vouched for anew.
            Entry::Occupied(mut known) if kept.signed > known.get().signed => {
                let known = known.get_mut();
                (known.signed, known.key) = (kept.signed, kept.key);
            }
            Entry::Occupied(_) => {}
        }
        if self.signed.len() > NAMES_MAX {
            self.signed.retain(|it, _| self.names.contains_key(it));
        }
    }

    /// Nothing names `digest` any more.
    pub(super) fn forget(&mut self, digest: &str) {
        self.kept.remove(digest);
        self.tags.retain(|_, it| it != digest);
        self.good.retain(|_, it| it != digest);
        self.failing.remove(digest);
        for versions in self.names.values_mut() {
            versions.retain(|it| it != digest);
        }
        self.names.retain(|_, it| !it.is_empty());
    }

    /// `name` does not have `digest` any more; false, and nothing has changed, if no other name has it.
    pub(super) fn unname(&mut self, name: &str, digest: &str) -> bool {
        let mut others = self.names.iter().filter(|it| it.0 != name);
        let Some((other, _)) = others.find(|it| holds(it.1, digest)) else {
            return false;
        };
        let other = other.clone();
        if let Some(versions) = self.names.get_mut(name) {
            versions.retain(|it| it != digest);
        }
        self.names.retain(|_, it| !it.is_empty());
        if self.good.get(name).is_some_and(|it| it == digest) {
            self.good.remove(name);
        }
        if let Some(kept) = self.kept.get_mut(digest).filter(|it| it.name == name) {
            kept.name = other;
        }
        true
    }

    /// The bytes of all that is kept.
    pub fn bytes(&self) -> u64 {
        self.kept.values().map(|it| it.bytes).sum()
    }
}

fn holds(versions: &[String], digest: &str) -> bool {
    versions.iter().any(|it| it == digest)
}
