//! Comprehensions, and `map`: lists whose items are made of those of another list. Called by `atoms` and `calls`.
//! The law: each item is read from the text again, with the name as what it stands for; one whose list is not known, or
//! whose text calls what is not known, has a mistake at its own place.

use super::code;
use super::known::is_pure;
use super::literals::{Literal, LiteralValue, skip};
use super::reader::PythonReader;
use super::scope::BlockKind;
use super::values::{Argument, Arguments, Evaluated, last};
use crate::fault::FileMistake;

/// How many values an item costs, since its text is read again.
const ITEM_COST: usize = 30;

/// The most items of a `range`.
const RANGE_MAX: f64 = 1e6;

impl<'t> PythonReader<'t, '_> {
    /// `[ITEM for NAME in LIST if CONDITION]`, of which `ITEM` is read, and begins at `item`.
    pub(super) fn comprehension(
        &mut self,
        byte: usize,
        item: usize,
    ) -> Result<Evaluated<'t>, FileMistake> {
        let behind = self.cursor.clone();
        let mut whole = behind.clone();
        let passed = code::expression(&mut whole, byte)?;
        let is_quiet = passed.calls.iter().all(|it| self.is_quiet(it));
        let unknown = Evaluated::unknown(byte, self.text_of(byte, whole.byte()));
        if !is_quiet {
            return self.passed_over(byte);
        }
        let Some((name, over)) = self.one_loop()? else {
            return self.passed_over(byte);
        };
        let lists = passed
            .names
            .iter()
            .copied()
            .filter(|it| self.scope.holds(it));
        let lists: Vec<&'t str> = lists.chain(over.lists.iter().copied()).collect();
        let condition = self.cursor.clone();
        let mut items = Vec::new();
        let is_new = !self.scope.is_known(name);
        let all = over.value.ok();
        let mut is_known = all.as_ref().is_some_and(|it| it.items().is_ok());
        for value in all.iter().flat_map(Literal::one_or_items) {
            if !is_known {
                break;
            }
            self.spend(ITEM_COST)?;
            self.scope.enter(BlockKind::Call, byte);
            self.scope
                .take_argument(name, Ok(value.clone()), &over.lists, byte);
            self.cursor = condition.clone();
            let is_wanted = self.deeper(Self::condition_holds);
            self.cursor.go_to(item);
            let read = match &is_wanted {
                Ok(Some(true)) => Some(self.deeper(|it| it.expression(true))),
                _ => None,
            };
            self.scope.leave();
            is_known = is_wanted?.is_some();
            match read.transpose()?.map(|it| it.value) {
                Some(Ok(value)) => items.push(value),
                Some(Err(_)) => is_known = false,
                None => {}
            }
        }
        if !is_new {
            // In Python 2, the name has the last value from here on.
            self.scope
                .assign(name, Evaluated::unknown(byte, name).value, &[], byte);
        }
        self.cursor = whole;
        let value = LiteralValue::list(items);
        Ok(Evaluated {
            byte,
            value: if is_known {
                Ok(Literal { byte, value })
            } else {
                unknown.value
            },
            lists,
        })
    }

    /// Whether a call does nothing but give a value.
    fn is_quiet(&mut self, name: &str) -> bool {
        if self.texts.get(name).is_none() {
            return is_pure(name);
        }
        let effects = self.effects_of(name);
        let known = self.scope.known_parts();
        let is_list = effects.changed.iter().any(|it| self.scope.is_list(it))
            || effects.parts.iter().any(|it| known.contains_key(it));
        !effects.acts && !effects.is_almighty && !is_list
    }

    /// `for NAME in LIST`: the name and the list; none if there are several names.
    fn one_loop(&mut self) -> Result<Option<(&'t str, Evaluated<'t>)>, FileMistake> {
        skip(&mut self.cursor);
        self.cursor.name();
        skip(&mut self.cursor);
        let Some(name) = self.cursor.name() else {
            return Ok(None);
        };
        skip(&mut self.cursor);
        if self.cursor.name() != Some("in") {
            return Ok(None);
        }
        skip(&mut self.cursor);
        Ok(Some((name, self.sum(true)?)))
    }

    /// Whether the condition of a comprehension holds; none if that is not known. Without one, it does.
    fn condition_holds(&mut self) -> Result<Option<bool>, FileMistake> {
        skip(&mut self.cursor);
        if matches!(self.cursor.peek(), Some(']' | ')')) {
            return Ok(Some(true));
        }
        if self.cursor.name() != Some("if") {
            return Ok(None);
        }
        let one = self.sum(true)?.number();
        skip(&mut self.cursor);
        let signs = ["<=", ">=", "==", "!=", "<", ">"];
        let sign = signs.into_iter().find(|it| self.cursor.take(it));
        let other = match sign {
            Some(_) => self.sum(true)?.number(),
            None => None,
        };
        skip(&mut self.cursor);
        let (Some(one), Some(other), Some(']' | ')')) = (one, other, self.cursor.peek()) else {
            return Ok(None);
        };
        Ok(match sign {
            Some("<=") => Some(one <= other),
            Some(">=") => Some(one >= other),
            Some("==") => Some(one.total_cmp(&other).is_eq()),
            Some("!=") => Some(one.total_cmp(&other).is_ne()),
            Some("<") => Some(one < other),
            Some(">") => Some(one > other),
            _ => None,
        })
    }

    /// `map(FUNCTION, LIST)`; none if it is not known.
    pub(super) fn mapped(
        &mut self,
        arguments: &Arguments<'t>,
        byte: usize,
    ) -> Result<Option<Evaluated<'t>>, FileMistake> {
        let [function, list] = &arguments.plain[..] else {
            return Ok(None);
        };
        let Some(path) = function.path.filter(|_| arguments.named.is_empty()) else {
            return Ok(None);
        };
        let Ok(all) = &list.it.value else {
            return Ok(None);
        };
        let mut items = Vec::new();
        for item in all.items().unwrap_or(&[]) {
            self.spend(1)?;
            let one = Argument {
                path: None,
                it: Evaluated {
                    byte,
                    value: Ok(item.clone()),
                    lists: list.it.lists.clone(),
                },
            };
            let one = Arguments {
                plain: vec![one],
                ..Arguments::default()
            };
            let value = if self.is_library(path) {
                self.computed(last(path), one, byte)
            } else {
                let receiver = path.rsplit_once('.').map(|it| it.0);
                let given = self.followed((path, receiver), &one, byte)?;
                given.and_then(|it| it.value.ok())
            };
            match value {
                Some(value) => items.push(value),
                None => return Ok(None),
            }
        }
        let value = Ok(Literal {
            byte,
            value: LiteralValue::list(items),
        });
        let lists = list.it.lists.clone();
        Ok(Some(Evaluated { byte, value, lists }))
    }

    /// The numbers of `range`.
    pub(super) fn range(&mut self, arguments: &Arguments<'t>, byte: usize) -> Option<Literal> {
        let numbers = arguments.plain.iter().map(|it| it.it.number());
        let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
        let (from, to, step) = match numbers[..] {
            [to] => (0.0, to, 1.0),
            [from, to] => (from, to, 1.0),
            [from, to, step] => (from, to, step),
            _ => return None,
        };
        let are_whole = [from, to, step].iter().all(|it| it.fract() == 0.0);
        let count = ((to - from) / step).ceil().max(0.0);
        let fits = count <= RANGE_MAX;
        if !are_whole || !fits || self.spend(count as usize).is_err() {
            return None;
        }
        let item = |number: u32| Literal {
            byte,
            value: LiteralValue::Number(format!("{}", from + f64::from(number) * step).into()),
        };
        Some(Literal {
            byte,
            value: LiteralValue::list((0..count as u32).map(item)),
        })
    }

    /// The text between two bytes, as far as a message needs it.
    fn text_of(&self, from: usize, to: usize) -> &'t str {
        let text = self.text_between(from, to);
        text.lines().next().unwrap_or("").trim_end()
    }
}
