//! Calls of functions of the file, read as if the function's text stood at the call, with the arguments as its
//! parameters. Called by `calls` and `trailers`.
//! The law: a call is followed only if it is known which function it calls, and what each parameter is. What a function
//! does to a list that it is given happens to the list of the caller; whoever else may have the list is not known.

use super::code;
use super::functions::FunctionText;
use super::hidden::HiddenNames;
use super::literals::{blanks, skip};
use super::reader::PythonReader;
use super::scope::{BlockKind, executed};
use super::values::{Arguments, Evaluated, FollowedCall, last};
use crate::fault::FileMistake;
use crate::text::cursor::Cursor;

/// How deep calls may be followed in each other.
const FOLLOWED_MAX: usize = 8;

/// A parameter of a function, and what it is at a call.
struct Parameter<'t> {
    name: &'t str,
    value: Option<Evaluated<'t>>,
    /// Whether it is a list of the caller's own as a whole, and whether it is what it is without an argument.
    is_whole: bool,
    is_default: bool,
}

impl<'t> PythonReader<'t, '_> {
    /// What a call gives whose function is followed; none if that cannot be.
    pub(super) fn followed(
        &mut self,
        (path, receiver): (&'t str, Option<&str>),
        arguments: &Arguments<'t>,
        byte: usize,
    ) -> Result<Option<Evaluated<'t>>, FileMistake> {
        let name = last(path);
        if self.texts.get(name).is_none() {
            return Ok(None);
        }
        let does = self.effects_of(name).does;
        let Some(text) = self.texts.get(name).filter(|it| does || it.gives) else {
            return Ok(None);
        };
        if !self.is_followable(name, text) {
            let (name, is_deep) = (text.name, self.calls.len() >= FOLLOWED_MAX);
            self.unfollowed.extend(is_deep.then_some(name));
            return Ok(None);
        }
        let (from, size, outer) = (text.from, text.size, text.outer);
        if !outer.is_empty() && outer != self.inner_function() {
            return Ok(None);
        }
        let before = self.cursor.clone();
        let header = self.parameters_at(from);
        let body = std::mem::replace(&mut self.cursor, before);
        let Some((mut parameters, is_method)) = header? else {
            self.unfollowed.insert(name);
            return Ok(None);
        };
        // The parts of `self` are those of this object alone.
        let is_known = match receiver {
            None => !is_method,
            Some("self") => is_method,
            Some(_) => is_method && !self.scope.owns("self"),
        };
        if !is_known || !bind(&mut parameters, arguments) {
            self.unfollowed.insert(name);
            return Ok(None);
        }
        self.follow_budget = self.follow_budget.checked_sub(size).ok_or_else(|| {
            let sentence =
                "functions are called too often to be followed; fix: write lists instead";
            self.cursor.wrong_at(byte, sentence)
        })?;
        let hidden = match outer {
            "" => self.scope.hide(),
            _ => HiddenNames::default(),
        };
        let function = (name, from, body);
        let value = self.body_of_call(function, &parameters, hidden, byte);
        if value.is_err() {
            // Nobody knows how far it came.
            self.unfollowed.insert(name);
            self.own_call(name, arguments, byte);
        }
        value.map(Some)
    }

    /// Reads the body of a function whose parameters are known.
    fn body_of_call(
        &mut self,
        (name, from, body): (&'t str, usize, Cursor<'t>),
        parameters: &[Parameter<'t>],
        hidden: HiddenNames<'t>,
        byte: usize,
    ) -> Result<Evaluated<'t>, FileMistake> {
        let (function, calls, blocks) = (self.function, self.calls.len(), self.scope.blocks.len());
        self.scope.enter(BlockKind::Call, byte);
        for parameter in parameters {
            let unknown = || Evaluated::unknown(byte, parameter.name);
            let value = parameter.value.clone().unwrap_or_else(unknown).value;
            self.scope.take_argument(parameter.name, value, &[], byte);
        }
        self.followed_names.insert(name);
        let has_called = self.has_called;
        self.calls.push(FollowedCall {
            name,
            blocks: self.blocks + 1,
            ..FollowedCall::default()
        });
        let (remarks, plays, changed) = (self.remarks.len(), self.plays, self.scope.touched.len());
        let before = std::mem::replace(&mut self.cursor, body);
        let done = self.body(from);
        self.is_over = false;
        self.cursor = before;
        self.remarks.truncate(remarks);
        self.has_called = has_called;
        self.function = function;
        self.calls.truncate(calls + 1);
        let call = self.calls.pop().unwrap_or_default();
        if let Err(mistake) = done {
            while self.scope.blocks.len() > blocks {
                self.scope.leave();
            }
            self.scope.show(hidden);
            return Err(mistake);
        }
        let has_played = self.plays > plays;
        Ok(self.after_call((call, byte), parameters, hidden, (changed, has_played)))
    }

    fn is_followable(&self, name: &str, text: &FunctionText<'t>) -> bool {
        let is_running = self.calls.iter().any(|it| it.name == name) || self.function == name;
        let is_one = text.count == 1 && !text.is_strange && !self.scope.is_known(name);
        let is_short = self.calls.len() < FOLLOWED_MAX && !self.unfollowed.contains(name);
        is_one && !is_running && is_short
    }

    /// The function whose lines are read.
    fn inner_function(&self) -> &str {
        self.calls.last().map_or(self.function, |it| it.name)
    }

    /// The parameters of the function that begins at a byte, and whether it is one of an object; the cursor is then
    /// behind its colon. None if it takes any arguments.
    fn parameters_at(
        &mut self,
        from: usize,
    ) -> Result<Option<(Vec<Parameter<'t>>, bool)>, FileMistake> {
        self.cursor.go_to(from);
        self.cursor.name();
        blanks(&mut self.cursor);
        self.cursor.name();
        blanks(&mut self.cursor);
        let mut all: Vec<Parameter<'t>> = Vec::new();
        if !self.cursor.take("(") {
            return Ok(None);
        }
        loop {
            skip(&mut self.cursor);
            if self.cursor.take(")") {
                break;
            }
            let Some(name) = self.cursor.name() else {
                return Ok(None);
            };
            skip(&mut self.cursor);
            let mut value = None;
            if self.cursor.take("=") {
                skip(&mut self.cursor);
                let begin = self.cursor.byte();
                let is_plain = |it: &&str| matches!(*it, "True" | "False" | "None");
                let passed = code::expression(&mut self.cursor.clone(), begin)?;
                let read = self.expression(true)?;
                // A name may have had another value when the function was made.
                value = Some(if passed.names.iter().all(is_plain) {
                    read
                } else {
                    Evaluated::unknown(begin, name)
                });
                skip(&mut self.cursor);
            }
            all.push(Parameter {
                name,
                value,
                is_whole: false,
                is_default: true,
            });
            let _ = self.cursor.take(",") || self.cursor.peek() == Some(')');
        }
        blanks(&mut self.cursor);
        if !self.cursor.take(":") {
            return Ok(None);
        }
        let is_method = all
            .first()
            .is_some_and(|it| matches!(it.name, "self" | "cls"));
        if is_method {
            all.remove(0);
        }
        Ok(Some((all, is_method)))
    }

    /// What a call has done to the lists of its caller, and what it gives.
    fn after_call(
        &mut self,
        (call, byte): (FollowedCall<'t>, usize),
        parameters: &[Parameter<'t>],
        hidden: HiddenNames<'t>,
        (changed, has_played): (usize, bool),
    ) -> Evaluated<'t> {
        let value = call
            .given
            .unwrap_or_else(|| Evaluated::unknown(byte, call.name));
        let locals = self.scope.locals();
        let is_outer = |it: &&str| !locals.contains(it);
        let reached = self.scope.reached(&value.lists);
        let touched = self
            .scope
            .touched
            .split_off(changed.min(self.scope.touched.len()));
        let ends: Vec<_> = parameters
            .iter()
            .map(|it| (self.scope.argument(it.name), self.scope.reached(&[it.name])))
            .collect();
        self.scope.leave();
        self.scope.show(hidden);
        let mut lists: Vec<&'t str> = reached.iter().copied().filter(is_outer).collect();
        let mut seen = Vec::new();
        for (parameter, (end, holders)) in parameters.iter().zip(ends) {
            let own = parameter.value.as_ref().map_or(&[][..], |it| &it.lists);
            if reached.contains(&parameter.name) {
                lists.extend(own);
            }
            for list in own {
                for holder in holders.iter().filter(|it| is_outer(it)) {
                    self.scope.contain(list, holder);
                    self.scope.contain(holder, list);
                }
                if has_played {
                    self.scope.play(list);
                }
            }
            if !touched.contains(&parameter.name) {
                continue;
            }
            if parameter.is_default {
                // The next call without this argument would get what this one has left.
                self.unfollowed.insert(call.name);
            }
            match (own, end) {
                ([list], Some(items)) if parameter.is_whole && !seen.contains(list) => {
                    if let Some(all) = self.scope.change(list, byte) {
                        *all = items;
                    }
                }
                (all, _) => {
                    for list in all {
                        self.scope.doubt(list, &executed(byte, list));
                    }
                }
            }
            seen.extend(own.iter().copied());
        }
        let value = match call.is_doubtful {
            true => Evaluated::unknown(byte, call.name).value,
            false => value.value,
        };
        Evaluated { byte, value, lists }
    }

    /// `return` of a function that is followed: what it gives.
    pub(super) fn gives(&mut self, given: Option<Evaluated<'t>>) {
        let blocks = self.blocks;
        if let Some(call) = self.calls.last_mut() {
            let is_certain = blocks == call.blocks && call.given.is_none();
            call.is_doubtful |= !is_certain;
            let lists = call.given.take().map(|it| it.lists).unwrap_or_default();
            call.given = given.map(|it| Evaluated {
                lists: it.lists.into_iter().chain(lists).collect(),
                ..it
            });
        }
    }
}

/// Gives parameters their arguments; false if they do not fit.
fn bind<'t>(parameters: &mut [Parameter<'t>], arguments: &Arguments<'t>) -> bool {
    if arguments.is_spread || arguments.plain.len() > parameters.len() {
        return false;
    }
    let plain = arguments.plain.len();
    for (place, parameter) in parameters.iter_mut().enumerate() {
        let mut named = arguments.named.iter();
        let argument = match arguments.plain.get(place) {
            Some(argument) => argument,
            None => match named.find(|it| it.0 == parameter.name) {
                Some((_, _, argument)) => argument,
                None => continue,
            },
        };
        parameter.value = Some(argument.it.clone());
        parameter.is_whole = argument.path.is_some();
        parameter.is_default = false;
    }
    let is_later = |name: &str| parameters.iter().skip(plain).any(|it| it.name == name);
    let are_known = arguments.named.iter().all(|it| is_later(it.0));
    are_known && parameters.iter().all(|it| it.value.is_some())
}
