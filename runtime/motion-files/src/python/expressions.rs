//! The value of an expression, as far as it can be known from the text. Called by `statements` and `calls`.
//! The law: an expression has a value only if it is made of literals, of known names, of + - * / and of known constants
//! and functions. What else it does is noted: a list that is given away may be changed.

use super::literals::{Literal, LiteralValue};
use super::reader::PythonReader;
use super::scope::executed;
use super::values::Evaluated;
use crate::fault::FileMistake;

/// The words and signs that join expressions to one whose value is not known.
const WORDS: [&str; 7] = ["and", "or", "in", "is", "not", "if", "else"];
const SIGNS: [&str; 15] = [
    "==", "!=", "<>", "<=", ">=", "<<", ">>", "//", "**", "<", ">", "%", "&", "|", "^",
];

impl<'t> PythonReader<'t, '_> {
    /// An expression, up to a comma, a bracket, a colon, `=`, or the end of its line.
    pub(super) fn expression(&mut self, inside: bool) -> Result<Evaluated<'t>, FileMistake> {
        let changed = self.scope.changes.len();
        let mut value = self.sum(inside)?;
        loop {
            self.space(inside);
            let from = self.cursor.clone();
            let word = self.cursor.name();
            let joins = match word {
                Some(word) => WORDS.contains(&word),
                None => SIGNS.iter().any(|it| self.cursor.take(it)),
            };
            if !joins {
                self.cursor = from;
                return Ok(value);
            }
            if matches!(word, Some("is" | "not")) {
                self.space(inside);
                let from = self.cursor.clone();
                if !matches!(self.cursor.name(), Some("not" | "in")) {
                    self.cursor = from;
                }
            }
            // What is behind the word may be executed or not; what is before `if`, too.
            let begin = value.byte;
            let first = if word == Some("if") {
                changed
            } else {
                self.scope.changes.len()
            };
            let other = self.sum(inside)?;
            for list in self.scope.changes.split_off(first) {
                self.scope.doubt(list, &executed(begin, list));
            }
            value = value.lost(self.text_from(begin), other.lists);
        }
    }

    pub(super) fn sum(&mut self, inside: bool) -> Result<Evaluated<'t>, FileMistake> {
        let mut value = self.product(inside)?;
        loop {
            self.space(inside);
            let is_sign =
                !self.cursor.rest().starts_with("+=") && !self.cursor.rest().starts_with("-=");
            let sign = self
                .cursor
                .peek()
                .filter(|it| is_sign && "+-".contains(*it));
            let Some(sign) = sign else {
                return Ok(value);
            };
            self.cursor.next();
            let other = self.product(inside)?;
            value = self.joined(sign, value, other)?;
        }
    }

    fn product(&mut self, inside: bool) -> Result<Evaluated<'t>, FileMistake> {
        let mut value = self.signed(inside)?;
        loop {
            self.space(inside);
            let rest = self.cursor.rest();
            let other = ["**", "//", "*=", "/="]
                .iter()
                .any(|it| rest.starts_with(it));
            let sign = self.cursor.peek().filter(|it| !other && "*/".contains(*it));
            let Some(sign) = sign else {
                return Ok(value);
            };
            self.cursor.next();
            let other = self.signed(inside)?;
            value = self.joined(sign, value, other)?;
        }
    }

    /// Two values and what is between them.
    fn joined(
        &mut self,
        sign: char,
        one: Evaluated<'t>,
        other: Evaluated<'t>,
    ) -> Result<Evaluated<'t>, FileMistake> {
        let byte = one.byte;
        let wholes = [&one, &other].map(|it| it.value.as_ref().is_ok_and(Literal::is_whole));
        if let (Some(a), Some(b)) = (one.number(), other.number()) {
            let value = match sign {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ => a / b,
            };
            let differs = sign == '/' && wholes == [true, true] && value.fract() != 0.0;
            if value.is_finite() && !differs {
                let both = wholes == [true, true] && value.abs() < 1e15;
                let mut computed = Literal::computed(byte, value);
                if both {
                    computed.value = LiteralValue::Number(format!("{value}").into());
                }
                return Ok(Evaluated {
                    byte,
                    value: Ok(computed),
                    lists: Vec::new(),
                });
            }
        }
        let count = other.number().filter(|it| sign == '*' && it.fract() == 0.0);
        let lists: Vec<_> = one.lists.iter().chain(&other.lists).copied().collect();
        let values = match (&one.value, &other.value) {
            (Ok(a), Ok(b)) => Some((&a.value, &b.value)),
            _ => None,
        };
        let joined = match values {
            Some((LiteralValue::List(a), LiteralValue::List(b))) if sign == '+' => {
                self.spend(a.len() + b.len())?;
                Some(LiteralValue::list(a.iter().chain(b.iter()).cloned()))
            }
            Some((LiteralValue::Text(a), LiteralValue::Text(b))) if sign == '+' => {
                self.spend(a.len() + b.len())?;
                Some(LiteralValue::Text(format!("{a}{b}")))
            }
            Some((LiteralValue::List(a), _)) if let Some(count) = count => {
                let count = count.clamp(0.0, 1e9) as usize;
                self.spend(count.saturating_mul(1 + a.len()))?;
                let all = std::iter::repeat_n(&a[..], count).flatten();
                Some(LiteralValue::list(all.cloned()))
            }
            _ => None,
        };
        Ok(match joined {
            Some(value) => Evaluated {
                byte,
                value: Ok(Literal { byte, value }),
                lists,
            },
            None => match (one.value.is_ok(), other.value) {
                // The first that is not known tells why.
                (true, Err(why)) => Evaluated {
                    byte,
                    value: Err(why),
                    lists,
                },
                (_, _) => one.lost(self.text_from(byte), other.lists),
            },
        })
    }

    /// A value with its signs.
    fn signed(&mut self, inside: bool) -> Result<Evaluated<'t>, FileMistake> {
        self.space(inside);
        let byte = self.cursor.byte();
        let from = self.cursor.clone();
        if matches!(self.cursor.name(), Some("not" | "await" | "yield")) {
            let value = self.deeper(|it| it.sum(inside))?;
            return Ok(value.lost(self.text_from(byte), Vec::new()));
        }
        self.cursor = from;
        let sign = self.cursor.peek().filter(|it| "+-~".contains(*it));
        let Some(sign) = sign else {
            return self.with_trailers(inside);
        };
        self.cursor.next();
        let value = self.deeper(|it| it.signed(inside))?;
        let negative = value.value.as_ref().ok().and_then(|it| match &it.value {
            LiteralValue::Number(text) => Some(match text.strip_prefix('-') {
                _ if sign != '-' => text.to_string(),
                Some(positive) => positive.to_owned(),
                None => format!("-{text}"),
            }),
            _ => None,
        });
        Ok(match negative.filter(|_| sign != '~') {
            Some(text) => Evaluated::known(byte, LiteralValue::Number(text.into())),
            None => value.lost(self.text_from(byte), Vec::new()),
        })
    }
}
