//! Names, and what is called, read or changed by them: lists that grow, constants, and the calls that play.
//! Called by `expressions`.
//! The law: a call is read if what it gives is known from its text. Any other may change the lists that it gets.

use super::literals::{Literal, LiteralValue};
use super::reader::{LISTS, PythonReader};
use super::scope::{Doubt, executed};
use super::values::{Argument, Arguments, Evaluated, last};
use crate::fault::{FileMistake, quoted};

/// Calls that leave the lists that they get as they are, and give no part of them back.
const PLAIN: [&str; 22] = [
    "print",
    "len",
    "range",
    "xrange",
    "str",
    "repr",
    "float",
    "int",
    "abs",
    "round",
    "type",
    "isinstance",
    "format",
    "join",
    "index",
    "count",
    "sleep",
    "radians",
    "degrees",
    "deg2rad",
    "setStiffnesses",
    "stiffnessInterpolation",
];

/// Calls that give a part of them back.
const GIVING: [&str; 20] = [
    "min",
    "max",
    "sum",
    "sorted",
    "zip",
    "enumerate",
    "reversed",
    "map",
    "list",
    "tuple",
    "set",
    "dict",
    "copy",
    "deepcopy",
    "array",
    "keys",
    "values",
    "items",
    "get",
    "all",
];

/// Further ones: they are sent to the robot, which gets copies.
const SENT: [&str; 8] = [
    "setAngles",
    "changeAngles",
    "getAngles",
    "angleInterpolationWithSpeed",
    "setStiffness",
    "closeHand",
    "openHand",
    "killTasksUsingResources",
];

/// Those of them that move joints, and say not when.
const TIMELESS: [&str; 3] = ["setAngles", "changeAngles", "angleInterpolationWithSpeed"];

/// Whether a call leaves lists as they are.
pub(super) fn is_pure(name: &str) -> bool {
    PLAIN.contains(&name) || GIVING.contains(&name) || SENT.contains(&name)
}

/// Calls by which code reaches any name.
const ALMIGHTY: [&str; 7] = [
    "exec", "eval", "execfile", "globals", "locals", "vars", "setattr",
];

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
        if let Some(owner) = receiver.filter(|_| !is_pure(name)) {
            self.scope.spoil_parts(owner, byte);
        }
        if let Some(list) = receiver.filter(|it| self.scope.holds(it)) {
            return self.list_call(list, name, arguments, byte);
        }
        if ALMIGHTY.contains(&name) && receiver.is_none() {
            let reads = |it: &Argument<'t>| match it.it.value.as_ref().map(|it| &it.value) {
                Ok(LiteralValue::Text(text)) => self.scope.is_named_in(text),
                _ => true,
            };
            if arguments.plain.is_empty() || arguments.plain.iter().any(reads) {
                self.scope.spoil_all(byte);
            }
        }
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
        let value = Evaluated::unknown(byte, path);
        if is_pure(name) && self.is_library(path) && !is_handed {
            return Ok(value.lost(path, given));
        }
        let is_own = self.functions.contains_key(name);
        if !is_own && LISTS.iter().all(|it| lists.contains(it)) && self.all_wait() {
            // A function that nobody knows, which plays them, perhaps not as they are.
            self.play(LISTS, byte)?;
            let sentence = format!(
                "{} gets names, times and keys, and is not executed: they are taken as they are here",
                quoted(path)
            );
            self.remark(byte, sentence);
        }
        Ok(self.given_away(value, lists, byte))
    }

    /// Keeps the first call that moves joints without times, to tell of it if there is no motion.
    fn note_timeless(&mut self, name: &'t str, byte: usize) {
        if TIMELESS.contains(&name) && !self.functions.contains_key(name) {
            self.timeless = self.timeless.or(Some((byte, name)));
        }
    }

    /// Whether a name is that of Python or of a library, and not the file's own.
    pub(super) fn is_library(&self, path: &str) -> bool {
        let first = path.split('.').next().unwrap_or(path);
        let is_own = |it: &str| self.functions.contains_key(it) || self.scope.get(it).is_some();
        !is_own(first) && !is_own(path)
    }

    /// What a function of Python gives.
    fn computed(
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
                let why = Doubt {
                    byte: other.byte,
                    sentence: "expected a list".to_owned(),
                };
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
