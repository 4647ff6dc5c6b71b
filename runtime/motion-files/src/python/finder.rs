//! Finds the functions of a file, word by word. Called by `statements`.
//! The law: what cannot be read is a mistake of who reads the file itself; here it ends the search.

use std::collections::HashSet;

use super::code;
use super::functions::{FileFunctions, FunctionText};
use super::known::{is_almighty, is_playing, leaves_alone};
use super::literals::blanks;
use crate::fault::FileMistake;
use crate::text::cursor::Cursor;

/// A function whose text is being read.
struct OpenFunction<'t> {
    name: &'t str,
    indent: usize,
    from: usize,
    text: FunctionText<'t>,
}

/// Finds the functions of a file.
struct FunctionFinder<'t> {
    cursor: Cursor<'t>,
    open: Vec<OpenFunction<'t>>,
    /// The last words of the calls that the cursor is within.
    brackets: Vec<&'t str>,
    /// Names that stand without a call.
    handed: HashSet<&'t str>,
    is_decorated: bool,
    /// The names that get a value if `=` follows, or `in`; whether the parameters of a function are read.
    targets: Option<Vec<&'t str>>,
    is_header: bool,
    is_global: bool,
    found: FileFunctions<'t>,
}

/// The functions of a file. What cannot be read is a mistake of who reads the file itself.
pub(super) fn find<'t>(cursor: &Cursor<'t>) -> FileFunctions<'t> {
    let mut finder = FunctionFinder {
        cursor: cursor.clone(),
        open: Vec::new(),
        brackets: Vec::new(),
        handed: HashSet::new(),
        is_decorated: false,
        targets: None,
        is_header: false,
        is_global: false,
        found: FileFunctions::default(),
    };
    let _ = finder.all();
    let end = finder.cursor.byte();
    finder.close(0, end);
    for (name, function) in &mut finder.found.by_name {
        let is_special = name.starts_with("__") && *name != "__init__";
        function.is_handed = is_special || finder.handed.contains(name);
    }
    if finder.handed.contains("getattr") {
        let all = finder.found.by_name.values_mut();
        all.for_each(|it| it.is_handed = true);
    }
    finder.found
}

impl<'t> FunctionFinder<'t> {
    fn all(&mut self) -> Result<(), FileMistake> {
        let mut is_begin = true;
        while let Some(letter) = self.cursor.peek() {
            if is_begin && self.brackets.is_empty() && !letter.is_whitespace() && letter != '#' {
                let at = self.cursor.byte();
                let indent = self.cursor.indent_at(at);
                self.close(indent, at);
                is_begin = false;
                (self.targets, self.is_global) = (Some(Vec::new()), false);
                self.is_decorated |= letter == '@';
                if self.cursor.clone().name() == Some("def") {
                    self.define(indent, at);
                    continue;
                }
                self.is_decorated &= letter == '@';
            }
            match letter {
                '\n' | '\r' => is_begin = true,
                '\\' => {
                    self.cursor.next();
                    self.cursor.take("\r\n");
                }
                '#' => {
                    self.cursor.take_while(|it| it != '\n' && it != '\r');
                    continue;
                }
                '"' | '\'' => {
                    self.targets = None;
                    code::texts(&mut self.cursor)?;
                    continue;
                }
                '(' | '[' | '{' => {
                    self.brackets.push("");
                    self.targets = self.targets.take().filter(|_| letter == '(');
                }
                ')' | ']' | '}' => {
                    self.brackets.pop();
                    self.is_header &= !self.brackets.is_empty();
                }
                ';' | ':' if self.brackets.is_empty() => {
                    (self.targets, self.is_global) = (Some(Vec::new()), false);
                }
                '=' if !self.is_header => self.assigned(),
                ',' | '*' | ' ' | '\t' => {}
                '.' => {
                    self.targets = None;
                    self.cursor.next();
                    blanks(&mut self.cursor);
                    self.named(true);
                    continue;
                }
                letter if letter.is_ascii_digit() => {
                    self.targets = None;
                    self.cursor.number_text();
                    continue;
                }
                letter if letter.is_alphabetic() || letter == '_' => {
                    self.named(false);
                    continue;
                }
                _ => self.targets = None,
            }
            self.cursor.next();
        }
        Ok(())
    }

    /// `def name(`.
    fn define(&mut self, indent: usize, from: usize) {
        self.cursor.name();
        blanks(&mut self.cursor);
        let name = self.cursor.name().unwrap_or("");
        let text = FunctionText {
            name,
            outer: self.open.last().map_or("", |it| it.name),
            from,
            count: 1,
            is_strange: std::mem::take(&mut self.is_decorated),
            ..FunctionText::default()
        };
        self.is_header = true;
        self.open.push(OpenFunction {
            name,
            indent,
            from,
            text,
        });
    }

    /// A name, behind a point or not.
    fn named(&mut self, is_part: bool) {
        let at = self.cursor.byte();
        let Some(name) = self.cursor.name() else {
            return;
        };
        blanks(&mut self.cursor);
        let within = self.brackets.last().copied().unwrap_or("");
        let next = self.cursor.peek();
        let function = self.open.last().map_or("", |it| it.name);
        if self.is_header {
            let before = self.cursor.before(at);
            let is_parameter = before.ends_with(['(', ',', '*']);
            if let Some(open) = self.open.last_mut() {
                open.text.locals.extend(is_parameter.then_some(name));
                // A list that a parameter is without an argument.
                open.text.is_almighty |=
                    !is_parameter && !matches!(name, "True" | "False" | "None");
            }
            return;
        }
        if next == Some('(') {
            self.targets = None;
            self.cursor.next();
            self.brackets.push(name);
            let callers = self.found.callers.entry(name).or_default();
            callers.insert(function);
            if name == "getattr" {
                self.handed.insert(name);
            }
            if let Some(open) = self.open.last_mut() {
                open.text.calls.insert(name);
                open.text.does |= is_playing(name) || matches!(name, "append" | "extend");
                open.text.is_almighty |= is_almighty(name) && !is_part;
            }
            return;
        }
        self.handed.insert(name);
        if self.is_target(name, is_part) {
            return;
        }
        let is_left = match next {
            Some(',' | ')') => leaves_alone(within),
            Some('.') => {
                let mut rest = self.cursor.clone();
                rest.next();
                let called = rest.name().unwrap_or("");
                rest.peek() == Some('(') && leaves_alone(called)
            }
            _ => false,
        };
        if is_part && !is_left {
            let sites = self.found.sites.entry(name).or_default();
            sites.entry(function).or_insert(at);
        }
        if let Some(open) = self.open.last_mut() {
            open.text.names.insert(name);
            open.text.does |= self.cursor.rest().starts_with("+=");
            open.text.gives |=
                matches!(name, "return" | "yield") && !matches!(next, Some('\n' | '\r' | ';'));
            if !is_part && !is_left {
                open.text.changed.insert(name);
            }
            open.text.is_strange |= name == "yield";
            open.text.is_almighty |= name == "__dict__";
            if is_part && !is_left {
                open.text.parts.insert(name);
            }
        }
    }

    /// Whether a name is a word of the language before names that get values, or a name of the file itself.
    fn is_target(&mut self, name: &'t str, is_part: bool) -> bool {
        match name {
            "for" if self.brackets.is_empty() => self.targets = Some(Vec::new()),
            "as" => self.targets = Some(Vec::new()),
            "in" => {
                self.assigned();
                self.targets = None;
            }
            "global" | "nonlocal" => self.is_global = true,
            _ if self.is_global => {
                if let Some(open) = self.open.last_mut() {
                    open.text.globals.insert(name);
                }
            }
            _ => {
                if let Some(targets) = self.targets.as_mut().filter(|_| !is_part) {
                    targets.push(name);
                }
                return false;
            }
        }
        true
    }

    /// The names before this sign get values.
    fn assigned(&mut self) {
        let is_value = !self.cursor.rest().starts_with("==");
        let targets = self.targets.take().filter(|_| is_value);
        if let Some(open) = self.open.last_mut() {
            open.text.locals.extend(targets.into_iter().flatten());
        }
        self.targets = (is_value && self.brackets.is_empty()).then(Vec::new);
    }

    /// The functions that are at least so far indented end at this byte.
    fn close(&mut self, indent: usize, end: usize) {
        while let Some(function) = self.open.pop_if(|it| it.indent >= indent) {
            let mut text = function.text;
            text.size = end - function.from;
            let known = self.found.by_name.entry(function.name).or_default();
            known.count += text.count;
            (known.name, known.outer, known.from) = (text.name, text.outer, text.from);
            known.does |= text.does;
            known.size += text.size;
            known.parts.extend(text.parts);
            known.names.extend(text.names);
            // What one of several of a name has of its own, another may change.
            known.changed.extend(text.changed.difference(&text.locals));
            known.globals.extend(text.globals);
            known.calls.extend(text.calls);
            known.is_almighty |= text.is_almighty;
            known.gives |= text.gives;
            known.is_strange |= text.is_strange;
        }
    }
}
