//! Lines that give names their values. Called by `statements`.
//! The law: a name has the value that its line gives it, or none that is known; a part of a list that gets a value
//! makes the whole list doubtful.

use super::literals::{Literal, LiteralValue, blanks};
use super::reader::{LISTS, PythonReader};
use super::scope::{Doubt, executed};
use super::values::Evaluated;
use crate::fault::{FileMistake, quoted};

impl<'t> PythonReader<'t, '_> {
    /// Reads targets, their value and the end of the line; false if it is something else.
    pub(super) fn assignment(&mut self, from: usize) -> Result<bool, FileMistake> {
        let mut targets = vec![self.tuple()?];
        let added = ["+=", "-=", "*=", "/="]
            .into_iter()
            .find(|it| self.cursor.take(it));
        if let Some(sign) = added {
            blanks(&mut self.cursor);
            let value = self.tuple()?;
            self.add(from, sign, &targets[0], value);
            return Ok(self.has_ended());
        }
        if self.cursor.peek() == Some(':') {
            // The type of a name.
            self.cursor.next();
            self.tuple()?;
        }
        while !self.cursor.rest().starts_with("==") && self.cursor.take("=") {
            blanks(&mut self.cursor);
            targets.push(self.tuple()?);
        }
        if !self.has_ended() {
            return Ok(false);
        }
        let Some((value, targets)) = targets.split_last() else {
            return Ok(false);
        };
        for target in targets {
            if !self.give(from, target, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Expressions with commas between them, and the byte where each of them ends.
    pub(super) fn tuple(&mut self) -> Result<Vec<(usize, Evaluated<'t>)>, FileMistake> {
        let mut all = Vec::new();
        loop {
            blanks(&mut self.cursor);
            if !all.is_empty()
                && matches!(
                    self.cursor.peek(),
                    None | Some('\n' | '\r' | '#' | ';' | '=')
                )
            {
                return Ok(all);
            }
            let it = self.expression(false)?;
            all.push((self.cursor.byte(), it));
            blanks(&mut self.cursor);
            if !self.cursor.take(",") {
                return Ok(all);
            }
        }
    }

    /// Gives a value to a target, or several to several; false if that is not a name.
    fn give(
        &mut self,
        from: usize,
        target: &[(usize, Evaluated<'t>)],
        values: &[(usize, Evaluated<'t>)],
    ) -> Result<bool, FileMistake> {
        let parts: Vec<Evaluated<'t>> = match (target, values) {
            ([_], [one]) => vec![one.1.clone()],
            ([_], all) => vec![tuple_of(all)],
            (targets, all) if targets.len() == all.len() => {
                all.iter().map(|it| it.1.clone()).collect()
            }
            (targets, all) => unpacked(targets.len(), &all[0].1),
        };
        for ((end, target), value) in target.iter().zip(parts) {
            let Some(name) = self.name_between(target.byte, *end) else {
                // An item of a list, or a part of something.
                for list in target.lists.iter().chain(&value.lists) {
                    self.scope.doubt(list, &executed(from, list));
                }
                if target.lists.is_empty()
                    && !self.text_between(target.byte, *end).contains(['[', '.'])
                {
                    return Ok(false);
                }
                continue;
            };
            let is_made = value.lists.iter().any(|it| LISTS.contains(it));
            let is_new = value.value.is_ok() && !is_made;
            if LISTS.contains(&name) && is_new && self.scope.begins_again(name) {
                let sentence = format!(
                    "the list {} begins again, and nothing has played it; fix: one motion in a function, or in a file",
                    quoted(name)
                );
                self.plays += 1;
                return Err(self.cursor.wrong_at(from, sentence));
            }
            self.scope.assign(name, value.value, &value.lists, from);
            self.scope.spoil_parts(name, from);
            // It is no function of the file, or of a library, any more.
            self.functions.remove(name);
        }
        Ok(true)
    }

    /// `+=` and its like.
    fn add(
        &mut self,
        from: usize,
        sign: &str,
        target: &[(usize, Evaluated<'t>)],
        mut value: Vec<(usize, Evaluated<'t>)>,
    ) {
        let Some((end, one)) = target.first() else {
            return;
        };
        let name = self.name_between(one.byte, *end);
        let value = match value.len() {
            1 => value.remove(0).1,
            _ => tuple_of(&value),
        };
        let Some(name) = name else {
            for list in &one.lists {
                self.scope.doubt(list, &executed(from, list));
            }
            return;
        };
        let more = match value.value.map(|it| (it.byte, it.value)) {
            Ok((_, LiteralValue::List(more))) if sign == "+=" => Ok(more),
            Ok(_) => Err(executed(from, name)),
            Err(why) => Err(why),
        };
        if !self.scope.holds(name) {
            // A count, or something that nothing is known of.
            let unknown = match self.scope.get(name) {
                Some(_) => Evaluated::unknown(from, name).value,
                None => {
                    let sentence = format!("there is no list {} yet", quoted(name));
                    Err(Doubt::new(from, sentence))
                }
            };
            self.scope.assign(name, unknown, &[], from);
            return;
        }
        for list in &value.lists {
            self.scope.contain(list, name);
        }
        let items = self.scope.change(name, from);
        match (items, more) {
            (Some(items), Ok(more)) => items.extend(more.iter().cloned()),
            (_, Err(why)) => self.scope.doubt(name, &why),
            (None, Ok(_)) => {}
        }
    }
}

/// Several values with commas between them.
pub(super) fn tuple_of<'t>(all: &[(usize, Evaluated<'t>)]) -> Evaluated<'t> {
    if let [one] = all {
        return one.1.clone();
    }
    let byte = all.first().map_or(0, |it| it.1.byte);
    let values: Result<Vec<Literal>, _> = all.iter().map(|it| it.1.value.clone()).collect();
    Evaluated {
        byte,
        value: values.map(|items| Literal {
            byte,
            value: LiteralValue::list(items),
        }),
        lists: all
            .iter()
            .flat_map(|it| it.1.lists.iter().copied())
            .collect(),
    }
}

/// The parts of a value for so many targets.
fn unpacked<'t>(count: usize, value: &Evaluated<'t>) -> Vec<Evaluated<'t>> {
    let known = value.value.as_ref().ok().and_then(|it| it.items().ok());
    let known = known.filter(|it| it.len() == count);
    let part = |place: usize| Evaluated {
        byte: value.byte,
        value: match known {
            Some(items) => Ok(items[place].clone()),
            None => value.clone().lost("", Vec::new()).value,
        },
        lists: value.lists.clone(),
    };
    (0..count).map(part).collect()
}
