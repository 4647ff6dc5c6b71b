//! What a description comes to: every value that is in force, and the place it was written at.
//! Printed by `dcm-run config show`.
//! What is shown is what the reader was given, key by key.

use crate::layers::{RobotSource, lay};
use crate::problem::Problems;
use crate::text::place_of;
use crate::tree::{LocatedValue, Table, Value};

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveValue {
    /// Its key, such as `joints.HeadYaw.range`.
    pub key: String,
    /// The value, as it would be written.
    pub value: String,
    /// Where it was written.
    pub origin: String,
}

/// Every value of `source`, in the order of the files.
///
/// # Errors
/// What keeps a layer from being read at all; mistakes in it are told by `check`.
pub fn show(source: &RobotSource) -> Result<Vec<EffectiveValue>, Problems> {
    let laid = lay(source)?;
    let mut shown = Vec::new();
    walk(&laid.tree, "", &mut |key, node| {
        shown.push(EffectiveValue {
            key,
            value: write(node),
            origin: place_of(&laid.layers, node.spot),
        });
    });
    Ok(shown)
}

fn walk(table: &Table, above: &str, see: &mut impl FnMut(String, &LocatedValue)) {
    for (key, node) in &table.0 {
        let key = quoted(&key.text);
        let key = if above.is_empty() {
            key
        } else {
            format!("{above}.{key}")
        };
        match &node.value {
            Value::Table(inner) if !inner.0.is_empty() => walk(inner, &key, see),
            _ => see(key, node),
        }
    }
}

/// The text of a key with these parts, as it is shown: parts that need quotes have them.
pub fn key_text(parts: &[String]) -> String {
    let parts = parts.iter().map(|part| quoted(part));
    parts.collect::<Vec<_>>().join(".")
}

fn quoted(key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !key.is_empty() && key.chars().all(plain) {
        key.to_owned()
    } else {
        toml_edit::Key::new(key).to_string()
    }
}

fn write(node: &LocatedValue) -> String {
    let join = |parts: Vec<String>| parts.join(", ");
    match &node.value {
        Value::Text(text) => format!("{text:?}"),
        Value::Number(value, true) => format!("{value:.0}"),
        Value::Number(value, false) => format!("{value:?}"),
        Value::Flag(flag) => flag.to_string(),
        Value::List(list) => format!("[{}]", join(list.iter().map(write).collect())),
        Value::Table(table) if table.0.is_empty() => "{}".to_owned(),
        Value::Table(table) => {
            let rows = table.0.iter();
            let rows = rows.map(|(key, node)| format!("{} = {}", quoted(&key.text), write(node)));
            format!("{{ {} }}", join(rows.collect()))
        }
        Value::Date | Value::Useless => "?".to_owned(),
    }
}
