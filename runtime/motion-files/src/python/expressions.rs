//! Values of expressions: literals, names, and arithmetic with numbers and lists. Anything else is not known, and neither
//! is a list that it may change.

use super::known::{acts, constant};
use super::literals::{Literal, LiteralValue};
use super::reader::Reader;
use super::scope::Doubt;
use super::tokens::{DEPTH_MAX, Token, TokenKind};
use crate::text::number::is_octal;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct Value<'t> {
    pub(super) byte: usize,
    pub(super) literal: Result<Literal, Doubt>,
    /// The names of lists that it may be, or have in it.
    pub(super) names: Vec<&'t str>,
    /// It is no more than this name.
    pub(super) path: Option<&'t str>,
}

impl<'t> Value<'t> {
    pub(super) fn known(byte: usize, value: LiteralValue) -> Self {
        Value {
            byte,
            literal: Ok(Literal { byte, value }),
            names: Vec::new(),
            path: None,
        }
    }

    pub(super) fn unknown(doubt: Doubt, names: Vec<&'t str>) -> Self {
        Value {
            byte: doubt.byte,
            literal: Err(doubt),
            names,
            path: None,
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        self.literal.as_ref().ok()?.number().ok()
    }
}

/// Tokens that are read one after the other.
pub(super) struct Words<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    /// How many brackets are around them.
    depth: usize,
}

impl<'a> Words<'a> {
    pub(super) fn of(tokens: &'a [Token]) -> Self {
        Words {
            tokens,
            at: 0,
            depth: 0,
        }
    }

    /// Some of these tokens, on their own.
    pub(super) fn inside(&self, tokens: &'a [Token]) -> Self {
        Words {
            tokens,
            at: 0,
            depth: self.depth,
        }
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// The end of the bracket that begins at a place: the place of its closing sign.
    fn closing(&self, text: &str, from: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (place, token) in self.tokens.iter().enumerate().skip(from) {
            match &text[token.byte()..token.end()] {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(place);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

impl<'t> Reader<'t, '_> {
    pub(super) fn word(&self, token: &Token) -> &'t str {
        self.text.get(token.byte()..token.end()).unwrap_or("")
    }

    /// Whether this sign, or this word, comes next.
    pub(super) fn is_next(&self, words: &Words<'_>, sign: &str) -> bool {
        words
            .peek()
            .is_some_and(|token| token.kind != TokenKind::Text && self.word(token) == sign)
    }

    pub(super) fn take(&self, words: &mut Words<'_>, sign: &str) -> bool {
        let is_next = self.is_next(words, sign);
        words.at += usize::from(is_next);
        is_next
    }

    /// Takes a bracket, and returns what is in it.
    pub(super) fn take_bracket<'a>(&self, words: &mut Words<'a>) -> &'a [Token] {
        let from = words.at;
        // Lines are read only if their brackets have ends.
        let end = words.closing(self.text, from).unwrap_or(words.tokens.len());
        words.at = (end + 1).min(words.tokens.len());
        words.tokens.get(from + 1..end).unwrap_or_default()
    }

    /// The text of tokens.
    pub(super) fn text_of(&self, tokens: &[Token]) -> &'t str {
        let ends = tokens.first().zip(tokens.last());
        ends.and_then(|(first, last)| self.text.get(first.byte()..last.end()))
            .unwrap_or("")
    }

    /// Where these tokens begin; without any, the end of those that were read.
    fn byte_of(&self, words: &Words<'_>) -> usize {
        let last = words.tokens.last().map_or(0, Token::end);
        words.peek().map_or(last, Token::byte)
    }

    /// Expressions with commas between them: one, or a list of them.
    pub(super) fn tuple(&mut self, words: &mut Words<'_>) -> Value<'t> {
        let first = self.expression(words);
        if !self.is_next(words, ",") {
            return first;
        }
        let mut items = vec![first];
        while self.take(words, ",") {
            if words
                .peek()
                .is_none_or(|token| matches!(self.word(token), "=" | ")" | "]"))
            {
                break;
            }
            items.push(self.expression(words));
        }
        list_of(items[0].byte, items)
    }

    /// An expression, up to what cannot be a part of one.
    pub(super) fn expression(&mut self, words: &mut Words<'_>) -> Value<'t> {
        let from = words.at;
        let value = self.sum(words);
        let is_end = |reader: &Self, words: &Words<'_>| {
            words.peek().is_none_or(|token| {
                matches!(reader.word(token), "," | ")" | "]" | "}" | ":" | "=" | ";")
            })
        };
        if words.at > from && is_end(self, words) {
            return value;
        }
        while !is_end(self, words) {
            let closing = match self.word(&words.tokens[words.at]) {
                "(" | "[" | "{" => words.closing(self.text, words.at),
                _ => None,
            };
            words.at = closing.unwrap_or(words.at) + 1;
        }
        // An empty expression ends where it begins.
        let end = words.at.max((from + 1).min(words.tokens.len()));
        words.at = end;
        self.opaque(&words.tokens[from..end])
    }

    /// What is not known. If it calls what may change lists, it may change all that it names.
    pub(super) fn opaque(&mut self, tokens: &[Token]) -> Value<'t> {
        let byte = tokens.first().map_or(self.text.len(), Token::byte);
        let doubt = Doubt::executed(byte, self.text_of(tokens));
        let names = self.names(tokens);
        if acts(self.text, tokens) {
            names.iter().for_each(|name| self.scope.spoil(name, &doubt));
        }
        Value::unknown(doubt, names)
    }

    /// The names of what may be lists in these tokens.
    pub(super) fn names(&self, tokens: &[Token]) -> Vec<&'t str> {
        let mut names = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let is_name = tokens[at].kind == TokenKind::Name
                && (at == 0 || self.word(&tokens[at - 1]) != ".");
            let end = if is_name {
                self.path_end(tokens, at)
            } else {
                at + 1
            };
            if is_name {
                names.extend(self.lists_of(self.text_of(&tokens[at..end])));
            }
            at = end;
        }
        names
    }

    /// What may be lists of a name with attributes: `self.keys.reverse` is about `self.keys`, and about `self`.
    fn lists_of(&self, path: &'t str) -> Vec<&'t str> {
        let longer = path.match_indices('.').map(|(at, _)| &path[..at]);
        let names = longer.chain([path]);
        names.filter(|name| self.scope.may_be_list(name)).collect()
    }

    /// The place behind a name and the attributes that follow it without blanks.
    fn path_end(&self, tokens: &[Token], from: usize) -> usize {
        let mut end = from + 1;
        while let [point, name, ..] = &tokens[end..]
            && self.word(point) == "."
            && name.kind == TokenKind::Name
            && point.byte() == tokens[end - 1].end()
            && name.byte() == point.end()
        {
            end += 2;
        }
        end
    }

    fn sum(&mut self, words: &mut Words<'_>) -> Value<'t> {
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

    fn product(&mut self, words: &mut Words<'_>) -> Value<'t> {
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

    fn signed(&mut self, words: &mut Words<'_>) -> Value<'t> {
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
        Value::known(byte, LiteralValue::Number(number))
    }

    /// Two values and the sign between them.
    fn combined(
        &mut self,
        one: Value<'t>,
        sign: &str,
        other: Value<'t>,
        tokens: &[Token],
    ) -> Value<'t> {
        let byte = one.byte;
        let names = [one.names, other.names].concat();
        let text = self.text_of(tokens);
        let (one, other) = match (one.literal, other.literal) {
            (Ok(one), Ok(other)) => (one, other),
            (Err(doubt), _) | (_, Err(doubt)) => return Value::unknown(doubt, names),
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
            (LiteralValue::List(first), "+", LiteralValue::List(second)) => Some(
                LiteralValue::list(first.iter().chain(second.iter()).cloned()),
            ),
            (LiteralValue::Text(first), "+", LiteralValue::Text(second)) => {
                Some(LiteralValue::Text(first.clone() + second))
            }
            (LiteralValue::List(items), "*", LiteralValue::Number(times))
            | (LiteralValue::Number(times), "*", LiteralValue::List(items)) => {
                let times = times.parse::<usize>().ok();
                let size = items.iter().map(Literal::size).sum::<usize>();
                let times = times.filter(|times| self.spend(size.saturating_mul(*times)).is_ok());
                times
                    .map(|times| LiteralValue::list((0..times).flat_map(|_| items.iter().cloned())))
            }
            _ => None,
        };
        match value {
            Some(value) => Value {
                names,
                ..Value::known(byte, value)
            },
            None => Value::unknown(Doubt::executed(byte, text), names),
        }
    }

    /// A value with what follows it: attributes, items, calls.
    fn trailed(&mut self, words: &mut Words<'_>) -> Value<'t> {
        let from = words.at;
        if words.depth >= DEPTH_MAX {
            let doubt = Doubt::new(self.byte_of(words), "brackets too deep in each other");
            words.at = words.tokens.len();
            return Value::unknown(doubt, Vec::new());
        }
        words.depth += 1;
        let mut value = self.primary(words);
        loop {
            if self.is_next(words, "[") {
                value = self.item(value, words, from);
            } else if self.is_next(words, "(") {
                value = self.call(None, Some(value), words, from);
            } else if self.is_next(words, ".")
                && words
                    .tokens
                    .get(words.at + 1)
                    .is_some_and(|token| token.kind == TokenKind::Name)
            {
                let name = self.word(&words.tokens[words.at + 1]);
                words.at += 2;
                value = if self.is_next(words, "(") {
                    self.call(Some(name), Some(value), words, from)
                } else {
                    let doubt =
                        Doubt::executed(value.byte, self.text_of(&words.tokens[from..words.at]));
                    Value::unknown(doubt, value.names)
                };
            } else {
                break;
            }
        }
        words.depth -= 1;
        value
    }

    fn primary(&mut self, words: &mut Words<'_>) -> Value<'t> {
        let Some(token) = words.peek() else {
            return Value::unknown(
                Doubt::new(self.byte_of(words), "expected a value"),
                Vec::new(),
            );
        };
        let (byte, word) = (token.byte(), self.word(token));
        match (token.kind, word) {
            (TokenKind::Number, _) => {
                words.at += 1;
                if is_octal(word) {
                    let sentence = format!(
                        "`{word}` is octal in Python 2; fix: write it without the 0 before it"
                    );
                    return Value::unknown(Doubt::new(byte, sentence), Vec::new());
                }
                Value::known(byte, LiteralValue::Number(word.into()))
            }
            (TokenKind::Text, _) => self.texts(words),
            (TokenKind::Sign, "[" | "(") => self.bracket(words),
            (TokenKind::Name, "True" | "False") => {
                words.at += 1;
                Value::known(byte, LiteralValue::Bool(word == "True"))
            }
            (
                TokenKind::Name,
                "not" | "lambda" | "if" | "else" | "for" | "in" | "and" | "or" | "yield",
            ) => Value::unknown(Doubt::executed(byte, word), Vec::new()),
            (TokenKind::Name, _) => self.named(words),
            _ => {
                // `expression` takes the rest.
                Value::unknown(Doubt::executed(byte, word), Vec::new())
            }
        }
    }

    /// Texts, which are one if nothing is between them.
    fn texts(&mut self, words: &mut Words<'_>) -> Value<'t> {
        let byte = self.byte_of(words);
        let mut whole = String::new();
        while let Some(token) = words.peek().filter(|token| token.kind == TokenKind::Text) {
            let text = self.word(token).trim_start_matches(['u', 'U', 'b', 'B']);
            let mut letters = text[1..text.len() - 1].chars();
            while let Some(letter) = letters.next() {
                match (letter, letters.clone().next()) {
                    ('\\', Some(escaped @ ('\\' | '\'' | '"' | '/'))) => {
                        whole.push(escaped);
                        letters.next();
                    }
                    ('\\', _) => {
                        words.at += 1;
                        let sentence =
                            "the text that begins here has an escape; fix: write the letter itself";
                        return Value::unknown(Doubt::new(token.byte(), sentence), Vec::new());
                    }
                    _ => whole.push(letter),
                }
            }
            words.at += 1;
        }
        Value::known(byte, LiteralValue::Text(whole))
    }

    /// A list, or an expression in brackets.
    fn bracket(&mut self, words: &mut Words<'_>) -> Value<'t> {
        let byte = self.byte_of(words);
        let from = words.at;
        let is_list = self.is_next(words, "[");
        let inside = self.take_bracket(words);
        let is_made = self.end_of(inside, "for") < inside.len();
        if is_made {
            // In Python 2 its names keep their last values.
            let mut is_bound = false;
            for token in inside {
                match self.word(token) {
                    "for" => is_bound = true,
                    "in" => is_bound = false,
                    name if is_bound && token.kind == TokenKind::Name => {
                        let doubt = Doubt::executed(byte, name);
                        self.scope.assign(name, Err(doubt), &[], byte);
                    }
                    _ => {}
                }
            }
            return self.opaque(&words.tokens[from..words.at]);
        }
        let mut items = self.items(&mut words.inside(inside));
        let is_tuple = is_list
            || inside.is_empty()
            || self.text_of(inside).trim_end().ends_with(',')
            || items.len() > 1;
        match items.pop() {
            Some(only) if !is_tuple => only,
            last => {
                items.extend(last);
                list_of(byte, items)
            }
        }
    }

    /// The expressions between brackets.
    fn items(&mut self, words: &mut Words<'_>) -> Vec<Value<'t>> {
        let mut items = Vec::new();
        while words.peek().is_some() {
            let item = self.expression(words);
            if self.spend(1).is_err() {
                words.at = words.tokens.len();
                items.push(Value::unknown(
                    Doubt::new(item.byte, "too many values; fix: divide the export"),
                    Vec::new(),
                ));
                return items;
            }
            items.push(item);
            if !self.take(words, ",") && words.peek().is_some() {
                let doubt = Doubt::new(
                    self.byte_of(words),
                    "expected `,` or the end of the bracket",
                );
                items.push(Value::unknown(doubt, Vec::new()));
                words.at = words.tokens.len();
            }
        }
        items
    }

    /// A name, a constant, or a call of a name.
    fn named(&mut self, words: &mut Words<'_>) -> Value<'t> {
        let from = words.at;
        let byte = self.byte_of(words);
        words.at = self.path_end(words.tokens, from);
        let path = self.text_of(&words.tokens[from..words.at]);
        if self.is_next(words, "(") {
            return self.call(Some(path), None, words, from);
        }
        if !self.scope.has(path)
            && !self.scope.has(path.split('.').next().unwrap_or(path))
            && let Some(number) = constant(path)
        {
            return Value {
                byte,
                literal: Ok(Literal::computed(byte, number)),
                names: Vec::new(),
                path: None,
            };
        }
        Value {
            byte,
            literal: self.scope.value(path, byte),
            names: self.lists_of(path),
            path: Some(path),
        }
    }

    /// An item of a list.
    fn item(&mut self, value: Value<'t>, words: &mut Words<'_>, from: usize) -> Value<'t> {
        let inside = self.take_bracket(words);
        let mut index = Words::of(inside);
        let place = self.expression(&mut index);
        let place = place.number().filter(|_| index.peek().is_none());
        let items = value
            .literal
            .as_ref()
            .ok()
            .and_then(|literal| literal.items().ok());
        let found = items.zip(place).and_then(|(items, place)| {
            let place = if place < 0.0 {
                place + items.len() as f64
            } else {
                place
            };
            items
                .get(place as usize)
                .filter(|_| place >= 0.0 && place.fract() == 0.0)
                .cloned()
        });
        match found {
            Some(literal) => Value {
                byte: value.byte,
                literal: Ok(literal),
                names: value.names,
                path: None,
            },
            None => {
                let text = self.text_of(&words.tokens[from..words.at]);
                let doubt = value
                    .literal
                    .err()
                    .unwrap_or_else(|| Doubt::executed(value.byte, text));
                Value::unknown(doubt, value.names)
            }
        }
    }
}

/// A list of values; the first doubt is its own.
pub(super) fn list_of<'t>(byte: usize, items: Vec<Value<'t>>) -> Value<'t> {
    let mut literals = Vec::with_capacity(items.len());
    let (mut names, mut doubt) = (Vec::new(), None);
    for item in items {
        names.extend(item.names);
        match item.literal {
            Ok(literal) => literals.push(literal),
            Err(why) => doubt = doubt.or(Some(why)),
        }
    }
    match doubt {
        Some(doubt) => Value {
            byte,
            ..Value::unknown(doubt, names)
        },
        None => Value {
            names,
            ..Value::known(byte, LiteralValue::list(literals))
        },
    }
}
