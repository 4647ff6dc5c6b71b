//! The names of a script: what each stands for, and what cannot be known of it.
//!
//! Nothing is executed, so a list is known only if nothing but the lines that were read can have changed it. A list
//! that another name may be as well can be read, but if it is changed, neither of them is known any more. What
//! functions may change is found in a first reading of the script, and holds from the beginning of the second one.

use std::collections::{HashMap, HashSet};

use super::literals::{Literal, LiteralValue};
use crate::fault::quoted;

/// Why something is not known: the sentence, and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Doubt {
    pub(super) byte: usize,
    pub(super) sentence: String,
}

impl Doubt {
    pub(super) fn new(byte: usize, sentence: impl Into<String>) -> Doubt {
        Doubt {
            byte,
            sentence: sentence.into(),
        }
    }

    /// What only Python could find out.
    pub(super) fn executed(byte: usize, what: &str) -> Doubt {
        let what = quoted(what);
        Doubt::new(
            byte,
            format!("{what} would have to be executed; fix: write its value"),
        )
    }
}

/// The place of the doubt of a parameter: it is where the parameter is used.
const PARAMETER: usize = usize::MAX;

/// A name, and the function that it belongs to, by its number; 0 is the file.
type Key<'t> = (usize, &'t str);

#[derive(Clone, Debug)]
struct Variable<'t> {
    value: Result<Literal, Doubt>,
    /// The branch or loop in which it got its value; 0 for none.
    block: usize,
    /// Whether another name may be the same list, or have it in it.
    is_shared: bool,
    /// The names that may have a list in common with this one.
    related: Vec<Key<'t>>,
    /// Whether it, and all that is related to it, is not known any more.
    is_spoiled: bool,
}

/// A function, a class or the file.
#[derive(Clone, Debug)]
pub(super) struct CodeFrame<'t> {
    id: usize,
    pub(super) name: &'t str,
    is_class: bool,
    byte: usize,
}

/// What a first reading finds out for the second one.
#[derive(Debug, Default)]
pub(super) struct Facts<'t> {
    /// Names that functions they do not belong to may change.
    touched: HashMap<Key<'t>, Doubt>,
    /// Where each name was changed last.
    changed: HashMap<Key<'t>, usize>,
    /// Why a function may change any name from outside.
    everything: Option<Doubt>,
}

/// The names of a script.
#[derive(Debug)]
pub(super) struct Scope<'t> {
    frames: Vec<CodeFrame<'t>>,
    frame_count: usize,
    /// The branches and loops around the line that is read.
    pub(super) blocks: Vec<usize>,
    variables: HashMap<Key<'t>, Variable<'t>>,
    /// Those of them that are parts of an object.
    attributes: HashSet<Key<'t>>,
    /// What got another value in a branch or a loop: its number, and where.
    doubtful: Vec<(usize, Key<'t>, usize)>,
    /// How many values are kept that have no name any more.
    hidden: usize,
    known: Facts<'t>,
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
    fn frame(&self) -> &CodeFrame<'t> {
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
    fn find(&self, name: &'t str) -> Option<Key<'t>> {
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

    /// What a name was before it got another value: other names may still have its lists.
    fn hide(&mut self, key: Key<'t>, before: Option<Variable<'t>>) {
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

    /// Names with a value. What gets one later may be changed from here, which cannot be followed.
    fn keys_of(&mut self, names: &[&'t str], byte: usize) -> Vec<Key<'t>> {
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
    fn relate(&mut self, key: Key<'t>, others: Vec<Key<'t>>) {
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
    fn spoil_parts(&mut self, name: &str, doubt: &Doubt) {
        let is_part = |key: &&Key<'t>| {
            key.1
                .strip_prefix(name)
                .is_some_and(|part| part.starts_with('.'))
        };
        let parts: Vec<_> = self.attributes.iter().filter(is_part).copied().collect();
        self.spoil_keys(parts, doubt);
    }

    fn spoil_keys(&mut self, mut keys: Vec<Key<'t>>, doubt: &Doubt) {
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
