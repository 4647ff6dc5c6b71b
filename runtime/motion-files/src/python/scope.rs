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
    /// Whether it is what a function does not know of its parameters: a call may tell.
    pub(super) is_parameter: bool,
}

impl Doubt {
    pub(super) fn new(byte: usize, sentence: impl Into<String>) -> Doubt {
        Doubt {
            byte,
            sentence: sentence.into(),
            is_parameter: false,
        }
    }
}

/// A name.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) value: Result<Literal, Doubt>,
    /// In which block it got its value.
    pub(super) depth: usize,
    /// Whether something has played it since.
    pub(super) is_played: bool,
    /// Whether it is a function's parameter, and still the list that it was given.
    pub(super) is_parameter: bool,
}

impl Variable {
    fn is_list(&self) -> bool {
        let is_list = |it: &Literal| it.items().is_ok();
        self.value.as_ref().is_ok_and(is_list)
    }
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
    /// A function that is called here: its names are its own, and what it changes is changed.
    Call,
    /// The function that makes an object: what it gives the object stays.
    Maker,
    /// A class: its names, and those of its objects, are its own.
    Class,
}

impl BlockKind {
    /// Whether it has names of its own.
    pub(super) fn is_frame(self) -> bool {
        !matches!(self, BlockKind::Branch | BlockKind::Loop)
    }

    /// Whether it is read where it stands, and executed at another time.
    pub(super) fn may_wait(self) -> bool {
        self.is_frame() && self != BlockKind::Call
    }
}

/// A block: what its names were before it.
pub(super) struct BlockScope<'t> {
    pub(super) kind: BlockKind,
    byte: usize,
    pub(super) before: HashMap<&'t str, Option<Variable>>,
    /// Names from outside that it made doubtful, as they were: it may never be called.
    pub(super) saved: HashMap<&'t str, Variable>,
    /// Whether it may be called by what the file does not show: then it may have been.
    pub(super) is_handed: bool,
    /// Its number: every block has another one.
    pub(super) id: usize,
    /// Lists from outside that were played inside.
    played: Vec<&'t str>,
}

/// All names.
#[derive(Default)]
pub(super) struct Scope<'t> {
    pub(super) variables: HashMap<&'t str, Variable>,
    /// Names that got values since all were spoiled.
    pub(super) fresh: HashSet<&'t str>,
    pub(super) blocks: Vec<BlockScope<'t>>,
    blocks_made: usize,
    /// By a list: the names of those that it is an item of, or that are the same list.
    pub(super) holders: HashMap<&'t str, HashSet<&'t str>>,
    /// By the last name of a part of an object, and by its object: all names of such parts.
    pub(super) parts: HashMap<&'t str, HashSet<&'t str>>,
    pub(super) owned: HashMap<&'t str, HashSet<&'t str>>,
    /// The lists that were changed, one after the other.
    pub(super) changes: Vec<&'t str>,
    /// The same, and those that became doubtful, while calls are followed; how many are.
    pub(super) touched: Vec<&'t str>,
    calls: usize,
    /// What a loop has played, and would play otherwise when it comes again.
    pub(super) again: Option<Doubt>,
    /// By a name, and the block that it is of: the functions that have read it from outside. Those whose names change
    /// afterwards, since they may be called later.
    pub(super) read_inside: HashMap<(&'t str, usize), HashSet<usize>>,
    pub(super) late: HashMap<usize, Doubt>,
}

/// Why a list that code may have changed is not played.
pub(super) fn executed(byte: usize, what: &str) -> Doubt {
    let sentence = format!(
        "{} would have to be executed, and nothing is; fix: keep only names, times and keys",
        crate::fault::quoted(what)
    );
    Doubt::new(byte, sentence)
}

impl<'t> Scope<'t> {
    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.variables.get(name)
    }

    /// Whether a name is a list, or may be one.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.variables.get(name).is_some_and(|it| {
            let plain = |it: &Literal| !matches!(it.value, LiteralValue::List(_));
            !it.value.as_ref().is_ok_and(plain)
        })
    }

    /// Whether a name is a list for sure.
    pub(super) fn is_list(&self, name: &str) -> bool {
        self.variables.get(name).is_some_and(Variable::is_list)
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
        self.blocks.iter().any(|it| it.kind.is_frame())
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
        self.changes_late(name, self.blocks.len(), byte);
        if let Some((owner, part)) = name.rsplit_once('.') {
            self.parts.entry(part).or_default().insert(name);
            self.owned.entry(owner).or_default().insert(name);
        }
        let variable = Variable {
            value,
            depth: self.blocks.len(),
            is_played: false,
            is_parameter: false,
        };
        let before = self.variables.insert(name, variable);
        self.fresh.insert(name);
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

    /// A name is a parameter of the function that begins.
    pub(super) fn take_parameter(
        &mut self,
        name: &'t str,
        why: Result<Literal, Doubt>,
        byte: usize,
    ) {
        let why = why.map_err(|it| Doubt {
            is_parameter: true,
            ..it
        });
        self.take_argument(name, why, &[], byte);
    }

    /// A name is a parameter of the function that is called here.
    pub(super) fn take_argument(
        &mut self,
        name: &'t str,
        value: Result<Literal, Doubt>,
        lists: &[&'t str],
        byte: usize,
    ) {
        self.assign(name, value, lists, byte);
        if let Some(variable) = self.variables.get_mut(name) {
            (variable.is_played, variable.is_parameter) = (true, true);
        }
    }

    /// A name may have any value from now on, whatever it was; so may every name that is the same part of something.
    pub(super) fn spoil(&mut self, name: &'t str, byte: usize) {
        self.doubt(name, &executed(byte, name));
        self.save(name);
        if let Some(variable) = self.variables.get_mut(name) {
            variable.value = Err(executed(byte, name));
        }
    }

    /// A list is from now on an item of another one.
    pub(super) fn contain(&mut self, list: &'t str, within: &'t str) {
        if list != within {
            self.holders.entry(list).or_default().insert(within);
        }
    }

    /// The items of a list that is changed here; none if it is not known any more.
    pub(super) fn change(&mut self, name: &'t str, byte: usize) -> Option<&mut Vec<Literal>> {
        let depth = self.variables.get(name)?.depth;
        let called = self.blocks.iter().rev();
        let called = called.take_while(|it| it.kind == BlockKind::Call).count();
        if depth + called < self.blocks.len() {
            self.doubt(name, &executed(byte, name));
            return None;
        }
        self.changes.push(name);
        self.touch(name);
        self.changes_late(name, depth, byte);
        for holder in self.holders.get(name).cloned().unwrap_or_default() {
            self.doubt_all_of(vec![name, holder], 1, &executed(byte, holder));
        }
        let variable = self.variables.get_mut(name)?;
        variable.is_played = false;
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
        let mut seen: HashSet<_> = all.iter().copied().collect();
        while let Some(name) = all.get(next).copied() {
            next += 1;
            self.replayed(name, why.byte);
            self.save(name);
            self.touch(name);
            let list_depth = self.variables.get(name).filter(|it| it.is_list());
            if let Some(depth) = list_depth.map(|it| it.depth) {
                self.changes_late(name, depth, why.byte);
            }
            let variable = self.variables.get_mut(name);
            if let Some(variable) = variable.filter(|it| it.is_list()) {
                variable.value = Err(why.clone());
            }
            for holder in self.holders.get(name).into_iter().flatten() {
                if seen.insert(holder) {
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
    pub(super) fn replayed(&mut self, name: &'t str, byte: usize) {
        let blocks = self.blocks.iter();
        let mut loops = blocks.filter(|it| it.kind == BlockKind::Loop);
        if loops.any(|it| it.played.contains(&name)) {
            self.again.get_or_insert_with(|| executed(byte, name));
        }
    }

    /// A list that is followed was changed, or is not known any more.
    fn touch(&mut self, name: &'t str) {
        if self.calls > 0 {
            self.touched.push(name);
        }
    }

    /// A block begins.
    pub(super) fn enter(&mut self, kind: BlockKind, byte: usize) {
        self.blocks_made += 1;
        self.calls += usize::from(kind == BlockKind::Call);
        self.blocks.push(BlockScope {
            kind,
            byte,
            before: HashMap::new(),
            saved: HashMap::new(),
            is_handed: !matches!(kind, BlockKind::Function),
            id: self.blocks_made,
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
        self.calls -= usize::from(block.kind == BlockKind::Call);
        self.fresh.extend(block.before.keys());
        self.fresh.extend(block.saved.keys());
        for (name, before) in block.before {
            let is_local = match block.kind {
                BlockKind::Function | BlockKind::Class => true,
                BlockKind::Maker | BlockKind::Call => !name.contains('.'),
                BlockKind::Branch | BlockKind::Loop => false,
            };
            match before {
                Some(before) if is_local => drop(self.variables.insert(name, before)),
                None if is_local => drop(self.variables.remove(name)),
                before if block.kind == BlockKind::Call => {
                    if let Some(variable) = self.variables.get_mut(name) {
                        variable.depth = depth;
                    }
                    if let Some(outer) = self.blocks.last_mut() {
                        outer.before.entry(name).or_insert(before);
                    }
                }
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
        if !matches!(block.kind, BlockKind::Maker | BlockKind::Call) {
            self.variables.extend(block.saved);
        }
    }
}
