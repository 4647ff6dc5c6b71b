//! The syntax of B-Human's settings: `name = value;`, `{...}`, `[...]`, comments as in C. Called by
//! `kick`.
//! Names may come in any order; a comma or semicolon divides, and may also end.

use crate::fault::{FileMistake, quoted};
use crate::text::cursor::Cursor;
use crate::text::number::number;
use crate::tree::{ENTRIES_MAX, TreeBudget, TreeNode, TreeValue};

/// Reads a whole text as a table.
pub(crate) fn read(text: &str) -> Result<TreeNode, FileMistake> {
    let mut reader = SettingsReader {
        cursor: Cursor::new(text),
        places: crate::tree::PlaceFinder::new(text),
        budget: TreeBudget::default(),
    };
    let entries = reader.entries(0, None)?;
    Ok(TreeNode {
        place: (1, 1),
        value: TreeValue::Table(entries),
    })
}

struct SettingsReader<'t> {
    cursor: Cursor<'t>,
    places: crate::tree::PlaceFinder<'t>,
    budget: TreeBudget,
}

impl SettingsReader<'_> {
    fn skip(&mut self) -> Result<(), FileMistake> {
        loop {
            self.cursor.take_while(char::is_whitespace);
            let from = self.cursor.byte();
            if self.cursor.take("//") || self.cursor.take("#") {
                self.cursor.take_while(|c| c != '\n' && c != '\r');
            } else if self.cursor.take("/*") {
                let Some(end) = self.cursor.rest().find("*/") else {
                    return Err(self
                        .cursor
                        .wrong_at(from, "the comment that begins here has no end"));
                };
                self.cursor.skip_bytes(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn entries(
        &mut self,
        depth: usize,
        close: Option<char>,
    ) -> Result<Vec<(Box<str>, TreeNode)>, FileMistake> {
        let mut entries: Vec<(Box<str>, TreeNode)> = Vec::new();
        loop {
            self.skip()?;
            if self.cursor.take(";") || self.cursor.take(",") {
                continue;
            }
            match self.cursor.peek() {
                None if close.is_none() => return Ok(entries),
                None => {
                    return Err(self
                        .cursor
                        .wrong("the file ends inside { }; fix: check its end"));
                }
                letter if letter == close => {
                    self.cursor.next();
                    return Ok(entries);
                }
                _ => {}
            }
            let from = self.cursor.byte();
            let Some(name) = self.cursor.name() else {
                return Err(self.cursor.wrong("expected a name, as in duration = 500;"));
            };
            let name: Box<str> = name.into();
            self.skip()?;
            if !self.cursor.take("=") {
                let sentence = format!("expected = behind {}", quoted(&name));
                return Err(self.cursor.wrong(sentence));
            }
            if entries.len() >= ENTRIES_MAX {
                let sentence = format!("more than {ENTRIES_MAX} names in one table");
                return Err(self.cursor.wrong_at(from, sentence));
            }
            if entries.iter().any(|entry| entry.0 == name) {
                let sentence = format!("{} comes twice", quoted(&name));
                return Err(self.cursor.wrong_at(from, sentence));
            }
            let value = self.value(depth)?;
            entries.push((name, value));
        }
    }

    fn value(&mut self, depth: usize) -> Result<TreeNode, FileMistake> {
        self.skip()?;
        let from = self.cursor.byte();
        let place = self.places.place(from);
        let wrong = |item: &Self, sentence: String| item.cursor.wrong_at(from, sentence);
        self.budget
            .take(depth)
            .map_err(|error| wrong(self, error))?;
        let value = match self.cursor.peek() {
            Some('{') => {
                self.cursor.next();
                TreeValue::Table(self.entries(depth + 1, Some('}'))?)
            }
            Some('[') => {
                self.cursor.next();
                TreeValue::List(self.items(depth + 1)?)
            }
            Some('"') => TreeValue::Text(self.cursor.quoted_text()?.into()),
            Some(letter) if letter.is_ascii_digit() || ".+-".contains(letter) => {
                let text = self.cursor.number_text();
                // An angle may have its unit behind it.
                let bare = text
                    .strip_suffix("deg")
                    .or(text.strip_suffix("rad"))
                    .unwrap_or(text);
                number(bare, false)
                    .map_err(|fault| wrong(self, format!("{}: {fault}", quoted(text))))?;
                TreeValue::Number(text.into())
            }
            _ => match self.cursor.name() {
                Some("true") => TreeValue::Bool(true),
                Some("false") => TreeValue::Bool(false),
                Some(word) => TreeValue::Word(word.into()),
                None => {
                    let sentence = "expected a number, a word, a text, { or [";
                    return Err(self.cursor.wrong(sentence));
                }
            },
        };
        Ok(TreeNode { place, value })
    }

    fn items(&mut self, depth: usize) -> Result<Vec<TreeNode>, FileMistake> {
        let mut items = Vec::new();
        loop {
            self.skip()?;
            if self.cursor.take("]") {
                return Ok(items);
            }
            if self.cursor.peek().is_none() {
                return Err(self
                    .cursor
                    .wrong("the file ends inside [ ]; fix: check its end"));
            }
            if self.cursor.take(",") || self.cursor.take(";") {
                continue;
            }
            items.push(self.value(depth)?);
        }
    }
}

/// Writes a table.
pub(crate) fn write(root: &TreeNode) -> String {
    let mut out = String::new();
    if let TreeValue::Table(entries) = &root.value {
        for (name, value) in entries {
            out.push_str(&format!("{name} = "));
            put(value, 0, &mut out);
            out.push_str(";\n");
        }
    }
    out
}

fn put(node: &TreeNode, depth: usize, out: &mut String) {
    let indent = |depth: usize| "  ".repeat(depth);
    match &node.value {
        TreeValue::Null => {}
        TreeValue::Bool(value) => out.push_str(&value.to_string()),
        TreeValue::Number(word) | TreeValue::Word(word) => out.push_str(word),
        TreeValue::Text(text) => {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
            out.push_str(&format!("\"{escaped}\""));
        }
        TreeValue::List(items) if items.iter().all(is_small) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                put(item, depth, out);
            }
            out.push(']');
        }
        TreeValue::List(items) => {
            out.push_str("[\n");
            for (number, item) in items.iter().enumerate() {
                out.push_str(&indent(depth + 1));
                put(item, depth + 1, out);
                out.push_str(if number + 1 < items.len() {
                    ",\n"
                } else {
                    "\n"
                });
            }
            out.push_str(&format!("{}]", indent(depth)));
        }
        TreeValue::Table(entries)
            if entries.iter().all(|entry| is_small(&entry.1)) && entries.len() <= 3 =>
        {
            out.push('{');
            for (name, value) in entries {
                out.push_str(&format!("{name} = "));
                put(value, depth, out);
                out.push_str("; ");
            }
            if out.ends_with(' ') {
                out.pop();
            }
            out.push('}');
        }
        TreeValue::Table(entries) => {
            out.push_str("{\n");
            for (name, value) in entries {
                out.push_str(&format!("{}{name} = ", indent(depth + 1)));
                put(value, depth + 1, out);
                out.push_str(";\n");
            }
            out.push_str(&format!("{}}}", indent(depth)));
        }
    }
}

/// Whether a value is neither a list nor a table.
fn is_small(node: &TreeNode) -> bool {
    !matches!(node.value, TreeValue::List(_) | TreeValue::Table(_))
}
