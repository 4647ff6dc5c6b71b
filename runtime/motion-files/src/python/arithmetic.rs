//! Sums and products of numbers, lists and texts.

use super::doubt::Doubt;
use super::expressions::CodeValue;
use super::literals::{Literal, LiteralValue};
use super::reader::Reader;
use super::tokens::CodeToken;
use super::words::Words;

impl<'t> Reader<'t, '_> {
    pub(super) fn sum(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
        let from = words.at;
        let mut value = self.product(words);
        while let Some(sign) = ["+", "-"]
            .into_iter()
            .find(|sign| self.is_next(words, sign))
        {
            words.at += 1;
            let other = self.product(words);
            value = self.combined(value, sign, other, &words.tokens[from..words.at]);
        }
        value
    }

    pub(super) fn product(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
        let from = words.at;
        let mut value = self.signed(words);
        while let Some(sign) = ["*", "/"]
            .into_iter()
            .find(|sign| self.is_next(words, sign))
        {
            words.at += 1;
            let other = self.signed(words);
            value = self.combined(value, sign, other, &words.tokens[from..words.at]);
        }
        value
    }

    pub(super) fn signed(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
        let from = words.at;
        let byte = self.byte_of(words);
        let mut is_negative = false;
        while self.is_next(words, "-") || self.is_next(words, "+") {
            is_negative ^= self.is_next(words, "-");
            words.at += 1;
        }
        let value = self.trailed(words);
        if !is_negative {
            return value;
        }
        let number = match value.literal {
            Ok(Literal {
                value: LiteralValue::Number(text),
                ..
            }) => match text.strip_prefix('-') {
                Some(positive) => positive.into(),
                None => format!("-{text}").into(),
            },
            Err(_) => return value,
            Ok(_) => return self.opaque(&words.tokens[from..words.at]),
        };
        CodeValue::known(byte, LiteralValue::Number(number))
    }

    /// Two values and the sign between them.
    pub(super) fn combined(
        &mut self,
        one: CodeValue<'t>,
        sign: &str,
        other: CodeValue<'t>,
        tokens: &[CodeToken],
    ) -> CodeValue<'t> {
        let byte = one.byte;
        let mut names = one.names;
        names.extend(other.names);
        let text = self.text_of(tokens);
        let (one, other) = match (one.literal, other.literal) {
            (Ok(one), Ok(other)) => (one, other),
            (Err(doubt), _) | (_, Err(doubt)) => return CodeValue::unknown(doubt, names),
        };
        let value = match (&one.value, sign, &other.value) {
            (LiteralValue::Number(_), _, LiteralValue::Number(_)) => {
                // Python 2 and 3 divide whole numbers differently.
                let is_clear = sign != "/" || !(one.is_whole() && other.is_whole());
                let numbers = one
                    .number()
                    .ok()
                    .zip(other.number().ok())
                    .filter(|_| is_clear);
                let number = numbers.map(|(one, other)| match sign {
                    "+" => one + other,
                    "-" => one - other,
                    "*" => one * other,
                    _ => one / other,
                });
                let number = number.filter(|number| number.is_finite());
                number.map(|number| match one.is_whole() && other.is_whole() {
                    true if number.abs() < 1e15 => {
                        LiteralValue::Number(format!("{number:.0}").into())
                    }
                    _ => Literal::computed(byte, number).value,
                })
            }
            (LiteralValue::List(first), "+", LiteralValue::List(second)) => {
                let items = first.iter().chain(second.iter()).cloned();
                let room = self.spend(one.size() + other.size());
                room.ok().map(|()| LiteralValue::list(items))
            }
            (LiteralValue::Text(first), "+", LiteralValue::Text(second)) => {
                let room = self.spend(first.len() + second.len());
                room.ok()
                    .map(|()| LiteralValue::Text(first.clone() + second))
            }
            (LiteralValue::List(items), "*", LiteralValue::Number(times))
            | (LiteralValue::Number(times), "*", LiteralValue::List(items)) => {
                let times = times.parse::<usize>().ok();
                let size = items.iter().map(Literal::size).sum::<usize>().max(1);
                let times = times.filter(|times| self.spend(size.saturating_mul(*times)).is_ok());
                times
                    .map(|times| LiteralValue::list((0..times).flat_map(|_| items.iter().cloned())))
            }
            _ => None,
        };
        match value {
            Some(value) => CodeValue {
                names,
                ..CodeValue::known(byte, value)
            },
            None => CodeValue::unknown(Doubt::executed(byte, text), names),
        }
    }
}
