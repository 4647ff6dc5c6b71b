//! Statements that no block follows: what they do to lists, if that is known from their text.

use super::calls::extended;
use super::expressions::CodeValue;
use super::known::{MODULES, TIMELESS};
use super::reader::{LISTS, Reader};
use super::scope::Doubt;
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
            self.play_lists(byte);
            return;
        }
        let doubt = Doubt::executed(byte, text);
        let is_outer = |name: &&&str| !self.scope.are_own(&[**name]);
        let outer: Vec<_> = value.names.iter().filter(is_outer).copied().collect();
        outer.iter().for_each(|name| self.scope.spoil(name, &doubt));
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
        let is_path = text
            .chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
        if is_path {
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
            // An item, or a part of something.
            self.spoil_target(target);
            let doubt = Doubt::executed(byte, text);
            value
                .names
                .iter()
                .for_each(|name| self.scope.spoil(name, &doubt));
            return;
        }
        let names = self.parts(inner);
        let items = value
            .literal
            .as_ref()
            .ok()
            .and_then(|literal| literal.items().ok());
        let items = items.filter(|items| items.len() == names.len());
        for (place, name) in names.into_iter().enumerate() {
            let literal = match (items, &value.literal) {
                (Some(items), _) => Ok(items[place].clone()),
                (None, Err(doubt)) => Err(doubt.clone()),
                (None, Ok(_)) => Err(Doubt::executed(byte, text)),
            };
            let item = CodeValue {
                byte: value.byte,
                literal,
                names: value.names.clone(),
                path: None,
            };
            let name = match name.first().map(|token| self.word(token)) {
                Some("*") => &name[1..],
                _ => name,
            };
            self.assign(name, &item);
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
        let is_path = path
            .chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
        if !is_path {
            self.spoil_target(target);
            return;
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
        if MODULES.contains(&module) {
            return;
        }
        if words.first() == Some(&"from") && words.last() == Some(&"*") {
            self.scope
                .spoil_all(&Doubt::executed(byte, self.text_of(tokens)));
            return;
        }
        let begin = words
            .iter()
            .position(|word| *word == "import")
            .map_or(words.len(), |place| place + 1);
        let is_from = words.first() == Some(&"from");
        for (place, name) in words.iter().enumerate().skip(begin) {
            let is_renamed = place > 0 && words[place - 1] == "as";
            let is_name = name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_')
                && *name != "as";
            if is_name && (is_renamed || (is_from && words.get(place + 1) != Some(&"as"))) {
                self.scope
                    .assign(name, Err(Doubt::executed(byte, name)), &[], byte);
            }
        }
    }
}
