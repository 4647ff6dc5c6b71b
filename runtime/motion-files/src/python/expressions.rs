//! Values of expressions: literals, names, and arithmetic with numbers and lists. Anything else is not known, and
//! neither is a list that it may change.

use std::collections::HashSet;

use super::doubt::Doubt;
use super::known::{acts, constant};
use super::literals::{Literal, LiteralValue};
use super::reader::Reader;
use super::tokens::{CodeToken, DEPTH_MAX, TokenKind};
use super::words::Words;
use crate::text::number::is_octal;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct CodeValue<'t> {
    pub(super) byte: usize,
    pub(super) literal: Result<Literal, Doubt>,
    /// The names of lists that it may be, or have in it.
    pub(super) names: Vec<&'t str>,
    /// It is no more than this name.
    pub(super) path: Option<&'t str>,
}

impl<'t> CodeValue<'t> {
    pub(super) fn known(byte: usize, value: LiteralValue) -> Self {
        CodeValue {
            byte,
            literal: Ok(Literal { byte, value }),
            names: Vec::new(),
            path: None,
        }
    }

    pub(super) fn unknown(doubt: Doubt, names: Vec<&'t str>) -> Self {
        CodeValue {
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

impl<'t> Reader<'t, '_> {
    /// Expressions with commas between them: one, or a list of them.
    pub(super) fn tuple(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
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
        self.list_of(items[0].byte, items)
    }

    /// An expression, up to what cannot be a part of one.
    pub(super) fn expression(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
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
            match self.word(&words.tokens[words.at]) {
                "(" | "[" | "{" => {
                    self.take_bracket(words);
                }
                _ => words.at += 1,
            }
        }
        // An empty expression ends where it begins.
        let end = words.at.max((from + 1).min(words.tokens.len()));
        words.at = end;
        self.opaque(&words.tokens[from..end])
    }

    /// What is not known. If it calls what may change lists, it may change all that it names.
    pub(super) fn opaque(&mut self, tokens: &[CodeToken]) -> CodeValue<'t> {
        let byte = tokens.first().map_or(self.text.len(), CodeToken::byte);
        let doubt = Doubt::executed(byte, self.text_of(tokens));
        let names = self.names(tokens);
        for pair in tokens.windows(2) {
            if self.word(&pair[1]) != ":=" {
                continue;
            }
            let (name, byte) = (self.word(&pair[0]), pair[0].byte());
            self.scope
                .assign(name, Err(Doubt::executed(byte, name)), &[], byte);
        }
        if acts(self.text, tokens, &self.functions) {
            names.iter().for_each(|name| self.scope.spoil(name, &doubt));
        }
        CodeValue::unknown(doubt, names)
    }

    /// A value with what follows it: attributes, items, calls.
    pub(super) fn trailed(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
        let from = words.at;
        if words.depth >= DEPTH_MAX {
            let doubt = Doubt::new(self.byte_of(words), "brackets too deep in each other");
            words.at = words.tokens.len();
            return CodeValue::unknown(doubt, Vec::new());
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
                    CodeValue::unknown(doubt, value.names)
                };
            } else {
                break;
            }
        }
        words.depth -= 1;
        value
    }

    fn primary(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
        let Some(token) = words.peek() else {
            return CodeValue::unknown(
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
                    return CodeValue::unknown(Doubt::new(byte, sentence), Vec::new());
                }
                CodeValue::known(byte, LiteralValue::Number(word.into()))
            }
            (TokenKind::Text, _) => self.texts(words),
            (TokenKind::Sign, "[" | "(") => self.bracket(words),
            (TokenKind::Name, "True" | "False") => {
                words.at += 1;
                CodeValue::known(byte, LiteralValue::Bool(word == "True"))
            }
            (
                TokenKind::Name,
                "not" | "lambda" | "if" | "else" | "for" | "in" | "and" | "or" | "yield",
            ) => CodeValue::unknown(Doubt::executed(byte, word), Vec::new()),
            (TokenKind::Name, _) => self.named(words),
            _ => {
                // `expression` takes the rest.
                CodeValue::unknown(Doubt::executed(byte, word), Vec::new())
            }
        }
    }

    /// Texts, which are one if nothing is between them.
    fn texts(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
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
                        return CodeValue::unknown(Doubt::new(token.byte(), sentence), Vec::new());
                    }
                    _ => whole.push(letter),
                }
            }
            words.at += 1;
        }
        CodeValue::known(byte, LiteralValue::Text(whole))
    }

    /// A list, or an expression in brackets.
    fn bracket(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
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
                self.list_of(byte, items)
            }
        }
    }

    /// The expressions between brackets.
    fn items(&mut self, words: &mut Words<'_>) -> Vec<CodeValue<'t>> {
        let mut items = Vec::new();
        while words.peek().is_some() {
            let item = self.expression(words);
            if self.spend(1).is_err() {
                words.at = words.tokens.len();
                items.push(CodeValue::unknown(
                    Doubt::new(item.byte, "too many values; fix: divide the export"),
                    Vec::new(),
                ));
                return items;
            }
            items.push(item);
            if !self.take(words, ",") && words.peek().is_some() {
                let rest = &words.tokens[words.at..];
                items.push(self.opaque(rest));
                words.at = words.tokens.len();
            }
        }
        items
    }

    /// A name, a constant, or a call of a name.
    fn named(&mut self, words: &mut Words<'_>) -> CodeValue<'t> {
        let from = words.at;
        let byte = self.byte_of(words);
        words.at = self.path_end(words.tokens, from);
        let path = self.text_of(&words.tokens[from..words.at]);
        if self.is_next(words, "(") {
            return self.call(Some(path), None, words, from);
        }
        if !self.scope.has(path)
            && !self.scope.has(path.split('.').next().unwrap_or(path))
            && let Some(number) = constant(&self.imported(path))
        {
            return CodeValue {
                byte,
                literal: Ok(Literal::computed(byte, number)),
                names: Vec::new(),
                path: None,
            };
        }
        CodeValue {
            byte,
            literal: self.scope.value(path, byte),
            names: self.lists_of(path),
            path: Some(path),
        }
    }

    /// An item of a list.
    fn item(&mut self, value: CodeValue<'t>, words: &mut Words<'_>, from: usize) -> CodeValue<'t> {
        let inside = self.take_bracket(words);
        let mut index = words.inside(inside);
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
            Some(literal) => CodeValue {
                byte: value.byte,
                // A number is nobody's list.
                names: if literal.items().is_ok() {
                    value.names
                } else {
                    Vec::new()
                },
                literal: Ok(literal),
                path: None,
            },
            None => {
                let text = self.text_of(&words.tokens[from..words.at]);
                let doubt = value
                    .literal
                    .err()
                    .unwrap_or_else(|| Doubt::executed(value.byte, text));
                CodeValue::unknown(doubt, value.names)
            }
        }
    }

    /// A list of values; the first doubt is its own.
    pub(super) fn list_of(&mut self, byte: usize, items: Vec<CodeValue<'t>>) -> CodeValue<'t> {
        /// How deep lists may be in each other: more than any motion has.
        const NESTED_MAX: usize = 8;
        let mut literals = Vec::with_capacity(items.len());
        let (mut names, mut doubt, mut size) = (Vec::new(), None, 0);
        for item in items {
            names.extend(item.names);
            match item.literal {
                Ok(literal) if literal.is_deeper(NESTED_MAX) => {
                    doubt = doubt.or(Some(Doubt::new(byte, "lists too deep in each other")));
                }
                Ok(literal) => {
                    size += literal.size();
                    literals.push(literal);
                }
                Err(why) => doubt = doubt.or(Some(why)),
            }
        }
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        match doubt.or_else(|| self.spend(size).err()) {
            Some(doubt) => CodeValue {
                byte,
                ..CodeValue::unknown(doubt, names)
            },
            None => CodeValue {
                names,
                ..CodeValue::known(byte, LiteralValue::list(literals))
            },
        }
    }
}
