//! Values of Python: numbers, texts and lists. A number keeps its digits as they are written, so that times are exact.

use std::rc::Rc;

use crate::fault::quoted;
use crate::text::number::{number, scaled};

/// A literal and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    pub(super) byte: usize,
    pub(super) value: LiteralValue,
}

/// What it stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LiteralValue {
    /// A number, as it is written.
    Number(Box<str>),
    Text(String),
    Bool(bool),
    /// Shared by all who have it: a copy is made where one of them changes it.
    List(Rc<Vec<Literal>>),
}

impl LiteralValue {
    pub(super) fn list(items: impl IntoIterator<Item = Literal>) -> LiteralValue {
        LiteralValue::List(Rc::new(items.into_iter().collect()))
    }
}

impl Literal {
    /// A number that was computed.
    pub(super) fn computed(byte: usize, value: f64) -> Literal {
        Literal {
            byte,
            value: LiteralValue::Number(format!("{value:?}").into()),
        }
    }

    /// Whether lists are in each other this deep, or deeper.
    pub(super) fn is_deeper(&self, depth: usize) -> bool {
        match &self.value {
            LiteralValue::List(items) => {
                depth == 0 || items.iter().any(|item| item.is_deeper(depth - 1))
            }
            _ => false,
        }
    }

    /// How many values it has, itself included.
    pub(super) fn size(&self) -> usize {
        match &self.value {
            LiteralValue::List(items) => 1 + items.iter().map(Literal::size).sum::<usize>(),
            _ => 1,
        }
    }

    /// Whether it is written as a whole number, which Python 2 and 3 divide differently.
    pub(super) fn is_whole(&self) -> bool {
        match &self.value {
            LiteralValue::Number(text) => !text.contains(['.', 'e', 'E']),
            _ => false,
        }
    }

    pub(super) fn items(&self) -> Result<&[Literal], String> {
        match &self.value {
            LiteralValue::List(items) => Ok(items),
            _ => Err("expected a list".to_owned()),
        }
    }

    /// The items of a list, or the value alone.
    pub(super) fn one_or_items(&self) -> &[Literal] {
        match &self.value {
            LiteralValue::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    pub(super) fn number(&self) -> Result<f64, String> {
        match &self.value {
            LiteralValue::Number(text) => {
                number(text, false).map_err(|fault| format!("{}: {fault}", quoted(text)))
            }
            _ => Err("expected a number".to_owned()),
        }
    }

    /// A time, ns.
    pub(super) fn seconds(&self) -> Result<i64, String> {
        match &self.value {
            LiteralValue::Number(text) => {
                scaled(text, 9, false).map_err(|fault| format!("{}: {fault}", quoted(text)))
            }
            _ => Err("expected a time in seconds".to_owned()),
        }
    }
}
