//! Which names may be the same list, and what is not known any more if one of them is changed.

use std::collections::HashSet;

use super::doubt::Doubt;
use super::scope::{Key, Scope, Variable};

impl<'t> Scope<'t> {
    /// Names with a value. What gets one later may be changed from here, which cannot be followed.
    pub(super) fn keys_of(&mut self, names: &[&'t str], byte: usize) -> Vec<Key<'t>> {
        let mut keys = Vec::new();
        for name in names {
            match self.find(name) {
                Some(key) => keys.push(key),
                None => self.spoil(name, &Doubt::executed(byte, name)),
            }
        }
        keys
    }

    /// A name may be these lists from now on, or have them in it.
    pub(super) fn relate(&mut self, key: Key<'t>, others: Vec<Key<'t>>) {
        for other in others {
            if let Some(variable) = self.variables.get_mut(&other) {
                variable.is_shared = true;
                variable.related.push(key);
            }
            if let Some(variable) = self.variables.get_mut(&key) {
                variable.related.push(other);
            }
            let is_spoiled = |key: Key<'t>| {
                self.variables
                    .get(&key)
                    .is_some_and(|variable| variable.is_spoiled)
            };
            let doubt = match (is_spoiled(key), is_spoiled(other)) {
                (true, false) => self.variables[&key].value.clone().err(),
                (false, true) => self.variables[&other].value.clone().err(),
                _ => None,
            };
            if let Some(doubt) = doubt {
                self.spoil_keys(vec![key, other], &doubt);
            }
        }
    }

    /// What a name was before it got another value: other names may still have its lists.
    pub(super) fn hide(&mut self, key: Key<'t>, before: Option<Variable<'t>>) {
        let Some(before) = before.filter(|before| !before.related.is_empty()) else {
            return;
        };
        self.hidden += 1;
        let hidden = (usize::MAX - self.hidden, key.1);
        for other in &before.related {
            if let Some(variable) = self.variables.get_mut(other) {
                variable.related.push(hidden);
            }
        }
        self.variables.insert(hidden, before);
    }

    /// What a function gives away: lists that it has from outside may be changed by its callers.
    pub(super) fn leak(&mut self, names: &[&'t str], doubt: &Doubt) {
        let own = self.frame().id;
        let mut keys: Vec<_> = names.iter().filter_map(|name| self.find(name)).collect();
        let mut seen: HashSet<_> = keys.iter().copied().collect();
        let mut foreign = Vec::new();
        while let Some(key) = keys.pop() {
            if key.0 != own && key.0 < self.frame_count {
                foreign.push(key);
            }
            let related = self
                .variables
                .get(&key)
                .map_or(&[][..], |variable| &variable.related);
            keys.extend(related.iter().copied().filter(|key| seen.insert(*key)));
        }
        self.spoil_keys(foreign, doubt);
    }

    /// A name is not known from now on, nor what belongs to it; if it has no value yet, what gets it later neither.
    pub(super) fn spoil(&mut self, name: &'t str, doubt: &Doubt) {
        self.spoil_parts(name, doubt);
        match self.find(name) {
            Some(key) => self.spoil_keys(vec![key], doubt),
            None => {
                for frame in &self.frames {
                    let key = (frame.id, name);
                    self.found
                        .touched
                        .entry(key)
                        .or_insert_with(|| doubt.clone());
                }
            }
        }
    }

    /// The attributes of an object are not known from now on.
    pub(super) fn spoil_parts(&mut self, name: &str, doubt: &Doubt) {
        let is_part = |key: &&Key<'t>| {
            key.1
                .strip_prefix(name)
                .is_some_and(|part| part.starts_with('.'))
        };
        let parts: Vec<_> = self.attributes.iter().filter(is_part).copied().collect();
        self.spoil_keys(parts, doubt);
    }

    pub(super) fn spoil_keys(&mut self, mut keys: Vec<Key<'t>>, doubt: &Doubt) {
        let frame = self.frame().id;
        while let Some(key) = keys.pop() {
            self.found.changed.insert(key, doubt.byte);
            if key.0 != frame {
                self.found
                    .touched
                    .entry(key)
                    .or_insert_with(|| doubt.clone());
            }
            let Some(variable) = self
                .variables
                .get_mut(&key)
                .filter(|variable| !variable.is_spoiled)
            else {
                continue;
            };
            variable.is_spoiled = true;
            if variable.value.is_ok() {
                variable.value = Err(doubt.clone());
            }
            keys.extend(variable.related.iter().copied());
            let is_part = |part: &&Key<'t>| {
                part.1
                    .strip_prefix(key.1)
                    .is_some_and(|rest| rest.starts_with('.'))
            };
            keys.extend(self.attributes.iter().filter(is_part).copied());
        }
    }

    /// Nothing is known any more.
    pub(super) fn spoil_all(&mut self, doubt: &Doubt) {
        if self.frames.len() > 1 {
            self.found.everything.get_or_insert_with(|| doubt.clone());
        }
        let keys: Vec<_> = self.variables.keys().copied().collect();
        self.spoil_keys(keys, doubt);
    }
}
