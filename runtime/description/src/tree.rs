//! What was written in a file, and where: a tree of values in which each knows its place.
//! Made from TOML by `layers`; examined against `schema`, then read by `read`.
//! Every value that is ever complained about can be shown where it was written.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::text::Spot;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    /// A number; whether it was written as a whole one.
    Number(f64, bool),
    Flag(bool),
    List(Vec<LocatedValue>),
    Table(Table),
    /// A date: there is no place for one.
    Date,
    /// What was written was of no use, and has been complained about.
    Useless,
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LocatedValue {
    pub(super) value: Value,
    pub(super) spot: Spot,
}

/// A key and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LocatedKey {
    pub(super) text: String,
    pub(super) spot: Spot,
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table(pub(super) Vec<(LocatedKey, LocatedValue)>);

impl Table {
    pub(super) fn of(layer: usize, table: &DeTable<'_>) -> Table {
        let rows = table.iter().map(|(key, value)| {
            let text = key.get_ref().to_string();
            let spot = Spot::new(layer, key.span());
            (LocatedKey { text, spot }, LocatedValue::of(layer, value))
        });
        Table(rows.collect())
    }

    pub(super) fn get(&self, key: &str) -> Option<&LocatedValue> {
        Some(&self.0.iter().find(|(item, _)| item.text == key)?.1)
    }

    pub(super) fn table(&self, key: &str) -> Option<&Table> {
        self.get(key)?.as_table()
    }

    /// Lays `over` on this one: tables are joined, anything else is replaced.
    pub(super) fn lay(&mut self, over: Table) {
        for (key, node) in over.0 {
            let Some((_, old)) = self.0.iter_mut().find(|(item, _)| item.text == key.text) else {
                self.0.push((key, node));
                continue;
            };
            match (&mut old.value, node.value) {
                (Value::Table(old), Value::Table(over)) => old.lay(over),
                (_, value) => *old = LocatedValue { value, ..node },
            }
        }
    }
}

impl LocatedValue {
    fn of(layer: usize, node: &Spanned<DeValue<'_>>) -> LocatedValue {
        let value = match node.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(whole) => {
                let value = i128::from_str_radix(whole.as_str(), whole.radix());
                // More digits than 128 bits hold is no figure of any robot.
                #[allow(clippy::cast_precision_loss, reason = "figures are read as f64")]
                let value = value.map_or(f64::NAN, |value| value as f64);
                Value::Number(value, true)
            }
            DeValue::Float(float) => {
                Value::Number(float.as_str().parse().unwrap_or(f64::NAN), false)
            }
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(list) => Value::List(
                list.iter()
                    .map(|item| LocatedValue::of(layer, item))
                    .collect(),
            ),
            DeValue::Table(table) => Value::Table(Table::of(layer, table)),
        };
        let spot = Spot::new(layer, node.span());
        LocatedValue { value, spot }
    }

    pub(super) fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    pub(super) fn as_list(&self) -> Option<&[LocatedValue]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, for a sentence: "a string".
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "a string",
            Value::Number(..) => "a number",
            Value::Flag(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Date => "a date",
            Value::Useless => "of no use",
        }
    }
}
