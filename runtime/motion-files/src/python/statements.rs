//! The lines of an export, one after the other. Called by `python`.
//! The law: nothing is executed. A line is read if what it does to the lists is known from its text; a block is read as
//! what may happen, and any other code is passed over with a remark.

use super::code::{self, PassedCode};
use super::known::is_played_in;
use super::literals::{blanks, skip};
use super::reader::{LISTS, PythonReader};
use super::scope::BlockKind;
use super::values::ExportedLists;
use crate::fault::{FileMistake, quoted};
use crate::text::cursor::Cursor;

/// Reads the motions of an export.
pub(super) fn read(
    cursor: &Cursor<'_>,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<ExportedLists>, FileMistake> {
    let mut reader = PythonReader::new(cursor.clone(), super::finder::find(cursor), remarks);
    loop {
        skip(&mut reader.cursor);
        if reader.cursor.take(";") {
            continue;
        }
        if reader.cursor.peek().is_none() {
            break;
        }
        reader.statement()?;
        reader.is_over = false;
    }
    reader.end()?;
    Ok(reader.motions)
}

impl<'t> PythonReader<'t, '_> {
    /// The end of the file: lists that nothing plays are a motion, too.
    fn end(&mut self) -> Result<(), FileMistake> {
        for motion in &mut self.motions {
            let late = |it: &usize| self.scope.late.get(it);
            if let Some(why) = motion.readers.iter().find_map(late) {
                motion.lists = Err(why.clone());
            }
        }
        // What a function plays is known from its calls.
        let (followed, unfollowed) = (&self.followed_names, &self.unfollowed);
        self.motions.retain(|it| {
            let is_called = followed.contains(&*it.function) && !unfollowed.contains(&*it.function);
            it.lists.is_ok() || it.is_at_call || !is_called
        });
        if !self.motions.is_empty() && !self.all_wait() {
            return Ok(());
        }
        self.function = "";
        let byte = self.cursor.byte();
        let is_there = LISTS.iter().all(|it| self.scope.get(it).is_some());
        if self.motions.is_empty() && !is_there {
            if let Some(mistake) = self.unread.take() {
                return Err(mistake);
            }
            if let Some((byte, name)) = self.timeless {
                let what = match name {
                    "angleInterpolationWithSpeed" => {
                        "a share of the fastest speed instead of times"
                    }
                    _ => "no times",
                };
                let sentence = format!(
                    "{} has {what}, which a motion needs; fix: write it as a call of `angleInterpolation`, with the \
                     times at which the joints are there",
                    quoted(name)
                );
                return Err(self.cursor.wrong_at(byte, sentence));
            }
        }
        self.play(LISTS, byte)?;
        if is_there {
            let sentence = "nothing plays `names`, `times` and `keys`: they are taken as they stand at the end of the \
                            file; check that its end is not missing";
            self.remark(byte, sentence.to_owned());
        }
        Ok(())
    }

    /// Whether there are lists that nothing has played.
    pub(super) fn all_wait(&self) -> bool {
        LISTS.iter().all(|it| self.scope.waits(it))
    }

    pub(super) fn statement(&mut self) -> Result<(), FileMistake> {
        let from = self.cursor.byte();
        let word = self.cursor.clone().name().unwrap_or("");
        let is_clause = self.is_clause(word);
        match word {
            "from" | "import" => self.import(from),
            "global" | "nonlocal" => self.shared(from),
            "pass" => code::statement(&mut self.cursor, from).map(drop),
            "break" | "continue" => {
                code::statement(&mut self.cursor, from)?;
                self.is_over = true;
                Ok(())
            }
            "try" | "finally" | "with" if is_clause => self.header(from, None),
            "if" | "elif" | "else" | "except" if is_clause => {
                self.header(from, Some(BlockKind::Branch))
            }
            "for" | "while" if is_clause => self.header(from, Some(BlockKind::Loop)),
            "class" => self.header(from, Some(BlockKind::Class)),
            "def" => self.define(from),
            "return" => self.returned(from),
            "raise" if is_clause => {
                self.behind_word(from)?;
                self.is_over = true;
                Ok(())
            }
            "assert" if is_clause => self.behind_word(from),
            "print" if self.is_old_print() => self.behind_word(from),
            _ => self.simple(from),
        }
    }

    /// Whether a word begins a line of its own, and is no name that gets a value.
    fn is_clause(&self, word: &str) -> bool {
        let mut cursor = self.cursor.clone();
        cursor.take(word);
        blanks(&mut cursor);
        !matches!(cursor.peek(), Some('=' | '.' | ')'))
    }

    /// A line that is no block: an assignment, or an expression. If it cannot be read it is passed over.
    fn simple(&mut self, from: usize) -> Result<(), FileMistake> {
        self.has_called = false;
        let plays = self.plays;
        let begin = self.motions.len();
        match self.assignment(from) {
            Ok(true) => {
                if self.has_called && self.plays == plays {
                    self.passed_remark(from);
                }
                Ok(())
            }
            Ok(false) => self.pass(from),
            Err(mistake) => {
                let is_list = LISTS.contains(&self.target(from)) || self.plays > plays;
                self.motions.truncate(begin);
                if is_list || mistake.sentence.contains("has no end") || self.budget == 0 {
                    return Err(mistake);
                }
                self.pass(from)?;
                let line = self.text_between(from, self.cursor.byte());
                if self.unread.is_none() && is_played_in(line) {
                    self.unread = Some(mistake);
                }
                Ok(())
            }
        }
    }

    /// The name with which a line begins.
    fn target(&self, from: usize) -> &'t str {
        let mut cursor = self.cursor.clone();
        cursor.go_back(from);
        cursor.name().unwrap_or("")
    }

    /// Passes over code, with its block, that cannot be read.
    pub(super) fn pass(&mut self, from: usize) -> Result<(), FileMistake> {
        let passed = code::statement(&mut self.cursor, from)?;
        if self.cursor.byte() == from {
            // A sign that begins nothing.
            self.cursor.next();
        }
        self.touch(from, &passed);
        self.passed_remark(from);
        if passed.is_header {
            self.scope.enter(BlockKind::Loop, from);
            self.body(from)?;
            self.scope.leave();
        }
        Ok(())
    }

    /// Names of another file. Those of mathematics are known; others hide what they stood for.
    fn import(&mut self, from: usize) -> Result<(), FileMistake> {
        let passed = code::statement(&mut self.cursor, from)?;
        let line = self.line(from);
        let known = ["math", "numpy", "almath", "motion", "naoqi", "np"];
        let module = passed.names.get(1).copied().unwrap_or("");
        let is_from = passed.names.first() == Some(&"from");
        if is_from && line.trim_end().ends_with('*') && !known.contains(&module) {
            self.scope.spoil_all(from);
        }
        let mut names = passed.names.iter().copied().skip(1).peekable();
        let (mut word, mut is_behind) = ("", !is_from);
        while let Some(name) = names.next() {
            is_behind |= word == "import" || name == "import";
            let is_renamed = word == "as" && !known.contains(&module);
            let is_new =
                is_from && is_behind && names.peek() != Some(&"as") && !known.contains(&module);
            if is_behind && !matches!(name, "import" | "as") && (is_renamed || is_new) {
                let unknown = super::values::Evaluated::unknown(from, name).value;
                self.scope.assign(name, unknown, &[], from);
                self.functions.insert(name);
            }
            word = name;
        }
        Ok(())
    }

    /// Names from outside that a function may give other values.
    fn shared(&mut self, from: usize) -> Result<(), FileMistake> {
        let passed = code::statement(&mut self.cursor, from)?;
        for name in passed.names.iter().skip(1) {
            self.scope.spoil(name, from);
        }
        Ok(())
    }

    /// Code may have changed all that it names.
    fn touch(&mut self, from: usize, passed: &PassedCode<'t>) {
        for name in &passed.names {
            if self.scope.get(name).is_some() {
                self.scope.spoil(name, from);
            }
        }
    }

    /// Whether nothing follows on the line.
    pub(super) fn has_ended(&mut self) -> bool {
        blanks(&mut self.cursor);
        matches!(self.cursor.peek(), None | Some('\n' | '\r' | '#' | ';'))
    }
}
