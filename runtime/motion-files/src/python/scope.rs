//! The names of a script: what each stands for, and what cannot be known of it.
//!
//! Nothing is executed, so a list is known only if nothing but the lines that were read can have changed it. A list
//! that another name may be as well can be read, but if it is changed, neither of them is known any more. What
//! functions may change is found in a first reading of the script, and holds from the beginning of the second one.

use std::collections::{HashMap, HashSet};

use super::doubt::Doubt;
use super::literals::{Literal, LiteralValue};

/// The place of the doubt of a parameter: it is where the parameter is used.
const PARAMETER: usize = usize::MAX;

/// A name, and the function that it belongs to, by its number; 0 is the file.
pub(super) type Key<'t> = (usize, &'t str);

#[derive(Clone, Debug)]
pub(super) struct Variable<'t> {
    pub(super) value: Result<Literal, Doubt>,
    /// The branch or loop in which it got its value; 0 for none.
    pub(super) block: usize,
    /// Whether another name may be the same list, or have it in it.
    pub(super) is_shared: bool,
    /// The names that may have a list in common with this one.
    pub(super) related: Vec<Key<'t>>,
    /// Whether it, and all that is related to it, is not known any more.
    pub(super) is_spoiled: bool,
}

/// A function, a class or the file.
#[derive(Clone, Debug)]
pub(super) struct CodeFrame<'t> {
    pub(super) id: usize,
    pub(super) name: &'t str,
    pub(super) is_class: bool,
    pub(super) byte: usize,
}

/// What a first reading finds out for the second one.
#[derive(Debug, Default)]
pub(super) struct Facts<'t> {
    /// Names that functions they do not belong to may change.
    pub(super) touched: HashMap<Key<'t>, Doubt>,
    /// Where each name was changed last.
    pub(super) changed: HashMap<Key<'t>, usize>,
    /// Why a function may change any name from outside.
    pub(super) everything: Option<Doubt>,
}

/// The names of a script.
#[derive(Debug)]
pub(super) struct Scope<'t> {
    pub(super) frames: Vec<CodeFrame<'t>>,
    pub(super) frame_count: usize,
    /// The branches and loops around the line that is read.
    pub(super) blocks: Vec<usize>,
    pub(super) variables: HashMap<Key<'t>, Variable<'t>>,
    /// Those of them that are parts of an object.
    pub(super) attributes: HashSet<Key<'t>>,
    /// What got another value in a branch or a loop: its number, and where.
    pub(super) doubtful: Vec<(usize, Key<'t>, usize)>,
    /// How many values are kept that have no name any more.
    pub(super) hidden: usize,
    pub(super) known: Facts<'t>,
    pub(super) found: Facts<'t>,
}

impl<'t> Scope<'t> {
    pub(super) fn new(known: Facts<'t>) -> Self {
        let file = CodeFrame {
            id: 0,
            name: "",
            is_class: false,
            byte: 0,
        };
        Scope {
            frames: vec![file],
            frame_count: 1,
            blocks: Vec::new(),
            variables: HashMap::new(),
            attributes: HashSet::new(),
            doubtful: Vec::new(),
            hidden: 0,
            known,
            found: Facts::default(),
        }
    }

    /// A parameter of the function that is read.
    pub(super) fn take_parameter(&mut self, name: &'t str) {
        self.assign(name, Err(Doubt::executed(PARAMETER, name)), &[], 0);
    }

    /// Enters a function or a class.
    pub(super) fn enter(&mut self, name: &'t str, is_class: bool, byte: usize) {
        self.frames.push(CodeFrame {
            id: self.frame_count,
            name,
            is_class,
            byte,
        });
        self.frame_count += 1;
    }

    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    /// The innermost function, class or the file.
    pub(super) fn frame(&self) -> &CodeFrame<'t> {
        // The frame of the file is never left.
        &self.frames[self.frames.len() - 1]
    }

    /// The name of the innermost function.
    pub(super) fn function(&self) -> &'t str {
        let mut frames = self.frames.iter().rev();
        frames
            .find(|frame| !frame.is_class)
            .map_or("", |frame| frame.name)
    }

    /// Whether these names got their values in the innermost function.
    pub(super) fn are_own(&self, names: &[&'t str]) -> bool {
        let frame = self.frame().id;
        names
            .iter()
            .all(|name| self.variables.contains_key(&(frame, *name)))
    }

    /// The name with a value: of the function that is read, or of one around it.
    pub(super) fn find(&self, name: &'t str) -> Option<Key<'t>> {
        let own = self.frame().id;
        let mut frames = self
            .frames
            .iter()
            .rev()
            .filter(|frame| frame.id == own || !frame.is_class);
        frames.find_map(|frame| {
            let key = (frame.id, name);
            // A function has a name of its own wherever it gives it a value.
            let is_later = || frame.id != 0 && self.known.changed.contains_key(&key);
            (self.variables.contains_key(&key) || is_later()).then_some(key)
        })
    }

    pub(super) fn has(&self, name: &'t str) -> bool {
        self.find(name).is_some()
    }

    /// The value of a name, used at this byte.
    pub(super) fn value(&self, name: &'t str, byte: usize) -> Result<Literal, Doubt> {
        let unknown = || Doubt::executed(byte, name);
        let key = self.find(name).ok_or_else(unknown)?;
        if let Some(doubt) = self.known.touched.get(&key) {
            return Err(doubt.clone());
        }
        // What a function reads from outside must be what it is when the function is called.
        let function = self
            .frames
            .iter()
            .find(|frame| frame.id > key.0 && !frame.is_class);
        let begin = function.map_or(usize::MAX, |frame| frame.byte);
        if self
            .known
            .changed
            .get(&key)
            .is_some_and(|last| *last > begin)
        {
            return Err(unknown());
        }
        if let Some(doubt) = self
            .known
            .everything
            .as_ref()
            .filter(|_| key.0 == 0 || key.0 != self.frame().id)
        {
            return Err(doubt.clone());
        }
        let value = self
            .variables
            .get(&key)
            .map_or_else(|| Err(unknown()), |variable| variable.value.clone());
        value.map_err(|doubt| match doubt.byte {
            PARAMETER => unknown(),
            _ => doubt,
        })
    }

    /// Whether a name may be a list: what else it is, nobody can change.
    pub(super) fn may_be_list(&self, name: &'t str) -> bool {
        let variable = self.find(name).and_then(|key| self.variables.get(&key));
        match variable.map(|variable| &variable.value) {
            // Another function may find another value.
            Some(Ok(literal)) => {
                matches!(literal.value, LiteralValue::List(_)) || !self.are_own(&[name])
            }
            Some(Err(_)) => true,
            // What a function reads may get its value later.
            None => self.frames.len() > 1,
        }
    }

    /// Gives a name a value, in which these names may be.
    pub(super) fn assign(
        &mut self,
        name: &'t str,
        value: Result<Literal, Doubt>,
        names: &[&'t str],
        byte: usize,
    ) {
        let key = (self.frame().id, name);
        let doubt = Doubt::executed(byte, name);
        let related = self.keys_of(names, byte);
        match name.rsplit_once('.') {
            // The part of an object that others have as well, or that has another name.
            Some((owner, _)) => match self.variables.get(&(key.0, owner)) {
                None => self.spoil(name, &doubt),
                Some(variable) if variable.is_shared => self.spoil(owner, &doubt),
                Some(_) => {}
            },
            None => self.spoil_parts(name, &doubt),
        }
        if name.contains('.') || self.frame().is_class {
            // Whoever has the object has lists of another function with it.
            let foreign = related.iter().filter(|other| other.0 != key.0).copied();
            let foreign: Vec<_> = foreign.collect();
            self.spoil_keys(foreign, &doubt);
        }
        let block = self.blocks.last().copied().unwrap_or(0);
        let before = self.variables.remove(&key);
        if before
            .as_ref()
            .is_some_and(|before| block != 0 && before.block != block)
        {
            self.doubtful.push((block, key, byte));
        }
        self.hide(key, before);
        self.found.changed.insert(key, byte);
        let variable = Variable {
            value,
            block,
            is_shared: !names.is_empty(),
            related: Vec::new(),
            is_spoiled: false,
        };
        self.variables.insert(key, variable);
        if name.contains('.') {
            self.attributes.insert(key);
        }
        self.relate(key, related);
    }

    /// Leaves a branch or a loop: what got another value in it may have got none.
    pub(super) fn leave_block(&mut self) {
        let left = self.blocks.pop();
        let around = self.blocks.last().copied().unwrap_or(0);
        while let Some((_, key, byte)) = self.doubtful.pop_if(|(block, ..)| Some(*block) == left) {
            if let Some(variable) = self.variables.get_mut(&key) {
                variable.value = Err(Doubt::executed(byte, key.1));
                variable.block = around;
            }
        }
    }

    /// Changes a list in place, if it and the change are known. It may have other lists in it from then on.
    pub(super) fn edit(
        &mut self,
        name: &'t str,
        others: &[&'t str],
        byte: usize,
        edit: impl FnOnce(Literal) -> Result<Literal, Doubt>,
    ) {
        let unknown = Doubt::executed(byte, name);
        let block = self.blocks.last().copied().unwrap_or(0);
        let key = (self.frame().id, name);
        let others = self.keys_of(others, byte);
        if let Some(key) = self.find(name) {
            self.relate(
                key,
                others.into_iter().filter(|other| *other != key).collect(),
            );
        }
        let variable = self.variables.get_mut(&key);
        let Some(variable) =
            variable.filter(|variable| variable.block == block && !variable.is_shared)
        else {
            self.spoil(name, &unknown);
            return;
        };
        self.found.changed.insert(key, byte);
        // Taken out of its place, so that a long list is not copied.
        let value = std::mem::replace(&mut variable.value, Err(unknown));
        variable.value = value.and_then(edit);
    }
}
