//! The names of an export and what is known of them. Called by `statements` and `calls`.
//! The law: a value is known only if it is the same whichever way the code takes. What one branch, a loop, or a
//! function that is called from elsewhere changes is doubtful from there on, and a doubtful list is never played.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::literals::{Literal, LiteralValue};

/// Why a value is not known: where it would have to be executed, and the sentence that says so.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    pub(super) byte: usize,
    pub(super) sentence: String,
}

/// A name.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) value: Result<Literal, Doubt>,
    /// In which block it got its value.
    depth: usize,
    /// Whether something has played it since.
    pub(super) is_played: bool,
    /// Whether it is a function's parameter, as it was given.
    pub(super) is_parameter: bool,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// It may be executed or not.
    Branch,
    /// It may be executed many times.
    Loop,
    /// Its names are its own.
    Function,
}

/// A block: what its names were before it.
struct BlockScope<'t> {
    kind: BlockKind,
    byte: usize,
    before: HashMap<&'t str, Option<Variable>>,
    /// Lists from outside that were played inside.
    played: Vec<&'t str>,
}

/// All names.
#[derive(Default)]
pub(super) struct Scope<'t> {
    variables: HashMap<&'t str, Variable>,
    blocks: Vec<BlockScope<'t>>,
    /// By a list: the names of those that it is an item of, or that are the same list.
    holders: HashMap<&'t str, Vec<&'t str>>,
    /// What a loop has played, and would play otherwise when it comes again.
    pub(super) again: Option<Doubt>,
    /// Names from outside that functions have read, and the first of them that changes afterwards: the functions may be
    /// called later.
    read_inside: HashSet<&'t str>,
    pub(super) late: Option<Doubt>,
}

/// Why a list that code may have changed is not played.
pub(super) fn executed(byte: usize, what: &str) -> Doubt {
    let sentence = format!(
        "{} would have to be executed, and nothing is; fix: keep only names, times and keys",
        crate::fault::quoted(what)
    );
    Doubt { byte, sentence }
}

impl<'t> Scope<'t> {
    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.variables.get(name)
    }

    /// The same of a name whose value is used.
    pub(super) fn read(&mut self, name: &'t str) -> Option<&Variable> {
        let function = self
            .blocks
            .iter()
            .rposition(|it| it.kind == BlockKind::Function);
        let variable = self.variables.get(name)?;
        if function.is_some_and(|it| variable.depth <= it) {
            self.read_inside.insert(name);
        }
        Some(variable)
    }

    /// Whether a name is a list, or may be one.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.variables.get(name).is_some_and(|it| {
            let plain = |it: &Literal| !matches!(it.value, LiteralValue::List(_));
            !it.value.as_ref().is_ok_and(plain)
        })
    }

    /// A full list that nothing has played, and that begins in this block.
    pub(super) fn waits(&self, name: &str) -> bool {
        self.variables.get(name).is_some_and(|it| {
            let is_full = |it: &Literal| it.items().is_ok_and(|it| !it.is_empty());
            let is_here = it.depth == self.blocks.len() || !self.is_in_function();
            !it.is_played && is_here && it.value.as_ref().map_or(true, is_full)
        })
    }

    /// The same of a list whose value is known.
    pub(super) fn begins_again(&self, name: &str) -> bool {
        self.variables
            .get(name)
            .is_some_and(|it| it.value.is_ok() && it.depth == self.blocks.len())
            && self.waits(name)
    }

    fn is_in_function(&self) -> bool {
        self.blocks.iter().any(|it| it.kind == BlockKind::Function)
    }

    /// Whether a text has one of the names.
    pub(super) fn is_named_in(&self, text: &str) -> bool {
        self.variables.keys().any(|it| text.contains(it))
    }

    /// A name gets a value, in which these lists are.
    pub(super) fn assign(
        &mut self,
        name: &'t str,
        value: Result<Literal, Doubt>,
        lists: &[&'t str],
        byte: usize,
    ) {
        self.replayed(name, byte);
        self.changes_late(name, byte);
        let variable = Variable {
            value,
            depth: self.blocks.len(),
            is_played: false,
            is_parameter: false,
        };
        let before = self.variables.insert(name, variable);
        if let Some(block) = self.blocks.last_mut() {
            block.before.entry(name).or_insert(before);
        }
        self.holders.remove(name);
        for list in lists {
            self.contain(list, name);
            // It may be the same list.
            self.contain(name, list);
        }
    }

    /// A function that was read before may be called after this.
    fn changes_late(&mut self, name: &str, byte: usize) {
        if !self.is_in_function() && self.read_inside.contains(name) {
            self.late.get_or_insert_with(|| executed(byte, name));
        }
    }

    /// A name is a parameter of the function that begins.
    pub(super) fn take_parameter(
        &mut self,
        name: &'t str,
        why: Result<Literal, Doubt>,
        byte: usize,
    ) {
        self.assign(name, why, &[], byte);
        if let Some(variable) = self.variables.get_mut(name) {
            (variable.is_played, variable.is_parameter) = (true, true);
        }
    }

    /// A name may have any value from now on, whatever it was; so may every name that is the same part of something.
    pub(super) fn spoil(&mut self, name: &'t str, byte: usize) {
        self.doubt(name, &executed(byte, name));
        if let Some(variable) = self.variables.get_mut(name) {
            variable.value = Err(executed(byte, name));
        }
    }

    /// A part of some object changes: it may be that of any other name for the object.
    pub(super) fn spoil_parts(&mut self, path: &'t str, byte: usize) {
        let Some((owner, part)) = path.rsplit_once('.') else {
            return;
        };
        let is_other = |it: &str| {
            let parts = it.rsplit_once('.');
            parts.is_some_and(|it| it.0 != owner && it.1 == part)
        };
        let others: Vec<_> = self
            .variables
            .keys()
            .copied()
            .filter(|it| is_other(it))
            .collect();
        for other in others {
            self.spoil(other, byte);
        }
    }

    /// All names may have any value.
    pub(super) fn spoil_all(&mut self, byte: usize) {
        let names: Vec<_> = self.variables.keys().copied().collect();
        for name in names {
            self.spoil(name, byte);
        }
    }

    /// A list is from now on an item of another one.
    pub(super) fn contain(&mut self, list: &'t str, within: &'t str) {
        let holders = self.holders.entry(list).or_default();
        if list != within && !holders.contains(&within) {
            holders.push(within);
        }
    }

    /// The items of a list that is changed here; none if it is not known any more.
    pub(super) fn change(&mut self, name: &'t str, byte: usize) -> Option<&mut Vec<Literal>> {
        if self.variables.get(name)?.depth < self.blocks.len() {
            self.doubt(name, &executed(byte, name));
            return None;
        }
        self.changes_late(name, byte);
        for holder in self.holders.get(name).cloned().unwrap_or_default() {
            self.doubt_all_of(vec![name, holder], 1, &executed(byte, holder));
        }
        let variable = self.variables.get_mut(name)?;
        (variable.is_played, variable.is_parameter) = (false, false);
        match variable.value.as_mut().ok().map(|it| &mut it.value) {
            Some(LiteralValue::List(items)) => Some(Rc::make_mut(items)),
            _ => None,
        }
    }

    /// A value that may have been changed is not known any more, nor what holds it.
    pub(super) fn doubt(&mut self, name: &'t str, why: &Doubt) {
        self.doubt_all_of(vec![name], 0, why);
    }

    /// The names from `next` on, and what holds them, are not known any more; those before stay as they are.
    fn doubt_all_of(&mut self, mut all: Vec<&'t str>, mut next: usize, why: &Doubt) {
        while let Some(name) = all.get(next).copied() {
            next += 1;
            self.replayed(name, why.byte);
            if let Some(variable) = self.variables.get_mut(name) {
                variable.is_parameter = false;
                let is_list = |it: &Literal| matches!(it.value, LiteralValue::List(_));
                if variable.value.as_ref().is_ok_and(is_list) {
                    variable.value = Err(why.clone());
                }
            }
            for holder in self.holders.get(name).into_iter().flatten() {
                if !all.contains(holder) {
                    all.push(holder);
                }
            }
        }
    }

    /// Something plays a list.
    pub(super) fn play(&mut self, name: &'t str) {
        let Some(variable) = self.variables.get_mut(name) else {
            return;
        };
        variable.is_played = true;
        let depth = variable.depth;
        for block in self.blocks.iter_mut().skip(depth) {
            block.played.push(name);
        }
    }

    /// A list that a loop has played already changes within it: the loop would play another motion next.
    fn replayed(&mut self, name: &'t str, byte: usize) {
        let blocks = self.blocks.iter();
        let mut loops = blocks.filter(|it| it.kind == BlockKind::Loop);
        if loops.any(|it| it.played.contains(&name)) {
            self.again.get_or_insert_with(|| executed(byte, name));
        }
    }

    /// A block begins.
    pub(super) fn enter(&mut self, kind: BlockKind, byte: usize) {
        self.blocks.push(BlockScope {
            kind,
            byte,
            before: HashMap::new(),
            played: Vec::new(),
        });
    }

    /// A block is over. What it gave a value that had another one is doubtful; a function's names are gone, but for
    /// those of objects.
    pub(super) fn leave(&mut self) {
        let Some(block) = self.blocks.pop() else {
            return;
        };
        let depth = self.blocks.len();
        for (name, before) in block.before {
            let is_local = block.kind == BlockKind::Function && !name.contains('.');
            match before {
                Some(before) if is_local => drop(self.variables.insert(name, before)),
                None if is_local => drop(self.variables.remove(name)),
                Some(before) => {
                    let variable = Variable {
                        value: Err(executed(block.byte, name)),
                        is_played: false,
                        ..before
                    };
                    self.variables.insert(name, variable.clone());
                    if let Some(outer) = self.blocks.last_mut()
                        && variable.depth < depth
                    {
                        outer.before.entry(name).or_insert(Some(variable));
                    }
                }
                None => {
                    if let Some(variable) = self.variables.get_mut(name) {
                        variable.depth = depth;
                    }
                    if let Some(outer) = self.blocks.last_mut() {
                        outer.before.entry(name).or_insert(None);
                    }
                }
            }
        }
    }
}
