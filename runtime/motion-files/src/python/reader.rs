//! The lines of a script, one after the other, and the blocks that they make.
//!
//! Nothing is executed. A line is read if what it does to the lists is known from its text; a block is read as what may
//! happen, and other code is passed over with a remark. The script is read twice: what functions may change is known
//! only after the first time.

use std::collections::HashSet;

use super::calls::extended;
use super::expressions::{Value, Words};
use super::known::{MODULES, TIMELESS, is_playing, last};
use super::literals::Literal;
use super::scope::{Doubt, Facts, Scope};
use super::tokens::{Line, Lines, Token, TokenKind};
use crate::fault::{FileMistake, quoted};
use crate::text::cursor::Cursor;

/// How deep blocks may be in each other.
const BLOCKS_MAX: usize = 60;

/// The greatest number of values in an export.
const VALUES_MAX: usize = 8_000_000;

/// How much of a line is looked at, to tell of it.
const LINE_MAX: usize = 1_000;

/// The most remarks that are gathered. Those that say the same are one in the end.
const REMARKS_MAX: usize = 100_000;

/// The names of the lists, where nothing else is said.
pub(super) const LISTS: [&str; 3] = ["names", "times", "keys"];

/// The lists of one motion: names, times, keys; and the function that it is in.
pub(super) struct ExportedLists {
    pub(super) function: String,
    /// What is called with them.
    pub(super) byte: usize,
    pub(super) lists: Result<[Literal; 3], Doubt>,
}

/// A script as it is read.
pub(super) struct Reader<'t, 'r> {
    pub(super) text: &'t str,
    cursor: &'r Cursor<'t>,
    pub(super) scope: Scope<'t>,
    lines: Lines<'t>,
    next: Option<Line>,
    /// Whether what follows in the same block is never reached.
    is_over: bool,
    depth: usize,
    block_count: usize,
    pub(super) motions: Vec<ExportedLists>,
    /// The functions and classes of the script.
    pub(super) functions: HashSet<&'t str>,
    /// How many calls that play were read, and whether another one that does something.
    pub(super) plays: usize,
    pub(super) has_acted: bool,
    /// The first call that moves joints without times.
    timeless: Option<(usize, &'t str)>,
    /// What ends the reading.
    pub(super) fatal: Option<Doubt>,
    remarks: Vec<FileMistake>,
    budget: usize,
}

/// Reads the motions of a script.
pub(super) fn read(
    cursor: &Cursor<'_>,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<ExportedLists>, FileMistake> {
    let mut first = Reader::new(cursor, Facts::default());
    first.script();
    let mut second = Reader::new(cursor, first.scope.found);
    second.functions = first.functions;
    second.script();
    second.end()?;
    remarks.append(&mut second.remarks);
    Ok(second.motions)
}

impl<'t, 'r> Reader<'t, 'r> {
    fn new(cursor: &'r Cursor<'t>, facts: Facts<'t>) -> Self {
        let text = cursor.rest();
        Reader {
            text,
            cursor,
            scope: Scope::new(facts),
            lines: Lines::of(text),
            next: None,
            is_over: false,
            depth: 0,
            block_count: 0,
            motions: Vec::new(),
            functions: HashSet::new(),
            plays: 0,
            has_acted: false,
            timeless: None,
            fatal: None,
            remarks: Vec::new(),
            budget: VALUES_MAX,
        }
    }

    /// Takes so many values of what may still be read.
    pub(super) fn spend(&mut self, values: usize) -> Result<(), Doubt> {
        let Some(budget) = self.budget.checked_sub(values) else {
            return Err(Doubt::new(0, "too many values; fix: divide the export"));
        };
        self.budget = budget;
        Ok(())
    }

    pub(super) fn remark(&mut self, byte: usize, sentence: String) {
        if self.remarks.len() < REMARKS_MAX {
            self.remarks.push(self.cursor.wrong_at(byte, sentence));
        }
    }

    fn script(&mut self) {
        self.next = self.lines.next();
        while let Some(line) = self.next_line() {
            self.line(line);
            self.is_over = false;
        }
    }

    fn next_line(&mut self) -> Option<Line> {
        if self.fatal.is_some() {
            return None;
        }
        let line = self.next.take();
        self.next = self.lines.next();
        if let Some((byte, sentence)) = self.lines.unfinished {
            self.fatal = Some(Doubt::new(byte, sentence));
        }
        line
    }

    /// The end of the script: lists that nothing plays are a motion, too.
    fn end(&mut self) -> Result<(), FileMistake> {
        if let Some(doubt) = self.fatal.take() {
            return Err(self.cursor.wrong_at(doubt.byte, doubt.sentence));
        }
        if !self.motions.is_empty() {
            return Ok(());
        }
        let byte = self.text.len();
        let is_there = LISTS.iter().all(|list| self.scope.has(list));
        if let Some((byte, name)) = self.timeless.filter(|_| !is_there) {
            let what = match name {
                "angleInterpolationWithSpeed" => "a share of the fastest speed instead of times",
                _ => "no times",
            };
            let sentence = format!(
                "{} has {what}, which a motion needs; fix: write it as a call of `angleInterpolation`, with the times at \
                 which the joints are there",
                quoted(name)
            );
            return Err(self.cursor.wrong_at(byte, sentence));
        }
        self.play_lists(byte);
        if is_there {
            let sentence = "nothing plays `names`, `times` and `keys`: they are taken as they stand at the end of the \
                            file; check that its end is not missing";
            self.remark(byte, sentence.to_owned());
        }
        Ok(())
    }

    /// The lists that are called names, times and keys are a motion.
    fn play_lists(&mut self, byte: usize) {
        let value = |name: &'static str| match self.scope.has(name) {
            true => self.scope.value(name, byte),
            false => {
                let sentence = format!(
                    "there is no list {}; fix: check that it is an export of Choregraphe",
                    quoted(name)
                );
                Err(Doubt::new(0, sentence))
            }
        };
        let [names, times, keys] = LISTS.map(value);
        let lists = names.and_then(|names| Ok([names, times?, keys?]));
        self.motion(byte, lists);
    }

    /// A line, with the block behind it.
    fn line(&mut self, line: Line) {
        let mut tokens = &line.tokens[..];
        while !tokens.is_empty() && !self.is_over {
            if self.is_header(tokens) {
                self.header(tokens, line.indent);
                return;
            }
            let end = self.end_of(tokens, ";");
            self.statement(&tokens[..end]);
            tokens = tokens.get(end + 1..).unwrap_or_default();
        }
    }

    /// The place of a sign outside of brackets, or the end.
    pub(super) fn end_of(&self, tokens: &[Token], sign: &str) -> usize {
        let mut depth = 0_usize;
        for (place, token) in tokens.iter().enumerate() {
            match self.word(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                word if word == sign && depth == 0 => return place,
                _ => {}
            }
        }
        tokens.len()
    }

    fn is_header(&self, tokens: &[Token]) -> bool {
        const HEADERS: [&str; 13] = [
            "def", "class", "if", "elif", "else", "for", "while", "try", "except", "finally",
            "with", "async", "@",
        ];
        let second = tokens.get(1).map_or("", |token| self.word(token));
        HEADERS.contains(&self.word(&tokens[0])) && !matches!(second, "=" | "." | ")")
    }

    /// A line that a block follows: in the same line, or indented.
    fn header(&mut self, tokens: &[Token], indent: usize) {
        let byte = tokens[0].byte();
        let colon = self.end_of(tokens, ":");
        let (head, inside) = (
            &tokens[..colon],
            tokens.get(colon + 1..).unwrap_or_default(),
        );
        if self.depth >= BLOCKS_MAX {
            self.fatal
                .get_or_insert(Doubt::new(byte, "blocks too deep in each other"));
            return;
        }
        self.depth += 1;
        let head = match self.word(&head[0]) {
            "async" => &head[1..],
            _ => head,
        };
        let word = head.first().map_or("", |token| self.word(token));
        match word {
            "def" | "class" => self.define(head, byte, inside, indent),
            "@" => {
                self.opaque(&tokens[1..]);
                self.passed(byte);
            }
            _ => self.block(word, head, inside, indent),
        }
        self.depth -= 1;
    }

    fn define(&mut self, head: &[Token], byte: usize, inside: &[Token], indent: usize) {
        let is_class = self.word(&head[0]) == "class";
        let name = head.get(1).map_or("", |token| self.word(token));
        self.functions.insert(name);
        let parameters = if is_class {
            Vec::new()
        } else {
            self.parameters(head)
        };
        let blocks = std::mem::take(&mut self.scope.blocks);
        let plays = self.plays;
        self.scope.enter(name, is_class, byte);
        for parameter in parameters {
            self.scope.take_parameter(parameter);
        }
        self.body(inside, indent);
        if self.plays == plays && self.scope.are_own(&LISTS) {
            self.play_lists(byte);
        }
        self.scope.leave();
        self.scope.blocks = blocks;
    }

    /// The names of parameters. What they are by default is computed where the function stands.
    fn parameters(&mut self, head: &[Token]) -> Vec<&'t str> {
        let inside = head.get(3..head.len().saturating_sub(1));
        let mut names = Vec::new();
        for part in self.parts(inside.unwrap_or_default()) {
            let name = part.iter().find(|token| token.kind == TokenKind::Name);
            names.extend(name.map(|token| self.word(token)));
            if let [_, default @ ..] = &part[self.end_of(part, "=")..] {
                self.opaque(default);
            }
        }
        names
    }

    /// What stands between commas.
    fn parts<'a>(&self, tokens: &'a [Token]) -> Vec<&'a [Token]> {
        let mut parts = Vec::new();
        let mut rest = tokens;
        while !rest.is_empty() {
            let end = self.end_of(rest, ",");
            parts.push(&rest[..end]);
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        parts
    }

    /// A branch, a loop, or a block that is always read.
    fn block(&mut self, word: &str, head: &[Token], inside: &[Token], indent: usize) {
        let byte = head[0].byte();
        let text = self.first_line(byte);
        let is_main = word == "if" && text.contains("__name__");
        let is_certain = is_main || matches!(word, "try" | "finally" | "with");
        let (plays, remarks) = (self.plays, self.remarks.len());
        let names = self.bound(word, head);
        if !is_certain {
            self.block_count += 1;
            let block = self.block_count;
            self.scope.blocks.push(block);
        }
        for name in names.0 {
            self.scope
                .assign(name, Err(Doubt::executed(byte, name)), &names.1, byte);
        }
        self.body(inside, indent);
        if is_certain {
            return;
        }
        self.scope.blocks.pop();
        if self.plays == plays {
            self.remarks.truncate(remarks);
            if word != "except" {
                self.passed(byte);
            }
            return;
        }
        let sentence = match word {
            "for" | "while" => "is not executed: what it plays is read once",
            _ => "is not executed: what it plays is read as if it were so",
        };
        self.remark(byte, format!("{} {sentence}", quoted(text)));
    }

    /// Reads what a header computes; the names that it gives values to, and the lists that these may be of.
    fn bound(&mut self, word: &str, head: &[Token]) -> (Vec<&'t str>, Vec<&'t str>) {
        let names_in = |reader: &Self, tokens: &[Token]| -> Vec<&'t str> {
            let names = tokens.iter().filter(|token| token.kind == TokenKind::Name);
            names.map(|token| reader.word(token)).collect()
        };
        let place =
            |reader: &Self, sign: &str| head.iter().position(|token| reader.word(token) == sign);
        let (names, over) = match (word, place(self, "in"), place(self, "as")) {
            ("for", Some(within), _) => (names_in(self, &head[1..within]), &head[within + 1..]),
            ("for", None, _) => (Vec::new(), &head[1..]),
            (_, _, Some(behind)) => (names_in(self, &head[behind + 1..]), &head[1..behind]),
            ("except", ..) => (names_in(self, head.get(2..).unwrap_or_default()), &[][..]),
            _ => (Vec::new(), &head[1..]),
        };
        let mut words = Words::of(over);
        let value = self.tuple(&mut words);
        if let rest @ [_, ..] = &over[words.at.min(over.len())..] {
            self.opaque(rest);
        }
        (names, value.names)
    }

    /// What follows a colon: the rest of the line, and the lines that are indented more than its own.
    fn body(&mut self, inside: &[Token], indent: usize) {
        if !inside.is_empty() {
            let line = Line {
                indent: indent + 1,
                tokens: inside.to_vec(),
            };
            self.line(line);
        }
        while self.next.as_ref().is_some_and(|line| line.indent > indent) {
            let Some(line) = self.next_line() else {
                break;
            };
            if !self.is_over {
                self.line(line);
            }
        }
        self.is_over = false;
    }

    /// A statement that no block follows.
    fn statement(&mut self, tokens: &[Token]) {
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
    fn returned(&mut self, tokens: &[Token]) {
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
    fn spoil_names(&mut self, tokens: &[Token]) {
        let byte = tokens.first().map_or(0, Token::byte);
        let doubt = Doubt::executed(byte, self.text_of(tokens));
        for name in tokens.iter().filter(|token| token.kind == TokenKind::Name) {
            let name = self.word(name);
            self.scope.spoil(name, &doubt);
        }
    }

    /// An assignment, or an expression.
    fn simple(&mut self, tokens: &[Token], byte: usize) {
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

    fn assignment(&mut self, tokens: &[Token]) {
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

    fn assign(&mut self, target: &[Token], value: &Value<'t>) {
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
            let item = Value {
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
    fn spoil_target(&mut self, target: &[Token]) {
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

    fn augmented(&mut self, target: &[Token], sign: &str, rest: &[Token]) {
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
    fn import(&mut self, tokens: &[Token]) {
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

    /// The line that begins at a byte, without its comment.
    fn first_line(&self, byte: usize) -> &'t str {
        let rest = self.text.get(byte..).unwrap_or("");
        let end = rest
            .char_indices()
            .map(|(at, _)| at)
            .take_while(|at| *at < LINE_MAX)
            .last()
            .unwrap_or(0);
        let end = rest
            .find(['\n', '\r', ';'])
            .unwrap_or(rest.len())
            .min(end + 1);
        let text = rest
            .get(..end)
            .or_else(|| rest.get(..end - 1))
            .unwrap_or("");
        text.split('#').next().unwrap_or("").trim_end()
    }

    fn passed(&mut self, byte: usize) {
        let text = self.first_line(byte);
        let proxies = ["ALProxy", "service(", "Session("];
        if !proxies.iter().any(|proxy| text.contains(proxy)) && !is_playing(last(text)) {
            self.remark(
                byte,
                format!("{} is passed over: nothing is executed", quoted(text)),
            );
        }
    }
}
