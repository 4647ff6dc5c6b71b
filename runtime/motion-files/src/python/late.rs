//! Functions that are read where they stand, and may be called later: what they have read, and what they would change.
//! Called by `scope`.
//! The law: what changes after a function has read it makes what the function plays doubtful; what a function would
//! change is as it was where the function ends, unless somebody may have called it.

use std::collections::HashSet;

use super::scope::{Scope, Variable, executed};

impl<'t> Scope<'t> {
    /// The same of a name whose value is used.
    pub(super) fn read(&mut self, name: &'t str) -> Option<&Variable> {
        let variable = self.variables.get(name)?;
        let owner = self.frame(variable.depth);
        let inner = self.blocks.iter().skip(variable.depth);
        let mut readers = inner.filter(|it| it.kind.may_wait()).peekable();
        if readers.peek().is_some() {
            let all = self.read_inside.entry((name, owner)).or_default();
            all.extend(readers.map(|it| it.id));
        }
        Some(variable)
    }

    /// The block with names of its own that is around a depth; 0 is the file.
    pub(super) fn frame(&self, depth: usize) -> usize {
        let mut around = self.blocks.iter().take(depth).rev();
        around.find(|it| it.kind.is_frame()).map_or(0, |it| it.id)
    }

    /// Whether a name got its value outside of the function that is read.
    pub(super) fn is_from_outside(&self, name: &str) -> bool {
        let function = self.blocks.iter().rposition(|it| it.kind.may_wait());
        let depth = self.variables.get(name).map(|it| it.depth);
        function.is_some_and(|it| depth.is_some_and(|depth| depth <= it))
    }

    /// The functions that are being read.
    pub(super) fn readers(&self) -> Vec<usize> {
        let frames = self.blocks.iter().filter(|it| it.kind.may_wait());
        frames.map(|it| it.id).collect()
    }

    /// A function that was read before may be called after this.
    pub(super) fn changes_late(&mut self, name: &'t str, depth: usize, byte: usize) {
        let owner = self.frame(depth);
        let Some(mut readers) = self.read_inside.remove(&(name, owner)) else {
            return;
        };
        let open: HashSet<usize> = self.blocks.iter().map(|it| it.id).collect();
        for reader in readers.extract_if(|it| !open.contains(it)) {
            let why = || executed(byte, name);
            self.late.entry(reader).or_insert_with(why);
        }
        if !readers.is_empty() {
            self.read_inside.insert((name, owner), readers);
        }
    }

    /// Keeps a name as it was before the function that is read; its end gives it back.
    pub(super) fn save(&mut self, name: &'t str) {
        let function = self.blocks.iter().rposition(|it| it.kind.may_wait());
        let (Some(function), Some(variable)) = (function, self.variables.get(name)) else {
            return;
        };
        let is_kept = name.contains('.') || !self.blocks[function].is_handed;
        if is_kept && variable.depth <= function {
            let saved = &mut self.blocks[function].saved;
            saved.entry(name).or_insert_with(|| variable.clone());
        }
    }
}
