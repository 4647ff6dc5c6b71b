//! Blocks: functions, classes, branches and loops. Called by `statements`.
//! The law: what a block may do is as good as done. A branch that plays is a motion; a list that a block changes, and
//! that is from outside, is not known behind it.

use super::assignments::tuple_of;
use super::code;
use super::literals::{blanks, skip};
use super::reader::{LISTS, PythonReader};
use super::scope::BlockKind;
use super::values::Evaluated;
use super::values::FollowedCall;
use crate::fault::{FileMistake, quoted};

/// How deep blocks may be in each other.
const BLOCKS_MAX: usize = 60;

impl<'t> PythonReader<'t, '_> {
    /// A line with a block behind it.
    pub(super) fn header(
        &mut self,
        from: usize,
        kind: Option<BlockKind>,
    ) -> Result<(), FileMistake> {
        let word = self.cursor.name().unwrap_or("");
        let line = self.line(from);
        let is_main = word == "if" && line.contains("__name__");
        let kind = kind.filter(|_| !is_main);
        let mut over = Vec::new();
        let targets;
        if word == "class" || word == "except" {
            self.known_as(word);
            code::header(&mut self.cursor)?;
            targets = self.names_behind_as(from);
        } else if word == "for" {
            targets = self.loop_names()?;
            over = self.condition()?;
        } else {
            over = self.condition()?;
            targets = self.names_behind_as(from);
        }
        if !self.cursor.take(":") {
            return self.pass(from);
        }
        let (plays, remarks) = (self.plays, self.remarks.len());
        if let Some(kind) = kind {
            self.scope.enter(kind, from);
        }
        for target in targets {
            let unknown = Evaluated::unknown(from, target).value;
            self.scope.assign(target, unknown, &over, from);
        }
        self.body(from)?;
        let Some(kind) = kind else {
            return Ok(());
        };
        self.scope.leave();
        if let Some(why) = self.scope.again.take() {
            self.motion(why.byte, Err(why))?;
        }
        if kind == BlockKind::Class {
            return Ok(());
        }
        let has_played = self.plays > plays;
        if word == "except" && !has_played {
            self.remarks.truncate(remarks);
            return Ok(());
        }
        if !has_played {
            self.remarks.truncate(remarks);
            self.passed_remark(from);
            return Ok(());
        }
        let sentence = match kind {
            BlockKind::Loop => "is not executed: what it plays is read once",
            _ => "is not executed: what it plays is read as if it were so",
        };
        self.remark(from, format!("{} {sentence}", quoted(line)));
        Ok(())
    }

    /// What stands between a word and its colon; the lists in it.
    fn condition(&mut self) -> Result<Vec<&'t str>, FileMistake> {
        let mut lists = Vec::new();
        loop {
            blanks(&mut self.cursor);
            if self.cursor.peek() == Some(':') {
                return Ok(lists);
            }
            let before = self.cursor.byte();
            let it = self.expression(false)?;
            lists.extend(it.lists);
            blanks(&mut self.cursor);
            let from = self.cursor.clone();
            if self.cursor.name() != Some("as") && !self.cursor.take(",") {
                self.cursor = from;
                return Ok(lists);
            }
            if self.cursor.byte() == before {
                return Ok(lists);
            }
        }
    }

    /// The names that a loop gives values to, and the `in` behind them.
    fn loop_names(&mut self) -> Result<Vec<&'t str>, FileMistake> {
        let mut names = Vec::new();
        loop {
            self.cursor.take_while(|it| " \t(),*[]".contains(it));
            match self.cursor.name() {
                Some("in") => return Ok(names),
                Some(name) => names.push(name),
                None => return Err(self.cursor.wrong("expected a name, or `in`")),
            }
        }
    }

    /// `def name(...):`. Lists that it leaves unplayed are a motion.
    pub(super) fn define(&mut self, from: usize) -> Result<(), FileMistake> {
        self.cursor.name();
        blanks(&mut self.cursor);
        let name = self.cursor.name().unwrap_or("");
        let parameters = code::header(&mut self.cursor)?;
        if !self.cursor.take(":") {
            return self.pass(from);
        }
        let outer = self.function;
        self.functions.insert(name);
        let kind = match name {
            "__init__" => BlockKind::Maker,
            _ => BlockKind::Function,
        };
        self.scope.enter(kind, from);
        if let Some(block) = self.scope.blocks.last_mut() {
            block.is_handed |= self.texts.is_handed(name);
        }
        for parameter in &parameters {
            let unknown = Evaluated::unknown(from, parameter).value;
            self.scope.take_parameter(parameter, unknown, from);
        }
        let motions = self.motions.len();
        let is_within = !self.calls.is_empty();
        if is_within {
            // It is known from where it stands what it plays; what it may change is not known here as well.
            self.calls.push(FollowedCall::of(name));
        } else {
            self.function = name;
        }
        self.body(from)?;
        if is_within {
            self.calls.pop();
            self.motions.truncate(motions);
        } else if self.all_wait() {
            self.play(LISTS, from)?;
            self.is_given_back(motions);
        }
        self.scope.leave();
        self.function = outer;
        Ok(())
    }

    /// A class is known by its name.
    fn known_as(&mut self, word: &str) {
        if word == "class" {
            blanks(&mut self.cursor);
            if let Some(name) = self.cursor.clone().name() {
                self.functions.insert(name);
            }
        }
    }

    /// The names that stand behind `as` in a header that begins at this byte.
    fn names_behind_as(&self, from: usize) -> Vec<&'t str> {
        let text = self.text_between(from, self.cursor.byte());
        let parts = text.split(" as ").skip(1);
        let is_other = |it: char| !it.is_alphanumeric() && it != '_';
        let names = parts.flat_map(|it| it.trim_start_matches(['(', ' ']).split(is_other).next());
        names.filter(|it| !it.is_empty()).collect()
    }

    /// `return names, times, keys` of an export.
    pub(super) fn returned(&mut self, from: usize) -> Result<(), FileMistake> {
        self.cursor.name();
        self.is_over = true;
        blanks(&mut self.cursor);
        if matches!(self.cursor.peek(), None | Some('\n' | '\r' | '#' | ';')) {
            self.gives(None);
            return Ok(());
        }
        let before = self.cursor.clone();
        let begin = self.cursor.byte();
        let value = self.tuple();
        let read = value.is_ok();
        if !self.calls.is_empty() {
            self.gives(Some(match &value {
                Ok(all) => tuple_of(all),
                Err(_) => Evaluated::unknown(begin, self.text_from(begin)),
            }));
        }
        let text = self.text_between(begin, self.cursor.byte());
        let words: Vec<_> = text
            .split([',', '(', ')', '[', ']', ' '])
            .filter(|it| !it.is_empty())
            .collect();
        if read && words == LISTS && self.all_wait() && self.calls.is_empty() {
            let motions = self.motions.len();
            self.play(LISTS, from)?;
            self.is_given_back(motions);
        }
        self.cursor = before;
        code::statement(&mut self.cursor, begin).map(drop)
    }

    /// What follows a colon: the rest of the line, or the lines that are indented.
    pub(super) fn body(&mut self, from: usize) -> Result<(), FileMistake> {
        if self.blocks >= BLOCKS_MAX {
            return Err(self.cursor.wrong("blocks too deep in each other"));
        }
        self.blocks += 1;
        let done = self.lines(from);
        self.blocks -= 1;
        self.is_over = false;
        done
    }

    fn lines(&mut self, from: usize) -> Result<(), FileMistake> {
        blanks(&mut self.cursor);
        if !matches!(self.cursor.peek(), None | Some('\n' | '\r' | '#')) {
            loop {
                let begin = self.cursor.byte();
                if self.is_over {
                    code::statement(&mut self.cursor, begin)?;
                } else {
                    self.statement()?;
                }
                blanks(&mut self.cursor);
                if !self.cursor.take(";") {
                    return Ok(());
                }
                blanks(&mut self.cursor);
                if matches!(self.cursor.peek(), None | Some('\n' | '\r' | '#')) {
                    return Ok(());
                }
            }
        }
        let depth = self.cursor.indent_at(from);
        loop {
            let before = self.cursor.byte();
            blanks(&mut self.cursor);
            // What goes on behind it is no deeper than its line, which may be long.
            let is_same_line = self.cursor.take(";");
            blanks(&mut self.cursor);
            let is_more = !matches!(self.cursor.peek(), None | Some('\n' | '\r' | '#' | ';'));
            if is_same_line && is_more {
                self.reached_statement()?;
                continue;
            }
            skip(&mut self.cursor);
            if self.cursor.peek() == Some(';') {
                continue;
            }
            if self.cursor.peek().is_none() || self.cursor.indent_at(self.cursor.byte()) <= depth {
                self.cursor.go_back(before);
                return Ok(());
            }
            self.reached_statement()?;
        }
    }

    /// A statement, or one that is passed over since what stands before it leaves the block.
    fn reached_statement(&mut self) -> Result<(), FileMistake> {
        let begin = self.cursor.byte();
        if !self.is_over {
            return self.statement();
        }
        code::statement(&mut self.cursor, begin)?;
        if self.cursor.byte() == begin {
            self.cursor.next();
        }
        Ok(())
    }

    /// The motions from this number on are given back by their function.
    fn is_given_back(&mut self, first: usize) {
        for motion in self.motions.iter_mut().skip(first) {
            motion.is_returned = true;
        }
    }

    /// Expressions behind a word: `assert`, or `print` without brackets, as Python 2 has it.
    pub(super) fn behind_word(&mut self, from: usize) -> Result<(), FileMistake> {
        self.cursor.name();
        let _ = self.cursor.take(" >>") || self.cursor.take(">>");
        let is_read = self.tuple().is_ok() && self.has_ended();
        if is_read {
            return Ok(());
        }
        code::statement(&mut self.cursor, from).map(drop)
    }

    /// Whether `print` stands without brackets.
    pub(super) fn is_old_print(&self) -> bool {
        let mut cursor = self.cursor.clone();
        cursor.name();
        blanks(&mut cursor);
        !matches!(cursor.peek(), Some('(' | '=' | '.'))
    }
}
