//! The functions of a file, as their texts have them: found before the file is read, since a function may be called
//! above the place where it stands. Filled by `finder`.
//! The law: what a function may change is what its text names, unless it is known to leave it as it is: a part of an
//! object (`self.keys`) is known by its last name, whatever the object is called.

use std::collections::{HashMap, HashSet};

/// The most functions that are looked at to know what a call may change; what calls more may change all.
const CALLED_MAX: usize = 300;

/// A function, or all functions of one name.
#[derive(Default)]
pub(super) struct FunctionText<'t> {
    pub(super) name: &'t str,
    /// The function that it is in, or nothing.
    pub(super) outer: &'t str,
    /// Where it begins, and how many there are of its name.
    pub(super) from: usize,
    pub(super) count: usize,
    /// How many bytes it has.
    pub(super) size: usize,
    /// The parts of objects that it may change.
    pub(super) parts: HashSet<&'t str>,
    /// All names in it, and what it calls.
    pub(super) names: HashSet<&'t str>,
    pub(super) calls: HashSet<&'t str>,
    /// The names whose lists it may change, its own names, and those of the file that it gives other values.
    pub(super) changed: HashSet<&'t str>,
    pub(super) locals: HashSet<&'t str>,
    pub(super) globals: HashSet<&'t str>,
    /// Whether it may change any name, and whether it gives something back.
    pub(super) is_almighty: bool,
    pub(super) gives: bool,
    /// Whether it plays, or adds to lists.
    pub(super) does: bool,
    /// Whether it gives back many times, or is called by what stands above it.
    pub(super) is_strange: bool,
    /// Whether its name stands without a call: whoever has it may call it at any time.
    pub(super) is_handed: bool,
}

/// What a call may do.
#[derive(Default)]
pub(super) struct CallEffects<'t> {
    pub(super) parts: HashSet<&'t str>,
    /// Names of lists, and names that get other values.
    pub(super) changed: HashSet<&'t str>,
    pub(super) globals: HashSet<&'t str>,
    pub(super) is_almighty: bool,
    /// Whether it plays, or changes parts of objects or lists.
    pub(super) does: bool,
    /// The same, but for lists.
    pub(super) acts: bool,
    /// The names that what it gives back may be, or hold.
    pub(super) given: HashSet<&'t str>,
}

/// All functions of a file.
#[derive(Default)]
pub(super) struct FileFunctions<'t> {
    pub(super) by_name: HashMap<&'t str, FunctionText<'t>>,
    /// By a part of objects: the functions that may change it, and where; an empty name is the file itself.
    pub(super) sites: HashMap<&'t str, HashMap<&'t str, usize>>,
    /// By a function: those that call it.
    pub(super) callers: HashMap<&'t str, HashSet<&'t str>>,
}

impl<'t> FileFunctions<'t> {
    pub(super) fn get(&self, name: &str) -> Option<&FunctionText<'t>> {
        self.by_name.get(name)
    }

    /// What a call of a function may change, with all that it calls in turn.
    pub(super) fn effects(&self, name: &str) -> CallEffects<'t> {
        let mut effects = CallEffects::default();
        let Some((name, _)) = self.by_name.get_key_value(name) else {
            return effects;
        };
        let mut all = vec![*name];
        let mut seen: HashSet<_> = all.iter().copied().collect();
        while let Some(name) = all.pop() {
            let Some(function) = self.by_name.get(name) else {
                continue;
            };
            effects.is_almighty |= function.is_almighty || seen.len() > CALLED_MAX;
            if effects.is_almighty {
                return effects;
            }
            effects.parts.extend(&function.parts);
            effects.changed.extend(&function.changed);
            effects.globals.extend(&function.globals);
            effects.acts |= function.does || !effects.globals.is_empty();
            let is_idle = [&effects.parts, &effects.changed, &effects.globals]
                .iter()
                .all(|it| it.is_empty());
            effects.does |= function.does || !is_idle;
            if function.gives {
                effects.given.extend(&function.names);
            }
            let next = function.calls.iter().copied();
            all.extend(next.filter(|it| self.by_name.contains_key(it) && seen.insert(it)));
        }
        effects
    }

    /// Where a part of an object may be changed by others than this function, what makes its object, and what only they
    /// call.
    pub(super) fn changed_elsewhere(&self, part: &str, function: &str) -> Option<usize> {
        let sites = self.sites.get(part)?;
        let is_other = |it: &&str| !self.is_within(it, function, &mut HashSet::new());
        let mut others = sites.iter().filter(|(name, _)| is_other(name));
        others.next().map(|it| *it.1)
    }

    /// Whether a function is this one, what makes an object, or called by these alone.
    fn is_within(&self, name: &'t str, function: &str, seen: &mut HashSet<&'t str>) -> bool {
        if name == function || name == "__init__" {
            return true;
        }
        let is_handed = self.by_name.get(name).is_none_or(|it| it.is_handed);
        let Some(callers) = self.callers.get(name).filter(|_| !is_handed) else {
            return false;
        };
        let is_new = seen.len() < 50 && seen.insert(name);
        is_new && callers.iter().all(|it| self.is_within(it, function, seen))
    }

    /// Whether a function may be called by what the file does not show.
    pub(super) fn is_handed(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|it| it.is_handed)
    }

    /// Whether a part may be changed at any time, by what others than this function have in their hands.
    pub(super) fn is_shaky(&self, part: &str, function: &str) -> bool {
        self.sites.get(part).is_some_and(|sites| {
            let mut others = sites.keys().filter(|it| **it != function);
            others.any(|it| self.by_name.get(it).is_some_and(|it| it.is_handed))
        })
    }
}
