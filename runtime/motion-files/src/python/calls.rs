//! Names, and what is called, read or changed by them: lists that grow, constants, and the calls that play.
//! Called by `expressions`.
//! The law: a call is read if what it gives is known from its text. Any other may change the lists that it gets.

use std::rc::Rc;

use super::functions::CallEffects;
use super::known::{GIVING, SENT, TIMELESS, is_almighty, is_pure};
use super::literals::{Literal, LiteralValue};
use super::reader::{LISTS, PythonReader};
use super::scope::{Doubt, executed};
use super::values::{Argument, Arguments, Evaluated, last};
use crate::fault::{FileMistake, quoted};

/// The most names that one call is compared with.
const NAMES_MAX: usize = 1_000;

impl<'t> PythonReader<'t, '_> {
    /// A call by a name.
    pub(super) fn called(
        &mut self,
        path: &'t str,
        byte: usize,
    ) -> Result<Evaluated<'t>, FileMistake> {
        let name = last(path);
        let arguments = self.deeper(Self::arguments)?;
        let receiver = path.rsplit_once('.').map(|it| it.0);
        let is_bare = receiver.is_none_or(|it| it == "self");
        if let Some(played) = self.plays((name, is_bare), &arguments, byte)? {
            return Ok(played);
        }
        self.note_timeless(name, byte);
        if receiver.is_none_or(|it| it == "self" || !self.scope.holds(it))
            && let Some(given) = self.followed((path, receiver), &arguments, byte)?
        {
            return Ok(given);
        }
        let given_by_own = self.own_call(name, &arguments, byte);
        if let Some(owner) = receiver.filter(|_| !is_pure(name)) {
            self.scope.spoil_parts(owner, byte);
        }
        if let Some(list) = receiver.filter(|it| self.scope.holds(it)) {
            return self.list_call(list, name, arguments, byte);
        }
        if is_almighty(name) && receiver.is_none() {
            self.may_do_all(&arguments, byte);
        }
        self.plain_call((path, name), arguments, given_by_own, byte)
    }

    /// Code that reaches any name, unless its text names none.
    fn may_do_all(&mut self, arguments: &Arguments<'t>, byte: usize) {
        let reads = |it: &Argument<'t>| match it.it.value.as_ref().map(|it| &it.value) {
            Ok(LiteralValue::Text(text)) => self.scope.is_named_in(text),
            _ => true,
        };
        if arguments.plain.is_empty() || arguments.plain.iter().any(reads) {
            self.scope.spoil_all(byte);
        }
    }

    /// A call that plays nothing, and is not one of a list.
    fn plain_call(
        &mut self,
        (path, name): (&'t str, &'t str),
        arguments: Arguments<'t>,
        given_by_own: Vec<&'t str>,
        byte: usize,
    ) -> Result<Evaluated<'t>, FileMistake> {
        let lists = arguments.lists();
        // A function that a builtin calls may do anything.
        let is_own = |it: &Argument<'t>| match it.path {
            Some(path) => self.scope.get(path).is_none() && !is_pure(path),
            None => false,
        };
        let is_handed = GIVING.contains(&name)
            && (arguments.plain.iter().any(is_own) || !arguments.named.is_empty());
        let given = if GIVING.contains(&name) {
            lists.clone()
        } else {
            Vec::new()
        };
        if name == "map"
            && self.is_library(path)
            && let Some(mapped) = self.mapped(&arguments, byte)?
        {
            return Ok(mapped);
        }
        let why = arguments
            .plain
            .first()
            .and_then(|it| it.it.value.as_ref().err().cloned());
        if self.is_library(path)
            && let Some(value) = self.computed(name, arguments, byte)
        {
            let value = Ok(value);
            return Ok(Evaluated {
                byte,
                value,
                lists: given,
            });
        }
        let does_something = !is_pure(name) || SENT.contains(&name);
        self.has_called = name != "print" && (self.has_called || does_something);
        let mut value = Evaluated::unknown(byte, path).lost(path, given_by_own);
        if let Some(why) = why.filter(|_| is_pure(name) && self.is_library(path)) {
            // What is not known of its argument tells why.
            value.value = Err(why);
        }
        if is_pure(name) && self.is_library(path) && !is_handed {
            return Ok(value.lost(path, given));
        }
        let is_own = self.functions.contains(name) || self.texts.get(name).is_some();
        if !is_own && LISTS.iter().all(|it| lists.contains(it)) && self.all_wait() {
            // A function that nobody knows, which plays them, perhaps not as they are.
            self.play(LISTS, byte)?;
            let sentence = format!(
                "{} gets names, times and keys, and is not executed: they are taken as they are here",
                quoted(path)
            );
            self.remark(byte, sentence);
        }
        for list in &lists {
            self.scope.doubt(list, &executed(byte, list));
        }
        Ok(value.lost("", lists))
    }

    /// What a call of a function of the file may do.
    pub(super) fn effects_of(&mut self, name: &str) -> Rc<CallEffects<'t>> {
        if let Some(known) = self.effects.get(name) {
            return Rc::clone(known);
        }
        let effects = Rc::new(self.texts.effects(name));
        self.effects.insert(name.to_owned(), Rc::clone(&effects));
        effects
    }

    /// What a call of a function of the file may change is not known any more. The lists come back that it may give.
    pub(super) fn own_call(
        &mut self,
        name: &str,
        arguments: &Arguments<'t>,
        byte: usize,
    ) -> Vec<&'t str> {
        if self.texts.get(name).is_none() {
            let named = arguments.named.iter().map(|it| &it.2);
            let all = arguments.plain.iter().chain(named);
            // Whoever has an object may change its parts.
            for owner in all.filter_map(|it| it.path).filter(|_| !is_pure(name)) {
                self.scope.spoil_owned(owner, byte);
            }
            return Vec::new();
        }
        let effects = self.effects_of(name);
        let is_large = effects.parts.len().min(self.scope.known_parts().len()) > NAMES_MAX;
        let sets = [&effects.given, &effects.changed, &effects.globals];
        if effects.is_almighty || is_large || sets.iter().any(|it| it.len() > NAMES_MAX) {
            self.scope.spoil_all(byte);
            return Vec::new();
        }
        let known = self.scope.known_parts();
        let parts: Vec<_> = if known.len() < effects.parts.len() {
            let known = known.keys().copied();
            known.filter(|it| effects.parts.contains(it)).collect()
        } else {
            effects.parts.iter().copied().collect()
        };
        for part in parts {
            self.scope.spoil_part(part, None, byte);
        }
        if !effects.changed.is_empty() || !effects.globals.is_empty() {
            self.change_outside(name, &effects, byte);
        }
        let given = effects.given.iter().copied();
        given.filter(|it| self.scope.is_list(it)).collect()
    }

    /// What a function may change that stands outside of it is not known any more.
    fn change_outside(&mut self, name: &str, effects: &CallEffects<'t>, byte: usize) {
        let is_outer = self.texts.get(name).is_none_or(|it| it.outer.is_empty());
        // It does not see the names of its caller.
        let hidden = is_outer.then(|| self.scope.hide());
        for list in &effects.changed {
            self.scope.doubt(list, &executed(byte, list));
        }
        for name in &effects.globals {
            if self.scope.is_known(name) {
                self.scope.spoil(name, byte);
            }
        }
        self.scope.show(hidden.unwrap_or_default());
    }

    /// Keeps the first call that moves joints without times, to tell of it if there is no motion.
    fn note_timeless(&mut self, name: &'t str, byte: usize) {
        if TIMELESS.contains(&name) && !self.functions.contains(name) {
            self.timeless = self.timeless.or(Some((byte, name)));
        }
    }

    /// Whether a name is that of Python or of a library, and not the file's own.
    pub(super) fn is_library(&self, path: &str) -> bool {
        let first = path.split('.').next().unwrap_or(path);
        let is_own = |it: &str| {
            self.functions.contains(it)
                || self.texts.get(it).is_some()
                || self.scope.get(it).is_some()
        };
        !is_own(first) && !is_own(path)
    }

    /// What a function of Python gives.
    pub(super) fn computed(
        &mut self,
        name: &str,
        mut arguments: Arguments<'t>,
        byte: usize,
    ) -> Option<Literal> {
        let number = arguments.number();
        let computed = |value| Some(Literal::computed(byte, value));
        let first = |it: &mut Arguments<'t>| match it.plain.len() {
            1 => it.plain.remove(0).it.value.ok(),
            _ => None,
        };
        match name {
            "list" | "tuple" if arguments.plain.is_empty() => Some(Literal {
                byte,
                value: LiteralValue::list([]),
            }),
            "list" | "tuple" | "copy" | "deepcopy" | "array" => {
                first(&mut arguments).filter(|it| it.items().is_ok())
            }
            "range" | "xrange" => self.range(&arguments, byte),
            "float" => first(&mut arguments).filter(|it| it.number().is_ok()),
            "len" => match first(&mut arguments)?.value {
                LiteralValue::List(items) => Some(Literal {
                    byte,
                    value: LiteralValue::Number(items.len().to_string().into()),
                }),
                _ => None,
            },
            "abs" => computed(number?.abs()),
            "radians" | "deg2rad" => computed(number?.to_radians()),
            "degrees" | "rad2deg" => computed(number?.to_degrees()),
            _ => None,
        }
    }

    /// A call of a list's own.
    fn list_call(
        &mut self,
        list: &'t str,
        name: &str,
        mut arguments: Arguments<'t>,
        byte: usize,
    ) -> Result<Evaluated<'t>, FileMistake> {
        let none = Evaluated::unknown(byte, name);
        let lists = arguments.lists();
        if is_pure(name) {
            return Ok(none.lost(name, vec![list]));
        }
        let (true, 1) = (matches!(name, "append" | "extend"), arguments.plain.len()) else {
            self.scope.doubt(list, &executed(byte, list));
            return Ok(self.given_away(none, lists, byte));
        };
        let argument = arguments.plain.remove(0).it;
        for within in &lists {
            self.scope.contain(within, list);
        }
        match (name, argument.value) {
            ("append", Ok(value)) => {
                if let Some(items) = self.scope.change(list, byte) {
                    items.push(value);
                }
            }
            (
                "extend",
                Ok(Literal {
                    value: LiteralValue::List(more),
                    ..
                }),
            ) => {
                if let Some(items) = self.scope.change(list, byte) {
                    items.extend(more.iter().cloned());
                }
            }
            (_, Ok(other)) => {
                let why = Doubt::new(other.byte, "expected a list");
                self.scope.doubt(list, &why);
            }
            (_, Err(why)) => {
                let _ = self.scope.change(list, byte);
                self.scope.doubt(list, &why);
            }
        }
        Ok(none)
    }
}
