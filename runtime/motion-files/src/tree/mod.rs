//! A tree of values with the place of each in its text: what JSON, YAML and the settings of
//! robot-soccer teams have in common. Made by `json`, `yaml` and `team::settings`; read by the
//! formats that are written in them.
//! Numbers stay as they are written, tables keep their order, and the size of a tree is
//! limited.

pub(crate) mod json;
pub(crate) mod yaml;
mod yaml_flow;

use crate::fault::{FileMistake, quoted};
use crate::motion::KEYS_MAX;
use crate::text::number::{NumberFault, number, scaled};

/// The greatest number of values of a tree: each key of our own JSON is a table of four.
pub(crate) const NODES_MAX: usize = 5 * KEYS_MAX + 100_000;

/// The greatest depth of a tree.
pub(crate) const DEPTH_MAX: usize = 32;

/// The greatest number of entries of a table whose names are compared one by one.
pub(crate) const ENTRIES_MAX: usize = 4_096;

/// A value and its place.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// Its line and column; 0 in a tree that was not read.
    pub place: (u32, u32),
    /// The value.
    pub value: TreeValue,
}

/// A value of a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum TreeValue {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number, as it is written.
    Number(Box<str>),
    /// A text.
    Text(Box<str>),
    /// A list.
    List(Vec<TreeNode>),
    /// A table, in its order.
    Table(Vec<(Box<str>, TreeNode)>),
}

/// Two trees are the same if their values are; places do not count.
impl PartialEq for TreeNode {
    fn eq(&self, other: &TreeNode) -> bool {
        self.value == other.value
    }
}

impl From<TreeValue> for TreeNode {
    fn from(value: TreeValue) -> TreeNode {
        TreeNode {
            place: (0, 0),
            value,
        }
    }
}

impl TreeNode {
    /// A text.
    pub(crate) fn text(text: &str) -> TreeNode {
        TreeValue::Text(text.into()).into()
    }

    /// A number from its text.
    pub(crate) fn number(text: impl Into<Box<str>>) -> TreeNode {
        TreeValue::Number(text.into()).into()
    }

    /// A list.
    pub(crate) fn list(items: impl IntoIterator<Item = TreeNode>) -> TreeNode {
        TreeValue::List(items.into_iter().collect()).into()
    }

    /// A table.
    pub(crate) fn table<'k>(items: impl IntoIterator<Item = (&'k str, TreeNode)>) -> TreeNode {
        let items = items.into_iter().map(|(key, value)| (key.into(), value));
        TreeValue::Table(items.collect()).into()
    }

    /// A mistake at this value.
    pub(crate) fn wrong(&self, sentence: impl Into<String>) -> FileMistake {
        let (line, column) = self.place;
        FileMistake::new(line as usize, column as usize, sentence)
    }

    /// What it is, for a message.
    pub(crate) fn kind(&self) -> String {
        match &self.value {
            TreeValue::Null => "nothing".to_owned(),
            TreeValue::Bool(value) => value.to_string(),
            TreeValue::Number(number) => format!("the number {number}"),
            TreeValue::Text(word) => format!("the text {}", quoted(word)),
            TreeValue::List(_) => "a list".to_owned(),
            TreeValue::Table(_) => "a table".to_owned(),
        }
    }

    fn unlike(&self, what: &str, expected: &str) -> FileMistake {
        self.wrong(format!("{what} is {}; expected {expected}", self.kind()))
    }

    /// Its entries.
    pub(crate) fn entries(&self, what: &str) -> Result<&[(Box<str>, TreeNode)], FileMistake> {
        match &self.value {
            TreeValue::Table(entries) => Ok(entries),
            _ => Err(self.unlike(what, "a table of names and values")),
        }
    }

    /// Its items.
    pub(crate) fn items(&self, what: &str) -> Result<&[TreeNode], FileMistake> {
        match &self.value {
            TreeValue::List(items) => Ok(items),
            _ => Err(self.unlike(what, "a list")),
        }
    }

    /// An entry of a table.
    pub(crate) fn get(&self, key: &str) -> Option<&TreeNode> {
        match &self.value {
            TreeValue::Table(entries) => entries
                .iter()
                .find(|entry| &*entry.0 == key)
                .map(|entry| &entry.1),
            _ => None,
        }
    }

    /// An entry that must be there.
    pub(crate) fn needed(&self, key: &str, what: &str) -> Result<&TreeNode, FileMistake> {
        self.entries(what)?;
        let missing = || self.wrong(format!("{what} has no `{key}`"));
        self.get(key).ok_or_else(missing)
    }

    /// Its text.
    pub(crate) fn as_text(&self, what: &str) -> Result<&str, FileMistake> {
        match &self.value {
            TreeValue::Text(text) => Ok(text),
            _ => Err(self.unlike(what, "a text")),
        }
    }

    /// Whether it is true.
    pub(crate) fn as_bool(&self, what: &str) -> Result<bool, FileMistake> {
        match &self.value {
            TreeValue::Bool(value) => Ok(*value),
            _ => Err(self.unlike(what, "true or false")),
        }
    }

    /// Its number.
    pub(crate) fn as_number(&self, what: &str) -> Result<f64, FileMistake> {
        let written = self.written_number(what, "a number")?;
        number(written, false).map_err(|fault| self.faulty(what, written, fault))
    }

    /// Its number in counts of 10^-places.
    pub(crate) fn as_scaled(&self, what: &str, places: u32) -> Result<i64, FileMistake> {
        let written = self.written_number(what, "a number")?;
        scaled(written, places, false).map_err(|fault| self.faulty(what, written, fault))
    }

    /// Its number or text, as it is written.
    pub(crate) fn as_written(&self, what: &str) -> Result<&str, FileMistake> {
        match &self.value {
            TreeValue::Number(text) | TreeValue::Text(text) => Ok(text),
            _ => Err(self.unlike(what, "a number, or a text with a unit such as \"30deg\"")),
        }
    }

    fn written_number(&self, what: &str, expected: &str) -> Result<&str, FileMistake> {
        match &self.value {
            TreeValue::Number(number) => Ok(number),
            _ => Err(self.unlike(what, expected)),
        }
    }

    fn faulty(&self, what: &str, written: &str, fault: NumberFault) -> FileMistake {
        self.wrong(format!("{what} is {}: {fault}", quoted(written)))
    }

    /// Refuses entries with other names.
    pub(crate) fn only(&self, known: &[&str], what: &str) -> Result<(), FileMistake> {
        for (key, node) in self.entries(what)? {
            if !known.contains(&&**key) {
                let list = known.join(", ");
                return Err(node.wrong(format!(
                    "{what} has the unknown entry {}; fix: use one of {list}",
                    quoted(key)
                )));
            }
        }
        Ok(())
    }
}

/// Turns bytes of a text into lines and columns, if they are asked for in rising order.
pub(crate) struct PlaceFinder<'t> {
    text: &'t str,
    byte: usize,
    line: u32,
    column: u32,
}

impl<'t> PlaceFinder<'t> {
    pub(crate) fn new(text: &'t str) -> PlaceFinder<'t> {
        PlaceFinder {
            text,
            byte: 0,
            line: 1,
            column: 1,
        }
    }

    /// The place of a byte; one that is before the last one has the place of the last one.
    pub(crate) fn place(&mut self, byte: usize) -> (u32, u32) {
        let part = self.text.get(self.byte..byte).unwrap_or("");
        for (at, letter) in part.char_indices() {
            let is_end = match letter {
                '\n' => true,
                '\r' => !self.text[self.byte + at..].starts_with("\r\n"),
                _ => false,
            };
            if is_end {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else {
                self.column = self.column.saturating_add(1);
            }
        }
        self.byte = self.byte.max(byte.min(self.text.len()));
        (self.line, self.column)
    }
}

/// Counts the values of a tree while it is made.
#[derive(Debug, Default)]
pub(crate) struct TreeBudget {
    nodes: usize,
}

impl TreeBudget {
    /// Takes one more value, at a depth.
    pub(crate) fn take(&mut self, depth: usize) -> Result<(), String> {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return Err(format!(
                "more than {NODES_MAX} values; fix: divide the file"
            ));
        }
        if depth > DEPTH_MAX {
            return Err(format!(
                "more than {DEPTH_MAX} lists and tables inside each other; \
                 fix: check that it is a motion"
            ));
        }
        Ok(())
    }
}
