//! Values alone: numbers, texts, lists, and what is passed over as a whole. Called by `trailers`.
//! The law: a list is known if all in it is; the first that is not tells why.

use super::code;
use super::known::is_pure;
use super::literals::{Literal, LiteralValue, blanks, skip};
use super::reader::PythonReader;
use super::scope::executed;
use super::values::Evaluated;
use crate::fault::{FileMistake, quoted};
use crate::text::number::{is_octal, number};

impl<'t> PythonReader<'t, '_> {
    /// A value alone, before what follows it.
    pub(super) fn atom(&mut self) -> Result<Evaluated<'t>, FileMistake> {
        self.spend(1)?;
        let byte = self.cursor.byte();
        match self.cursor.peek() {
            Some('[') => return self.deeper(|it| it.list(']')),
            Some('(') => return self.deeper(|it| it.list(')')),
            Some('{') => return self.passed_over(byte),
            Some('"' | '\'') => return self.texts(byte, false),
            Some(letter) if letter.is_ascii_digit() || letter == '.' => {
                let text = self.cursor.number_text();
                let plain = text.trim_end_matches(['l', 'L']);
                if is_octal(plain) && !plain.trim_start_matches('0').is_empty() {
                    let sentence = format!(
                        "{} is octal in Python 2; fix: write it without the 0 before it",
                        quoted(text)
                    );
                    return Err(self.cursor.wrong_at(byte, sentence));
                }
                if let Some(digits) = plain.strip_prefix("0x")
                    && let Ok(value) = u32::from_str_radix(digits, 16)
                {
                    return Ok(Evaluated::known(
                        byte,
                        LiteralValue::Number(value.to_string().into()),
                    ));
                }
                number(plain, false).map_err(|fault| {
                    let sentence = format!("{}: {fault}; nothing is executed", quoted(text));
                    self.cursor.wrong_at(byte, sentence)
                })?;
                return Ok(Evaluated::known(byte, LiteralValue::Number(plain.into())));
            }
            _ => {}
        }
        let Some(name) = self.cursor.name() else {
            return Err(self
                .cursor
                .wrong("expected a number, a text in quotes, or a list"));
        };
        let is_prefix = name.len() <= 2 && name.chars().all(|it| "uUrRbBfF".contains(it));
        if is_prefix && matches!(self.cursor.peek(), Some('"' | '\'')) {
            return self.texts(byte, name.contains(['f', 'F']));
        }
        match name {
            "True" => Ok(Evaluated::known(byte, LiteralValue::Bool(true))),
            "False" => Ok(Evaluated::known(byte, LiteralValue::Bool(false))),
            "lambda" => self.passed_over(byte),
            _ => self.path(byte),
        }
    }

    /// Texts that stand side by side are one.
    fn texts(&mut self, byte: usize, is_computed: bool) -> Result<Evaluated<'t>, FileMistake> {
        let mut whole = String::new();
        let mut is_computed = is_computed;
        loop {
            match self.text()? {
                Some(text) => whole += &text,
                None => is_computed = true,
            }
            blanks(&mut self.cursor);
            if !matches!(self.cursor.peek(), Some('"' | '\'')) {
                break;
            }
        }
        if is_computed {
            return Ok(Evaluated::unknown(byte, self.text_from(byte)));
        }
        Ok(Evaluated::known(byte, LiteralValue::Text(whole)))
    }

    /// One text between quotes; none if it is more than letters.
    fn text(&mut self) -> Result<Option<String>, FileMistake> {
        let from = self.cursor.byte();
        let mut plain = self.cursor.clone();
        let is_long = ["\"\"\"", "'''"].iter().any(|it| plain.take(it));
        if !is_long && let Ok(text) = plain.quoted_text() {
            self.cursor = plain;
            return Ok(Some(text));
        }
        code::texts(&mut self.cursor)?;
        debug_assert!(self.cursor.byte() > from, "it has a quote at least");
        Ok(None)
    }

    /// A list, a tuple, or an expression in brackets.
    fn list(&mut self, close: char) -> Result<Evaluated<'t>, FileMistake> {
        let byte = self.cursor.byte();
        self.cursor.next();
        let (mut items, mut lists, mut doubt) = (Vec::new(), Vec::new(), None);
        let mut has_comma = close == ']';
        loop {
            skip(&mut self.cursor);
            match self.cursor.peek() {
                None => {
                    let sentence = "the list that begins here has no end";
                    return Err(self.cursor.wrong_at(byte, sentence));
                }
                Some(letter) if letter == close => {
                    self.cursor.next();
                    break;
                }
                _ => {}
            }
            let begin = self.cursor.byte();
            let item = self.expression(true)?;
            lists.extend(item.lists);
            match item.value {
                Ok(value) => items.push(value),
                Err(why) => drop(doubt.get_or_insert(why)),
            }
            skip(&mut self.cursor);
            if self.cursor.clone().name() == Some("for") {
                // A comprehension.
                let mut made = self.comprehension(byte, begin)?;
                made.lists.extend(lists);
                return Ok(made);
            }
            if self.cursor.take(",") {
                has_comma = true;
            } else if self.cursor.peek().is_some_and(|it| it != close) {
                let what = format!(
                    "expected a comma or {close}: only lists of values are read, nothing is executed"
                );
                return Err(self.cursor.wrong(what));
            }
        }
        if let Some(why) = doubt {
            return Ok(Evaluated {
                byte,
                value: Err(why),
                lists,
            });
        }
        let one = if has_comma { None } else { items.pop() };
        let value = match one {
            Some(value) => value,
            None => Literal {
                byte,
                value: LiteralValue::list(items),
            },
        };
        Ok(Evaluated {
            byte,
            value: Ok(value),
            lists,
        })
    }

    /// Goes back to where an expression begins, and passes over it: a dictionary, a comprehension, a function without a
    /// name. What is called in it may change the lists in it.
    pub(super) fn passed_over(&mut self, byte: usize) -> Result<Evaluated<'t>, FileMistake> {
        let mut own = self.cursor.clone();
        own.go_back(byte);
        let own = match own.name() {
            Some("lambda") => code::parameters(own),
            _ => Vec::new(),
        };
        let passed = code::expression(&mut self.cursor, byte)?;
        let lists: Vec<_> = passed
            .names
            .iter()
            .copied()
            .filter(|it| self.scope.holds(it) && !own.contains(it))
            .collect();
        if passed.calls.iter().any(|it| !is_pure(it)) {
            for list in &lists {
                self.scope.doubt(list, &executed(byte, list));
            }
        }
        Ok(Evaluated::unknown(byte, self.text_from(byte)).lost("", lists))
    }
}
