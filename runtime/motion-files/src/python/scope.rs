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
}

/// The names of a script.
#[derive(Debug)]
pub(super) struct Scope<'t> {
    frames: Vec<CodeFrame<'t>>,
    frame_count: usize,
    /// The branches and loops around the line that is read.
    pub(super) blocks: Vec<usize>,
    variables: HashMap<Key<'t>, Variable<'t>>,
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
            self.variables.contains_key(&key).then_some(key)
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
        let value = self.variables[&key].value.clone();
        value.map_err(|doubt| match doubt.byte {
            PARAMETER => unknown(),
            _ => doubt,
        })
    }

    /// Whether a name may be a list: what else it is, nobody can change.
    pub(super) fn may_be_list(&self, name: &'t str) -> bool {
        let variable = self.find(name).and_then(|key| self.variables.get(&key));
        match variable.map(|variable| &variable.value) {
            Some(Ok(literal)) => matches!(literal.value, LiteralValue::List(_)),
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
        if let Some((owner, _)) = name.rsplit_once('.') {
            // The same part of an object with another name.
            let is_shared = |variable: &Variable<'_>| variable.is_shared;
            let variable = self.find(owner).and_then(|key| self.variables.get(&key));
            if variable.is_some_and(is_shared) {
                self.spoil(owner, &Doubt::executed(byte, name));
            }
        }
        let key = (self.frame().id, name);
        let block = self.blocks.last().copied().unwrap_or(0);
        let before = self.variables.get(&key);
        let is_again = before.is_some_and(|before| block != 0 && before.block != block);
        let value = match is_again {
            // It may have got another value, or none, here.
            true => Err(Doubt::executed(byte, name)),
            false => value,
        };
        self.found.changed.insert(key, byte);
        let variable = Variable {
            value,
            block,
            is_shared: !names.is_empty(),
            related: Vec::new(),
        };
        let related = self.keys_of(names, byte);
        self.variables.insert(key, variable);
        self.relate(key, related);
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
        let Some(key) = self.find(name) else {
            for frame in &self.frames {
                self.found
                    .touched
                    .entry((frame.id, name))
                    .or_insert_with(|| doubt.clone());
            }
            return;
        };
        let frame = self.frame().id;
        let mut keys = vec![key];
        let mut seen = HashSet::from([key]);
        while let Some(key) = keys.pop() {
            let is_part = |other: &&Key<'t>| {
                let part = other.1.strip_prefix(key.1);
                other.0 == key.0 && part.is_some_and(|part| part.starts_with('.'))
            };
            let parts = self.variables.keys().filter(is_part);
            let related = self
                .variables
                .get(&key)
                .map_or(&[][..], |variable| &variable.related);
            keys.extend(
                parts
                    .chain(related)
                    .copied()
                    .filter(|key| seen.insert(*key)),
            );
            self.spoil_key(key, frame, doubt);
        }
    }

    /// Nothing is known any more.
    pub(super) fn spoil_all(&mut self, doubt: &Doubt) {
        let frame = self.frame().id;
        let keys: Vec<_> = self.variables.keys().copied().collect();
        for key in keys {
            self.spoil_key(key, frame, doubt);
        }
    }

    fn spoil_key(&mut self, key: Key<'t>, frame: usize, doubt: &Doubt) {
        self.found.changed.insert(key, doubt.byte);
        if key.0 != frame {
            self.found
                .touched
                .entry(key)
                .or_insert_with(|| doubt.clone());
        }
        if let Some(variable) = self
            .variables
            .get_mut(&key)
            .filter(|variable| variable.value.is_ok())
        {
            variable.value = Err(doubt.clone());
        }
    }
}
