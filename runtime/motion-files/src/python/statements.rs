//! The lines of an export. Called by `python`.
//! The law: only these lines are read, and none is executed: assignments and `append` of literals,
//! and the call, or the `return`, which says what its lists are. Other code is passed over with a
//! remark, as long as it does not touch the lists that are played.

use std::collections::{HashMap, HashSet};

use super::code::{self, PassedCode};
use super::literals::{Literal, LiteralValue, blanks, read as literal, skip};
use crate::fault::{FileMistake, quoted};
use crate::text::cursor::Cursor;

/// The greatest number of values in an export.
const VALUES_MAX: usize = 8_000_000;

/// The most motions in a file.
const MOTIONS_MAX: usize = 1_000;

/// Calls that read a list and leave it as it is.
const READERS: [&str; 4] = ["print", "len", "setStiffnesses", "stiffnessInterpolation"];

/// The names of the lists, where nothing else is said.
const LISTS: [&str; 3] = ["names", "times", "keys"];

/// The lists of one motion: names, times, keys; and the function that it is in.
pub(super) struct ExportedLists {
    pub(super) function: String,
    pub(super) lists: [Literal; 3],
}

struct Statements<'t, 'r> {
    cursor: Cursor<'t>,
    lists: HashMap<&'t str, Literal>,
    /// Where code was passed over that a list is in.
    touched: HashMap<&'t str, usize>,
    /// The function that is being read.
    function: &'t str,
    /// The lists that nothing has played since they began.
    unplayed: HashSet<&'t str>,
    motions: Vec<ExportedLists>,
    remarks: &'r mut Vec<FileMistake>,
    budget: usize,
}

/// Reads the motions of an export.
pub(super) fn read(
    cursor: &Cursor<'_>,
    remarks: &mut Vec<FileMistake>,
) -> Result<Vec<ExportedLists>, FileMistake> {
    let mut reader = Statements {
        cursor: cursor.clone(),
        lists: HashMap::new(),
        touched: HashMap::new(),
        function: "",
        unplayed: HashSet::new(),
        motions: Vec::new(),
        remarks,
        budget: VALUES_MAX,
    };
    loop {
        skip(&mut reader.cursor);
        if reader.cursor.take(";") {
            continue;
        }
        if reader.cursor.peek().is_none() {
            break;
        }
        reader.statement()?;
    }
    if reader.motions.is_empty() || reader.waits() {
        reader.play(LISTS)?;
    }
    Ok(reader.motions)
}

impl<'t> Statements<'t, '_> {
    fn statement(&mut self) -> Result<(), FileMistake> {
        let from = self.cursor.byte();
        if matches!(self.cursor.peek(), Some('"' | '\'')) {
            return self.remark(from);
        }
        let Some(name) = self.cursor.name() else {
            return self.pass(from);
        };
        match name {
            "from" | "import" | "pass" | "global" => {
                return code::statement(&mut self.cursor, from).map(drop);
            }
            "try" | "except" | "finally" | "class" | "print" => return self.enter(from),
            "def" => return self.define(from),
            "return" => return self.returned(from),
            _ => {}
        }
        blanks(&mut self.cursor);
        if self.cursor.take("+=") {
            return self.extend(from, name);
        }
        if self.cursor.rest().starts_with("==") || !self.cursor.take("=") {
            return self.method(from, name);
        }
        blanks(&mut self.cursor);
        let value = literal(&mut self.cursor, 0, &mut self.budget);
        match value.and_then(|it| self.ended().map(|()| it)) {
            Ok(value) => self.assign(from, name, value),
            Err(mistake) if LISTS.contains(&name) => Err(mistake),
            Err(_) => {
                self.touched.insert(name, from);
                self.pass(from)
            }
        }
    }

    /// A list, or anything else, gets its value.
    fn assign(&mut self, from: usize, name: &'t str, value: Literal) -> Result<(), FileMistake> {
        let is_full = |it: &Literal| it.items().is_ok_and(|it| !it.is_empty());
        let had = self.lists.get(name).is_some_and(is_full);
        if had && LISTS.contains(&name) && self.unplayed.contains(name) {
            let sentence = format!(
                "the list {} begins again, and nothing has played it; fix: one motion in a function, or in a file",
                quoted(name)
            );
            return Err(self.cursor.wrong_at(from, sentence));
        }
        self.touched.remove(name);
        self.lists.insert(name, value);
        self.unplayed.insert(name);
        Ok(())
    }

    /// Whether there are lists that nothing has played.
    fn waits(&self) -> bool {
        let is_full = |it: &str| {
            let list = self.lists.get(it);
            list.is_some_and(|it| it.items().is_ok_and(|it| !it.is_empty()))
        };
        LISTS
            .iter()
            .all(|it| is_full(it) && self.unplayed.contains(it))
    }

    /// The lists of these names are a motion.
    fn play(&mut self, names: [&str; 3]) -> Result<(), FileMistake> {
        let mut lists = Vec::with_capacity(names.len());
        for name in names {
            if let Some(at) = self.touched.get(name) {
                return Err(self.executed(*at, name));
            }
            let list = self.lists.get(name).cloned();
            lists.push(list.ok_or_else(|| {
                let sentence = format!(
                    "there is no list {}; fix: check that it is an export of Choregraphe",
                    quoted(name)
                );
                FileMistake::new(1, 1, sentence)
            })?);
        }
        let Ok(lists) = <[Literal; 3]>::try_from(lists) else {
            return Ok(());
        };
        let is_same = |it: &ExportedLists| {
            let pairs = it.lists.iter().zip(&lists);
            let same = |(one, other): (&Literal, &Literal)| {
                one.byte == other.byte
                    && one.items().map(<[_]>::len) == other.items().map(<[_]>::len)
            };
            pairs.into_iter().all(same)
        };
        // What is played twice is one motion.
        if !self.motions.iter().any(is_same) {
            if self.motions.len() == MOTIONS_MAX {
                let sentence = format!("more than {MOTIONS_MAX} motions");
                return Err(self.cursor.wrong(sentence));
            }
            let function = self.function.to_owned();
            self.motions.push(ExportedLists { function, lists });
        }
        for name in names {
            self.unplayed.remove(name);
        }
        Ok(())
    }

    /// `def name(...):`. What is inside is read as any other line; what the function before it has left is a motion.
    fn define(&mut self, from: usize) -> Result<(), FileMistake> {
        if self.waits() {
            self.play(LISTS)?;
        }
        blanks(&mut self.cursor);
        let name = self.cursor.name().unwrap_or("");
        self.enter(from)?;
        self.function = name;
        Ok(())
    }

    /// A line whose block is read as if it stood alone, and `print`.
    fn enter(&mut self, from: usize) -> Result<(), FileMistake> {
        code::statement(&mut self.cursor, from).map(drop)
    }

    /// Passes over code, with its block.
    fn pass(&mut self, from: usize) -> Result<(), FileMistake> {
        let mut passed = code::statement(&mut self.cursor, from)?;
        if passed.names.first() == Some(&"if") && passed.names.contains(&"__name__") {
            return Ok(());
        }
        code::block(&mut self.cursor, from, &mut passed)?;
        if self.cursor.byte() == from {
            // A sign that begins nothing.
            self.cursor.next();
        }
        self.touch(from, &passed);
        let sentence = format!(
            "{} is passed over: nothing is executed",
            quoted(passed.text)
        );
        let is_proxy = ["ALProxy", "service", "Session"]
            .iter()
            .any(|it| passed.names.contains(it));
        if !is_proxy {
            self.remarks.push(self.cursor.wrong_at(from, sentence));
        }
        Ok(())
    }

    /// Notes which lists may have been changed by code.
    fn touch(&mut self, from: usize, passed: &PassedCode<'t>) {
        if READERS.iter().any(|it| passed.names.contains(it)) {
            return;
        }
        for name in &passed.names {
            if self.lists.contains_key(name) || LISTS.contains(name) {
                self.touched.entry(name).or_insert(from);
            }
        }
    }

    /// The rest of `list += [...]`.
    fn extend(&mut self, from: usize, name: &'t str) -> Result<(), FileMistake> {
        let value = literal(&mut self.cursor, 0, &mut self.budget)?;
        let LiteralValue::List(more) = value.value else {
            let sentence = "expected a list; fix: write it in brackets";
            return Err(self.cursor.wrong_at(value.byte, sentence));
        };
        self.ended()?;
        self.known(from, name)?.extend(more);
        Ok(())
    }

    /// The items of a list that was begun before.
    fn known(&mut self, from: usize, name: &str) -> Result<&mut Vec<Literal>, FileMistake> {
        match self.lists.get_mut(name).map(|it| &mut it.value) {
            Some(LiteralValue::List(items)) => Ok(items),
            _ => {
                let sentence = format!("there is no list {} yet", quoted(name));
                Err(self.cursor.wrong_at(from, sentence))
            }
        }
    }

    /// `list.append(...)`, or the call that plays the lists; or any other code.
    fn method(&mut self, from: usize, name: &'t str) -> Result<(), FileMistake> {
        if !self.cursor.take(".") {
            return self.pass(from);
        }
        let mut method = self.cursor.name().unwrap_or("");
        // `self.motion.post.angleInterpolation(...)`
        while self.cursor.take(".") {
            method = self.cursor.name().unwrap_or("");
        }
        blanks(&mut self.cursor);
        match method {
            "append" if self.lists.contains_key(name) && self.cursor.take("(") => {
                let value = literal(&mut self.cursor, 0, &mut self.budget)?;
                skip(&mut self.cursor);
                if !self.cursor.take(")") {
                    return Err(self.cursor.wrong("expected )"));
                }
                self.ended()?;
                self.known(from, name)?.push(value);
                Ok(())
            }
            "angleInterpolation" if self.cursor.take("(") => self.call([0, 2, 1]),
            "angleInterpolationBezier" if self.cursor.take("(") => self.call([0, 1, 2]),
            _ => self.pass(from),
        }
    }

    /// The arguments of the call; `order`: what each is: names, times or keys.
    fn call(&mut self, order: [usize; 3]) -> Result<(), FileMistake> {
        let mut roles = LISTS;
        for (number, role) in order.into_iter().enumerate() {
            skip(&mut self.cursor);
            let at = self.cursor.clone();
            let name = self.cursor.name();
            let name =
                name.filter(|it| self.lists.contains_key(it) || self.touched.contains_key(it));
            if let Some(name) = name {
                roles[role] = name;
            } else {
                self.cursor = at;
                let value = literal(&mut self.cursor, 0, &mut self.budget)?;
                self.lists.insert(LISTS[role], value);
            }
            skip(&mut self.cursor);
            if number < 2 && !self.cursor.take(",") {
                return Err(self.cursor.wrong("expected a comma and the next list"));
            }
        }
        if self.cursor.take(",") {
            self.absolute()?;
        }
        if !self.cursor.take(")") {
            return Err(self.cursor.wrong("expected )"));
        }
        self.ended()?;
        self.play(roles)
    }

    /// The last argument of the call, perhaps with its name; a comma alone may stand there as well.
    fn absolute(&mut self) -> Result<(), FileMistake> {
        skip(&mut self.cursor);
        if self.cursor.peek() == Some(')') {
            return Ok(());
        }
        let at = self.cursor.clone();
        let is_named = self.cursor.name() == Some("isAbsolute");
        skip(&mut self.cursor);
        if !(is_named && self.cursor.take("=")) {
            self.cursor = at;
        }
        let is_absolute = literal(&mut self.cursor, 0, &mut self.budget)?;
        if !matches!(is_absolute.value, LiteralValue::Bool(true)) {
            let sentence = "angles relative to the present ones; fix: export absolute angles";
            return Err(self.cursor.wrong_at(is_absolute.byte, sentence));
        }
        skip(&mut self.cursor);
        Ok(())
    }

    /// A text that stands alone: people put lines out of use, or describe them, between three quotes.
    fn remark(&mut self, from: usize) -> Result<(), FileMistake> {
        let quotes = ["\"\"\"", "'''"];
        let Some(quotes) = quotes.into_iter().find(|it| self.cursor.take(it)) else {
            self.cursor.quoted_text()?;
            return self.ended();
        };
        let Some(length) = self.cursor.rest().find(quotes) else {
            let sentence = "the text that begins here has no end; fix: close its quotes";
            return Err(self.cursor.wrong_at(from, sentence));
        };
        self.cursor.skip_bytes(length + quotes.len());
        self.ended()
    }

    /// The end of a function: `return names, times, keys` of an export.
    fn returned(&mut self, from: usize) -> Result<(), FileMistake> {
        let passed = code::statement(&mut self.cursor, from)?;
        if passed.names.get(1..) == Some(&LISTS) && self.waits() {
            return self.play(LISTS);
        }
        Ok(())
    }

    /// Checks that nothing follows on the line.
    fn ended(&mut self) -> Result<(), FileMistake> {
        blanks(&mut self.cursor);
        match self.cursor.peek() {
            None | Some('\n' | '\r' | '#' | ';') => Ok(()),
            Some(_) => Err(self
                .cursor
                .wrong("this would have to be executed; fix: only lists of values are read here")),
        }
    }

    fn executed(&self, from: usize, what: &str) -> FileMistake {
        let sentence = format!(
            "{} would have to be executed, and nothing is; fix: keep only names, times and keys",
            quoted(what)
        );
        self.cursor.wrong_at(from, sentence)
    }
}
