//! What a function that is called sees of the names around: those of the file, and not those of its caller. Called by
//! `follow`.
//! The law: a name that is hidden comes back as it was, but for what became doubtful meanwhile.

use std::collections::{HashMap, HashSet};

use super::literals::{Literal, LiteralValue};
use super::scope::{BlockKind, Scope, Variable};

/// Names of a caller, and who holds their lists.
#[derive(Default)]
pub(super) struct HiddenNames<'t> {
    variables: HashMap<&'t str, Option<Variable>>,
    holders: HashMap<&'t str, HashSet<&'t str>>,
    /// The block that has kept what the file has by these names.
    blocks: HashMap<&'t str, usize>,
}

impl<'t> Scope<'t> {
    /// Hides the names of the functions that are read.
    pub(super) fn hide(&mut self) -> HiddenNames<'t> {
        let mut hidden = HiddenNames::default();
        let first = self.blocks.iter().position(|it| it.kind.is_frame());
        let first = first.unwrap_or(self.blocks.len());
        for (number, block) in self.blocks.iter().enumerate().skip(first).rev() {
            let names = block.before.iter().filter(|it| !it.0.contains('.'));
            for (name, before) in names {
                let now = match before {
                    Some(before) => self.variables.insert(name, before.clone()),
                    None => self.variables.remove(name),
                };
                hidden.variables.entry(name).or_insert(now);
                hidden.blocks.insert(name, number);
                if let Some(holders) = self.holders.remove(name) {
                    hidden.holders.insert(name, holders);
                }
            }
        }
        hidden
    }

    /// Shows them again.
    pub(super) fn show(&mut self, hidden: HiddenNames<'t>) {
        for (name, variable) in hidden.variables {
            let outside = match variable {
                Some(variable) => self.variables.insert(name, variable),
                None => self.variables.remove(name),
            };
            let block = hidden
                .blocks
                .get(name)
                .and_then(|it| self.blocks.get_mut(*it));
            if let Some(block) = block {
                block.before.insert(name, outside);
            }
            self.fresh.insert(name);
        }
        for (name, holders) in hidden.holders {
            self.holders.entry(name).or_default().extend(holders);
        }
    }

    /// The names that the function that is called has of its own.
    pub(super) fn locals(&self) -> HashSet<&'t str> {
        let block = self.blocks.last().filter(|it| it.kind == BlockKind::Call);
        let names = block.into_iter().flat_map(|it| it.before.keys().copied());
        names.filter(|it| !it.contains('.')).collect()
    }

    /// These names, and all that hold their lists, or are the same.
    pub(super) fn reached(&self, names: &[&'t str]) -> HashSet<&'t str> {
        let mut all: Vec<&'t str> = names.to_vec();
        let mut seen: HashSet<&'t str> = all.iter().copied().collect();
        while let Some(name) = all.pop() {
            let holders = self.holders.get(name).into_iter().flatten();
            all.extend(holders.copied().filter(|it| seen.insert(it)));
        }
        seen
    }

    /// The items of a parameter that is still the list that it was given.
    pub(super) fn argument(&self, name: &str) -> Option<Vec<Literal>> {
        let variable = self.variables.get(name).filter(|it| it.is_parameter)?;
        match &variable.value.as_ref().ok()?.value {
            LiteralValue::List(items) => Some(items.to_vec()),
            _ => None,
        }
    }

    /// Whether a name has a value, known or not.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }

    /// Whether something is known of the parts of an object.
    pub(super) fn owns(&self, owner: &str) -> bool {
        let mut parts = self.owned.get(owner).into_iter().flatten();
        parts.any(|it| self.variables.contains_key(it))
    }
}
