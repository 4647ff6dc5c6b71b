//! Names with points, and what stands behind a value: calls, items, parts. Called by `expressions`.
//! The law: whoever gets a list may change it, unless the call is known to leave it as it is.

use super::known::is_pure;
use super::literals::{Literal, blanks, skip};
use super::reader::PythonReader;
use super::scope::{Doubt, executed};
use super::values::{Argument, Arguments, Evaluated, last};
use crate::fault::FileMistake;

impl<'t> PythonReader<'t, '_> {
    /// A value, and what is called, read or taken of it.
    pub(super) fn with_trailers(&mut self, inside: bool) -> Result<Evaluated<'t>, FileMistake> {
        let mut value = self.atom()?;
        loop {
            self.space(inside);
            let byte = value.byte;
            if self.cursor.take("[") {
                value = self.deeper(|it| it.item(value))?;
            } else if self.cursor.peek() == Some('(') {
                let arguments = self.deeper(Self::arguments)?;
                value = self.given_away(value, arguments.lists(), byte);
            } else if self.cursor.peek() == Some('.') {
                self.cursor.next();
                let name = self.cursor.name().unwrap_or("");
                blanks(&mut self.cursor);
                if self.cursor.peek() != Some('(') {
                    value = value.lost(name, Vec::new());
                    continue;
                }
                let arguments = self.deeper(Self::arguments)?;
                if let Some(played) = self.plays((name, false), &arguments, byte)? {
                    value = played;
                    continue;
                }
                if let Some(given) = self.followed((name, Some("")), &arguments, byte)? {
                    value = given.lost_to(value);
                    continue;
                }
                let given = self.own_call(name, &arguments, byte);
                value = value.lost(name, given);
                if is_pure(name) {
                    value = value.lost(name, arguments.lists());
                } else {
                    value = self.given_away(value, arguments.lists(), byte);
                }
            } else {
                return Ok(value);
            }
        }
    }

    /// Whoever has these lists may change them.
    pub(super) fn given_away(
        &mut self,
        value: Evaluated<'t>,
        lists: Vec<&'t str>,
        byte: usize,
    ) -> Evaluated<'t> {
        let value = value.lost("", lists);
        for list in &value.lists {
            self.scope.doubt(list, &executed(byte, list));
        }
        value
    }

    /// `[...]` behind a value.
    fn item(&mut self, of: Evaluated<'t>) -> Result<Evaluated<'t>, FileMistake> {
        let byte = of.byte;
        let mut index = None;
        loop {
            skip(&mut self.cursor);
            if self.cursor.take("]") {
                break;
            }
            if self.cursor.take(":") || self.cursor.take(",") {
                index = Some(Err(()));
                continue;
            }
            let it = self.expression(true)?;
            skip(&mut self.cursor);
            if !matches!(self.cursor.peek(), Some(']' | ':' | ',')) {
                return Err(self.cursor.wrong("expected a comma or ]"));
            }
            let number = it.value.ok().and_then(|it| it.number().ok());
            index = Some(match (index, number) {
                (None, Some(number)) => Ok(number),
                _ => Err(()),
            });
        }
        let found = of.value.as_ref().ok().and_then(|list| {
            let items = list.items().ok()?;
            let index = index?.ok()?;
            let place = if index < 0.0 {
                items.len() as f64 + index
            } else {
                index
            };
            let is_place = place >= 0.0 && place.fract() == 0.0;
            items.get(place as usize).filter(|_| is_place).cloned()
        });
        Ok(match found {
            Some(value) => Evaluated {
                byte,
                value: Ok(value),
                lists: of.lists,
            },
            None => of.lost("[", Vec::new()),
        })
    }

    /// Arguments between brackets.
    pub(super) fn arguments(&mut self) -> Result<Arguments<'t>, FileMistake> {
        let begin = self.cursor.byte();
        let mut arguments = Arguments::default();
        self.cursor.next();
        loop {
            skip(&mut self.cursor);
            match self.cursor.peek() {
                None => {
                    let sentence = "the bracket that begins here has no end";
                    return Err(self.cursor.wrong_at(begin, sentence));
                }
                Some(')') => {
                    self.cursor.next();
                    return Ok(arguments);
                }
                _ => {}
            }
            arguments.is_spread |= self.cursor.take("**") || self.cursor.take("*");
            let name = self.keyword();
            let byte = self.cursor.byte();
            let mut it = self.expression(true)?;
            skip(&mut self.cursor);
            if self.cursor.clone().name() == Some("for") {
                it = self.passed_over(byte)?;
            }
            let path = Some(self.path_from(byte)).filter(|it| !it.is_empty());
            let argument = Argument { path, it };
            match name {
                Some((name, at)) => arguments.named.push((name, at, argument)),
                None => arguments.plain.push(argument),
            }
            skip(&mut self.cursor);
            if !self.cursor.take(",") && self.cursor.peek() != Some(')') {
                return Err(self.cursor.wrong("expected a comma or )"));
            }
        }
    }

    /// `name =` before an argument.
    fn keyword(&mut self) -> Option<(&'t str, usize)> {
        let from = self.cursor.clone();
        if let Some(name) = self.cursor.name() {
            skip(&mut self.cursor);
            if !self.cursor.rest().starts_with("==") && self.cursor.take("=") {
                skip(&mut self.cursor);
                return Some((name, from.byte()));
            }
        }
        self.cursor = from;
        None
    }

    /// The name with points between a byte and here; empty if there is anything else.
    fn path_from(&self, byte: usize) -> &'t str {
        let mut cursor = self.cursor.clone();
        let end = cursor.byte();
        cursor.go_back(byte);
        let text = cursor.rest().get(..end - byte).unwrap_or("").trim_end();
        let is_name = |it: char| it.is_alphanumeric() || it == '_' || it == '.';
        if text.chars().all(is_name) && !text.starts_with(|it: char| it.is_numeric()) {
            text
        } else {
            ""
        }
    }

    /// Why a part of an object has no value that is known in the function that is read: others may have changed it.
    fn foreign(&self, path: &str) -> Option<Doubt> {
        let (_, part) = path.rsplit_once('.')?;
        self.scope.get(path)?.value.as_ref().ok()?;
        let is_outside = self.scope.is_from_outside(path);
        let site = self.texts.changed_elsewhere(part, self.function)?;
        let is_changed = is_outside || self.texts.is_shaky(part, self.function);
        is_changed.then(|| executed(site, path))
    }

    /// A name of which the first part is read, with what is called by it.
    pub(super) fn path(&mut self, byte: usize) -> Result<Evaluated<'t>, FileMistake> {
        loop {
            let before = self.cursor.clone();
            if !self.cursor.take(".") || self.cursor.name().is_none() {
                self.cursor = before;
                break;
            }
        }
        let path = self.path_from(byte);
        let before = self.cursor.clone();
        blanks(&mut self.cursor);
        if self.cursor.peek() == Some('(') {
            return self.called(path, byte);
        }
        self.cursor = before;
        if let Some(why) = self.foreign(path) {
            let (value, lists) = (Err(why), vec![path]);
            return Ok(Evaluated { byte, value, lists });
        }
        if let Some(variable) = self.scope.read(path) {
            let mut value = variable.value.clone();
            if let Err(why) = &mut value
                && why.is_parameter
            {
                // It is told where it is used.
                why.byte = byte;
            }
            // A doubt about a list tells where the list was changed.
            let lists = if self.scope.holds(path) {
                vec![path]
            } else {
                Vec::new()
            };
            return Ok(Evaluated { byte, value, lists });
        }
        let constant = match last(path) {
            "pi" | "PI" => Some(std::f64::consts::PI),
            "TO_RAD" => Some(std::f64::consts::PI / 180.0),
            "TO_DEG" => Some(180.0 / std::f64::consts::PI),
            _ => None,
        };
        if let Some(value) = constant.filter(|_| self.is_library(path)) {
            return Ok(Evaluated {
                byte,
                value: Ok(Literal::computed(byte, value)),
                lists: Vec::new(),
            });
        }
        // A part of something that is known, which may be a list in it.
        let owner = path.rsplit_once('.').map(|it| it.0);
        let lists = owner
            .filter(|it| self.scope.holds(it))
            .into_iter()
            .collect();
        Ok(Evaluated::unknown(byte, path).lost(path, lists))
    }
}
