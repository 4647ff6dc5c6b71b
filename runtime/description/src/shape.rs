//! What can be written where: the words in which `shapes` describes a `robot.toml`.
//! Used by `examine`, which compares a file with it, and by `schema`, which tells editors.
//! The law: a key is described once; reading, checking and the schema all follow from there.

use super::quantity::Dimension;

/// A table: which keys it has.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) fields: &'static [Field],
}

/// A key of a table.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) key: &'static str,
    pub(super) kind: Kind,
    /// Whether it must be written.
    pub(super) needed: bool,
    /// What it says, in one sentence.
    pub(super) about: &'static str,
}

/// What a value may be.
#[derive(Debug)]
pub(super) enum Kind {
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
    List(&'static Kind),
    /// A table.
    Table(&'static Shape),
    /// Names of the writer's own, each with one of these.
    Named(&'static Kind),
}

impl Shape {
    pub(super) fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|it| it.key == key)
    }
}

pub(super) const fn may(key: &'static str, kind: Kind, about: &'static str) -> Field {
    Field {
        key,
        kind,
        needed: false,
        about,
    }
}

pub(super) const fn must(key: &'static str, kind: Kind, about: &'static str) -> Field {
    Field {
        needed: true,
        ..may(key, kind, about)
    }
}

impl Kind {
    /// What was expected, for a sentence.
    pub(super) fn expected(&self) -> String {
        match self {
            Kind::Flag => "true or false".to_owned(),
            Kind::Text => "a text".to_owned(),
            Kind::Word(words) => format!("one of \"{}\"", words.join("\", \"")),
            Kind::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Figure(dimension) => dimension.expected(),
            Kind::Above(dimension) => format!("{}, above zero", dimension.expected()),
            Kind::NotBelow(dimension) => format!("{}, not below zero", dimension.expected()),
            Kind::Range(dimension) => {
                format!(
                    "a list of two, the lowest and the highest: {}",
                    dimension.expected()
                )
            }
            Kind::Point(dimension) => {
                format!("a list of three, x, y and z: {}", dimension.expected())
            }
            Kind::List(kind) => format!("a list; each of its values {}", kind.expected()),
            Kind::Table(shape) => {
                let keys: Vec<_> = shape.fields.iter().map(|it| it.key).collect();
                format!("a table with some of the keys {}", keys.join(", "))
            }
            Kind::Named(kind) => format!("a table of names, each with {}", kind.expected()),
        }
    }
}
