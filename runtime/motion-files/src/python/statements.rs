//! Statements that no block follows: what they do to lists, if that is known from their text.

use super::calls::extended;
use super::doubt::Doubt;
use super::expressions::CodeValue;
use super::known::{MODULES, TIMELESS};
use super::literals::Literal;
use super::reader::{LISTS, Reader};
use super::tokens::{CodeToken, TokenKind};
use super::words::Words;

impl<'t> Reader<'t, '_> {
    /// A statement that no block follows.
    pub(super) fn statement(&mut self, tokens: &[CodeToken]) {
        let Some(first) = tokens.first() else {
            return;
        };
        let byte = first.byte();
        let second = tokens.get(1).map_or("", |token| self.word(token));
        let is_word = !matches!(second, "=" | "." | ")" | "(")
            || matches!(self.word(first), "return" | "assert");
        match self.word(first) {
            "import" | "from" => self.import(tokens),
            "global" | "nonlocal" => {
                for name in tokens[1..]
                    .iter()
                    .filter(|token| token.kind == TokenKind::Name)
                {
                    let name = self.word(name);
                    self.scope.spoil(name, &Doubt::executed(byte, name));
                    self.scope
                        .assign(name, Err(Doubt::executed(byte, name)), &[], byte);
                }
            }
            "pass" => {}
            "break" | "continue" => self.is_over = true,
            "del" => self.spoil_names(&tokens[1..]),
            "return" | "raise" | "yield" if is_word => {
                self.returned(tokens);
                self.is_over = self.word(first) != "yield";
            }
            "print" | "assert" | "exec" if is_word => {
                if self.word(first) == "exec" {
                    self.scope.spoil_all(&Doubt::executed(byte, "exec"));
                }
                let mut words = Words::of(&tokens[1..]);
                let _ = self.take(&mut words, ">>");
                self.tuple(&mut words);
                if words.peek().is_some() {
                    self.opaque(&tokens[1..]);
                }
            }
            _ => self.simple(tokens, byte),
        }
    }

    /// A function that gives lists of the outside back lets its callers change them.
    fn returned(&mut self, tokens: &[CodeToken]) {
        let byte = tokens[0].byte();
        let mut words = Words::of(&tokens[1..]);
        if words.peek().is_none() {
            return;
        }
        let value = self.tuple(&mut words);
        let text = self.text_of(&tokens[1..]);
        let names: Vec<_> = text
            .split([',', '(', ')', '[', ']', ' '])
            .filter(|name| !name.is_empty())
            .collect();
        if names.len() == 3
            && LISTS.iter().all(|list| names.contains(list))
            && self.scope.are_own(&LISTS)
        {
            self.leave_lists(byte);
            return;
        }
        self.scope.leak(&value.names, &Doubt::executed(byte, text));
    }

    /// All that these tokens name may be changed.
    fn spoil_names(&mut self, tokens: &[CodeToken]) {
        let byte = tokens.first().map_or(0, CodeToken::byte);
        let doubt = Doubt::executed(byte, self.text_of(tokens));
        for name in tokens.iter().filter(|token| token.kind == TokenKind::Name) {
            let name = self.word(name);
            self.scope.spoil(name, &doubt);
        }
    }

    /// An assignment, or an expression.
    fn simple(&mut self, tokens: &[CodeToken], byte: usize) {
        let plays = self.plays;
        self.has_acted = false;
        let sign = [
            "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", ">>=", "<<=",
        ];
        let augmented = tokens
            .iter()
            .position(|token| sign.contains(&self.word(token)));
        if let Some(place) =
            augmented.filter(|place| self.end_of(tokens, self.word(&tokens[*place])) == *place)
        {
            self.augmented(
                &tokens[..place],
                self.word(&tokens[place]),
                &tokens[place + 1..],
            );
        } else if self.end_of(tokens, "=") < tokens.len() {
            self.assignment(tokens);
        } else {
            let mut words = Words::of(tokens);
            let value = self.tuple(&mut words);
            if words.peek().is_some() {
                self.opaque(tokens);
            }
            let is_docstring = matches!(tokens, [only] if matches!(only.kind, TokenKind::Text | TokenKind::Strange));
            self.has_acted |= value.literal.is_err() && !is_docstring && words.peek().is_some();
        }
        let timeless = tokens
            .windows(2)
            .find(|pair| TIMELESS.contains(&self.word(&pair[0])) && self.word(&pair[1]) == "(");
        if let Some([name, _]) = timeless {
            self.timeless.get_or_insert((byte, self.word(name)));
        }
        if self.has_acted && self.plays == plays {
            self.passed(byte);
        }
    }

    fn assignment(&mut self, tokens: &[CodeToken]) {
        let mut rest = tokens;
        let mut targets = Vec::new();
        loop {
            let end = self.end_of(rest, "=");
            if end == rest.len() {
                break;
            }
            // `names: list = []`
            let target = &rest[..end];
            targets.push(&target[..self.end_of(target, ":")]);
            rest = &rest[end + 1..];
        }
        let mut words = Words::of(rest);
        let mut value = self.tuple(&mut words);
        if words.peek().is_some() {
            value = self.opaque(rest);
        }
        for target in targets {
            self.assign(target, &value);
        }
    }

    fn assign(&mut self, target: &[CodeToken], value: &CodeValue<'t>) {
        let Some(first) = target.first() else {
            return;
        };
        let byte = first.byte();
        let text = self.text_of(target);
        if self.spend(1 + value.names.len()).is_err() {
            self.fatal
                .get_or_insert(Doubt::new(byte, "too many values; fix: divide the export"));
            return;
        }
        if is_path(text) {
            self.functions.remove(text);
            self.scope
                .assign(text, value.literal.clone(), &value.names, byte);
            return;
        }
        let inner = match (self.word(first), target.last().map(|last| self.word(last))) {
            ("(", Some(")")) | ("[", Some("]")) => &target[1..target.len() - 1],
            _ => target,
        };
        if self.end_of(inner, ",") == inner.len() {
            // An item, or a part of something; `[k] = [1]` changes what its brackets name.
            self.spoil_target(target);
            if inner.len() < target.len() {
                self.spoil_names(inner);
            }
            let doubt = Doubt::executed(byte, text);
            value
                .names
                .iter()
                .for_each(|name| self.scope.spoil(name, &doubt));
            return;
        }
        let names = self.parts(inner);
        let items = value.literal.as_ref().ok();
        let items = items.and_then(|literal| literal.items().ok());
        let items = items.filter(|items| items.len() == names.len());
        for (place, target) in names.into_iter().enumerate() {
            let target = match target.first().map(|token| self.word(token)) {
                Some("*") => &target[1..],
                _ => target,
            };
            let name = self.text_of(target);
            let literal = match (items, &value.literal) {
                (Some(items), _) => Ok(items[place].clone()),
                (None, Err(doubt)) => Err(doubt.clone()),
                (None, Ok(_)) => Err(Doubt::executed(byte, text)),
            };
            if is_path(name) {
                self.functions.remove(name);
                self.scope.assign(name, literal, &value.names, byte);
            } else if !target.is_empty() {
                self.spoil_target(target);
                self.spoil_names(target);
            }
        }
    }

    /// What is changed by giving a part of it another value: what the target begins with, or all that it names.
    fn spoil_target(&mut self, target: &[CodeToken]) {
        let doubt = Doubt::executed(target[0].byte(), self.text_of(target));
        let value = self.expression(&mut Words::of(target));
        value
            .names
            .iter()
            .for_each(|name| self.scope.spoil(name, &doubt));
        if value.names.is_empty() {
            self.spoil_names(&target[..1]);
        }
    }

    fn augmented(&mut self, target: &[CodeToken], sign: &str, rest: &[CodeToken]) {
        let Some(first) = target.first() else {
            return;
        };
        let byte = first.byte();
        let path = self.text_of(target);
        let mut words = Words::of(rest);
        let mut value = self.tuple(&mut words);
        if words.peek().is_some() {
            value = self.opaque(rest);
        }
        if !is_path(path) {
            self.spoil_target(target);
            return;
        }
        if let (Ok(before), "+=" | "-=" | "*=" | "/=") = (self.scope.value(path, byte), sign)
            && before.items().is_err()
        {
            let before = CodeValue {
                literal: Ok(before),
                ..CodeValue::unknown(Doubt::executed(byte, path), Vec::new())
            };
            let value = self.combined(before, &sign[..1], value, rest);
            self.scope.assign(path, value.literal, &value.names, byte);
            return;
        }
        let added = value.literal.as_ref().map_or(0, Literal::size);
        if let Err(doubt) = self.spend(added) {
            value.literal = Err(doubt);
        }
        self.scope.edit(path, &value.names, byte, |before| {
            let unknown = Doubt::executed(byte, path);
            extended(before, &value.literal?)
                .filter(|_| sign == "+=")
                .ok_or(unknown)
        });
    }

    /// Names of another file. Those of known modules mean what they do everywhere; others hide what they stood for.
    fn import(&mut self, tokens: &[CodeToken]) {
        let words: Vec<_> = tokens.iter().map(|token| self.word(token)).collect();
        let byte = tokens[0].byte();
        let module = words.get(1).copied().unwrap_or("");
        let is_known = MODULES.contains(&module);
        if words.first() == Some(&"from") && words.last() == Some(&"*") {
            if !is_known {
                let doubt = Doubt::executed(byte, self.text_of(tokens));
                self.scope.spoil_all(&doubt);
            }
            return;
        }
        let begin = words
            .iter()
            .position(|word| *word == "import")
            .map_or(words.len(), |place| place + 1);
        let is_from = words.first() == Some(&"from");
        for (place, name) in words.iter().enumerate().skip(begin) {
            let is_renamed = words[place - 1] == "as";
            let is_name = is_path(name) && *name != "as" && !name.contains('.');
            if !is_name || words.get(place + 1) == Some(&"as") {
                continue;
            }
            let own = if is_renamed { words[place - 2] } else { name };
            match (is_known, is_from) {
                (true, true) => drop(self.aliases.insert(name, (module, Some(own)))),
                (true, false) => drop(self.aliases.insert(name, (own, None))),
                (false, _) if is_renamed || is_from => {
                    self.scope
                        .assign(name, Err(Doubt::executed(byte, name)), &[], byte);
                }
                (false, _) => {}
            }
        }
    }
}

/// Whether a text is a name, with the attributes behind it.
fn is_path(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    !text.is_empty() && text.chars().all(is_part)
}
