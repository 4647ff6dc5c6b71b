//! The lines of an export. Called by `python`.
//! The law: only these lines are known, and none is executed: assignments and `append` of literals,
//! the imports and the `try` around the call that Choregraphe writes, and that call, which says
//! what its lists are.

use std::collections::HashMap;

use super::literals::{Literal, LiteralValue, blanks, read as literal, skip};
use crate::fault::{FileMistake, quoted};
use crate::text::cursor::Cursor;

/// The greatest number of values in an export.
const VALUES_MAX: usize = 8_000_000;

/// The arguments of the call: names of lists, or the lists.
type Roles = [Option<String>; 3];

struct Statements<'t> {
    cursor: Cursor<'t>,
    lists: HashMap<&'t str, Literal>,
    roles: Option<Roles>,
    budget: usize,
}

/// Reads an export: names, times, keys.
pub(super) fn read(cursor: &Cursor<'_>) -> Result<[Literal; 3], FileMistake> {
    let mut reader = Statements {
        cursor: cursor.clone(),
        lists: HashMap::new(),
        roles: None,
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
    let roles = reader.roles.take().unwrap_or_default();
    let defaults = ["names", "times", "keys"];
    let mut list = |at: usize| {
        let name = roles[at].as_deref().unwrap_or(defaults[at]);
        let list = reader.lists.remove(name);
        list.ok_or_else(|| {
            let sentence = format!(
                "there is no list {}; fix: check that it is an export of Choregraphe",
                quoted(name)
            );
            FileMistake::new(1, 1, sentence)
        })
    };
    Ok([list(0)?, list(1)?, list(2)?])
}

impl<'t> Statements<'t> {
    fn statement(&mut self) -> Result<(), FileMistake> {
        let from = self.cursor.byte();
        if matches!(self.cursor.peek(), Some('"' | '\'')) {
            return self.remark(from);
        }
        let Some(name) = self.cursor.name() else {
            return Err(self.executed(from, "this"));
        };
        match name {
            "from" | "import" => return self.import(from),
            "try" | "except" | "finally" => return self.handler(from),
            "print" | "pass" => return self.print(from),
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
        if self.cursor.take("ALProxy(") || self.cursor.take("session.service(") {
            return self.proxy(from);
        }
        let value = literal(&mut self.cursor, 0, &mut self.budget)?;
        self.ended()?;
        self.lists.insert(name, value);
        Ok(())
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

    /// `list.append(...)`, or the call that plays the lists.
    fn method(&mut self, from: usize, name: &'t str) -> Result<(), FileMistake> {
        if !self.cursor.take(".") {
            return Err(self.executed(from, name));
        }
        let mut method = self.cursor.name().unwrap_or("");
        if method == "post" && self.cursor.take(".") {
            method = self.cursor.name().unwrap_or("");
        }
        blanks(&mut self.cursor);
        match method {
            "append" if self.cursor.take("(") => {
                let value = literal(&mut self.cursor, 0, &mut self.budget)?;
                skip(&mut self.cursor);
                if !self.cursor.take(")") {
                    return Err(self.cursor.wrong("expected )"));
                }
                self.ended()?;
                self.known(from, name)?.push(value);
                Ok(())
            }
            "angleInterpolation" if self.cursor.take("(") => self.call(from, [0, 2, 1]),
            "angleInterpolationBezier" if self.cursor.take("(") => self.call(from, [0, 1, 2]),
            _ => Err(self.executed(from, &format!("{name}.{method}"))),
        }
    }

    /// The arguments of the call; `order`: what each is: names, times or keys.
    fn call(&mut self, from: usize, order: [usize; 3]) -> Result<(), FileMistake> {
        let mut roles: Roles = [None, None, None];
        for (number, role) in order.into_iter().enumerate() {
            skip(&mut self.cursor);
            let at = self.cursor.clone();
            match self.cursor.name() {
                Some(list) if self.lists.contains_key(list) => roles[role] = Some(list.to_owned()),
                _ => {
                    self.cursor = at;
                    let value = literal(&mut self.cursor, 0, &mut self.budget)?;
                    let name = ["names", "times", "keys"][role];
                    self.lists.insert(name, value);
                }
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
        if self.roles.is_some() {
            let sentence = "a second call; fix: one motion in a file";
            return Err(self.cursor.wrong_at(from, sentence));
        }
        self.roles = Some(roles);
        Ok(())
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

    fn import(&mut self, from: usize) -> Result<(), FileMistake> {
        let line = self.line();
        let known = [
            "naoqi",
            "qi",
            "time",
            "sys",
            "math",
            "almath",
            "motion",
            "__future__",
        ];
        let mut words = line.split_whitespace();
        if words.next().is_some_and(|it| known.contains(&it)) {
            return Ok(());
        }
        Err(self.executed(from, "this import"))
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

    /// `try:`, and `except ...:`; what is inside is read as any other line.
    fn handler(&mut self, from: usize) -> Result<(), FileMistake> {
        let is_short = |it: char| it.is_alphanumeric() || " ,._\t".contains(it);
        self.cursor.take_while(is_short);
        if self.cursor.take(":") {
            return Ok(());
        }
        Err(self.executed(from, "this"))
    }

    /// The rest of `motion = ALProxy("ALMotion", IP, 9559)`.
    fn proxy(&mut self, from: usize) -> Result<(), FileMistake> {
        let is_argument = |it: char| it.is_alphanumeric() || " \"'._,-".contains(it);
        self.cursor.take_while(is_argument);
        if !self.cursor.take(")") {
            return Err(self.executed(from, "this"));
        }
        self.ended()
    }

    /// `pass`, `print err`, `print(err)` and `print str(err)`.
    fn print(&mut self, from: usize) -> Result<(), FileMistake> {
        blanks(&mut self.cursor);
        let mut open = usize::from(self.cursor.take("("));
        if self.cursor.take("str(") {
            open += 1;
        }
        self.cursor
            .take_while(|it| it.is_alphanumeric() || it == '_');
        for _ in 0..open {
            if !self.cursor.take(")") {
                return Err(self.executed(from, "this"));
            }
        }
        self.ended()
    }

    /// The end of an exported function.
    fn returned(&mut self, from: usize) -> Result<(), FileMistake> {
        let line = self.line();
        let names = line.split(',').map(str::trim);
        if names.eq(["names", "times", "keys"]) {
            return Ok(());
        }
        Err(self.executed(from, "this"))
    }

    /// Takes the rest of a line.
    fn line(&mut self) -> &'t str {
        self.cursor.take_while(|it| it != '\n' && it != '\r')
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
