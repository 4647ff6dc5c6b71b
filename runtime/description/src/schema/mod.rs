//! What can be written where: the words in which `keys` describes a `robot.toml`.
//! Used by `examine`, which compares a file with it, and by `json`, which tells editors.
//! A key is described once; reading, checking and the schema all follow from there.

mod examine;
mod json;
mod keys;
mod words;

use crate::quantity::Dimension;

pub(crate) use examine::{examine, examine_needed, figure};
pub use json::schema;
pub use keys::FORMAT;
pub(crate) use keys::{ROBOT, SECTIONS};
pub(crate) use words::{BIASES, DriverName, GROUP_RULES, KEEPS};

/// A table: which keys it has.
#[derive(Debug)]
pub(super) struct TableSchema {
    pub(super) keys: &'static [KeySchema],
}

/// A key of a table.
#[derive(Debug)]
pub(super) struct KeySchema {
    pub(super) key: &'static str,
    pub(super) kind: ValueKind,
    /// Whether it must be written.
    pub(super) needed: bool,
    /// What it says, in one sentence.
    pub(super) about: &'static str,
}

/// What a value may be.
#[derive(Debug)]
pub(super) enum ValueKind {
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number between these two.
    Whole(u32, u32),
    /// A figure.
    Figure(Dimension),
    /// A figure above zero.
    Above(Dimension),
    /// A figure not below zero.
    NotBelow(Dimension),
    /// A lowest and a highest figure.
    Range(Dimension),
    /// Three figures: x, y, z.
    Point(Dimension),
    /// Any number of these.
    List(&'static ValueKind),
    /// A table.
    Table(&'static TableSchema),
    /// Names of the writer's own, each with one of these.
    Named(&'static ValueKind),
}

impl TableSchema {
    pub(super) fn key(&self, key: &str) -> Option<&KeySchema> {
        self.keys.iter().find(|item| item.key == key)
    }
}

pub(super) const fn may(key: &'static str, kind: ValueKind, about: &'static str) -> KeySchema {
    KeySchema {
        key,
        kind,
        needed: false,
        about,
    }
}

pub(super) const fn must(key: &'static str, kind: ValueKind, about: &'static str) -> KeySchema {
    KeySchema {
        needed: true,
        ..may(key, kind, about)
    }
}

impl ValueKind {
    /// What was expected, for a sentence.
    pub(super) fn expected(&self) -> String {
        match self {
            ValueKind::Flag => "true or false".to_owned(),
            ValueKind::Text => "a string".to_owned(),
            ValueKind::Word(words) => format!("one of \"{}\"", words.join("\", \"")),
            ValueKind::Whole(low, high) => format!("a whole number from {low} to {high}"),
            ValueKind::Figure(dimension) => dimension.expected(),
            ValueKind::Above(dimension) => format!("{}, above zero", dimension.expected()),
            ValueKind::NotBelow(dimension) => format!("{}, not below zero", dimension.expected()),
            ValueKind::Range(dimension) => {
                format!(
                    "a list of two, the lowest and the highest: {}",
                    dimension.expected()
                )
            }
            ValueKind::Point(dimension) => {
                format!("a list of three, x, y and z: {}", dimension.expected())
            }
            ValueKind::List(kind) => format!("a list; each of its values {}", kind.expected()),
            ValueKind::Table(shape) => {
                let keys: Vec<_> = shape.keys.iter().map(|key| key.key).collect();
                format!("a table with some of the keys {}", keys.join(", "))
            }
            ValueKind::Named(kind) => format!("a table of names, each with {}", kind.expected()),
        }
    }
}
