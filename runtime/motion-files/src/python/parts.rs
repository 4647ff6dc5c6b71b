//! Parts of objects, such as `self.keys`: names with points. Called by `calls` and `assignments`.
//! The law: a part of any object may be the same as that of another name for the object.

use std::collections::{HashMap, HashSet};

use super::scope::Scope;

impl<'t> Scope<'t> {
    /// A part of some object changes: it may be that of any other name for the object.
    pub(super) fn spoil_parts(&mut self, path: &'t str, byte: usize) {
        let Some((owner, part)) = path.rsplit_once('.') else {
            return;
        };
        let own = self.owned.get(owner).and_then(|it| it.get(path)).copied();
        self.spoil_part(part, own, byte);
    }

    /// A part of any object, but for one, may have any value. Its names are known again when they get values.
    pub(super) fn spoil_part(&mut self, part: &str, but: Option<&'t str>, byte: usize) {
        let Some(all) = self.parts.get_mut(part) else {
            return;
        };
        let all: Vec<_> = all.extract_if(|it| Some(*it) != but).collect();
        for name in all {
            self.spoil(name, byte);
        }
    }

    /// Any part of an object may have any value.
    pub(super) fn spoil_owned(&mut self, owner: &str, byte: usize) {
        for name in self.owned.remove(owner).unwrap_or_default() {
            self.spoil(name, byte);
        }
    }

    /// The last names of all parts of objects that may be known.
    pub(super) fn known_parts(&self) -> &HashMap<&'t str, HashSet<&'t str>> {
        &self.parts
    }

    /// All names may have any value.
    pub(super) fn spoil_all(&mut self, byte: usize) {
        for name in std::mem::take(&mut self.fresh) {
            self.spoil(name, byte);
        }
    }
}
