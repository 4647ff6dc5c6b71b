//! Blocks: functions, classes, branches and loops. What a block may do is as good as done: a branch that plays is a
//! motion, and a list from outside that a block changes is not known behind it.

use super::doubt::Doubt;
use super::expressions::CodeValue;
use super::reader::{LISTS, Reader};
use super::tokens::{CodeLine, CodeToken, TokenKind};
use super::words::Words;
use crate::fault::quoted;

/// How deep blocks may be in each other.
const BLOCKS_MAX: usize = 60;

impl<'t> Reader<'t, '_> {
    /// A line, with the block behind it.
    pub(super) fn line(&mut self, line: CodeLine) {
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
        // A block of a kind that is not known, such as a case.
        let is_deeper = |next: &CodeLine| next.indent > line.indent;
        if self.next.as_ref().is_some_and(is_deeper) && self.depth < BLOCKS_MAX {
            self.depth += 1;
            self.enter_block();
            self.body(&[], line.indent);
            self.scope.leave_block();
            self.depth -= 1;
        }
    }

    fn enter_block(&mut self) {
        self.block_count += 1;
        self.scope.blocks.push(self.block_count);
    }

    fn is_header(&self, tokens: &[CodeToken]) -> bool {
        const HEADERS: [&str; 13] = [
            "def", "class", "if", "elif", "else", "for", "while", "try", "except", "finally",
            "with", "async", "@",
        ];
        let second = tokens.get(1).map_or("", |token| self.word(token));
        if self.word(&tokens[0]) == "async" {
            return matches!(second, "def" | "for" | "with");
        }
        HEADERS.contains(&self.word(&tokens[0])) && !matches!(second, "=" | "." | ")")
    }

    /// A line that a block follows: in the same line, or indented.
    fn header(&mut self, tokens: &[CodeToken], indent: usize) {
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

    fn define(&mut self, head: &[CodeToken], byte: usize, inside: &[CodeToken], indent: usize) {
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
            self.leave_lists(byte);
        }
        self.scope.leave();
        self.scope.blocks = blocks;
    }

    /// The names of parameters. What they are by default is computed where the function stands.
    fn parameters(&mut self, head: &[CodeToken]) -> Vec<&'t str> {
        let inside = head.get(3..head.len().saturating_sub(1));
        let mut names = Vec::new();
        for part in self.parts(inside.unwrap_or_default()) {
            let name = part.iter().find(|token| token.kind == TokenKind::Name);
            names.extend(name.map(|token| self.word(token)));
            if let [_, default @ ..] = &part[self.end_of(part, "=")..] {
                let CodeValue { names, .. } = self.opaque(default);
                let doubt = Doubt::executed(default[0].byte(), self.text_of(default));
                names.iter().for_each(|name| self.scope.spoil(name, &doubt));
            }
        }
        names
    }

    /// A branch, a loop, or a block that is always executed.
    fn block(&mut self, word: &str, head: &[CodeToken], inside: &[CodeToken], indent: usize) {
        let byte = head[0].byte();
        let text = self.first_line(byte);
        let is_main = matches!(head, [_, name, same, _] if self.word(name) == "__name__" && self.word(same) == "==");
        let is_certain = is_main || matches!(word, "try" | "finally" | "with");
        let (plays, remarks) = (self.plays, self.remarks.len());
        let names = self.bound(word, head);
        if !is_certain {
            self.enter_block();
        }
        for name in names.0 {
            self.scope
                .assign(name, Err(Doubt::executed(byte, name)), &names.1, byte);
        }
        self.body(inside, indent);
        if is_certain {
            return;
        }
        self.scope.leave_block();
        if self.plays == plays {
            self.remarks.truncate(remarks);
            if word != "except" {
                self.passed(byte);
            }
            return;
        }
        let sentence = match word {
            "for" | "while" => "is not executed: what it plays is read once",
            _ => "is not executed: what it plays is read as if it were executed",
        };
        self.remark(byte, format!("{} {sentence}", quoted(text)));
    }

    /// Reads what a header computes; the names that it gives values to, and the lists that these may be of.
    fn bound(&mut self, word: &str, head: &[CodeToken]) -> (Vec<&'t str>, Vec<&'t str>) {
        let names_in = |reader: &Self, tokens: &[CodeToken]| -> Vec<&'t str> {
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
    fn body(&mut self, inside: &[CodeToken], indent: usize) {
        if !inside.is_empty() {
            let line = CodeLine {
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
}
