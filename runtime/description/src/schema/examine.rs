//! Compares what was written with what may be written: unknown keys, wrong kinds, missing keys.
//! Used by `layers`, on each layer and then on all of them together.
//! What is found to be of no use is marked, so that nobody complains about it twice.

use crate::nearest;
use crate::problem::Problem;
use crate::quantity::Dimension;
use crate::schema::{TableSchema, ValueKind};
use crate::text::Spot;
use crate::tree::{LocatedValue, Table, Value};

/// Complains about every unknown key and every value of the wrong kind in `table`.
pub(crate) fn examine(table: &mut Table, shape: &'static TableSchema, problems: &mut Vec<Problem>) {
    for (key, node) in &mut table.0 {
        let Some(field) = shape.key(&key.text) else {
            let known = || shape.keys.iter().map(|key| key.key);
            let help = nearest(&key.text, known()).map_or_else(
                || format!("known here: {}", known().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            let sentence = format!("there is no key `{}` here", key.text);
            problems.push(Problem::at(key.spot, sentence, "unknown").help(help));
            node.value = Value::Useless;
            continue;
        };
        let label = format!("this is {}", node.kind());
        if let Err(wrong) = fits(node, &field.kind, problems) {
            let sentence = format!(
                "`{}` is {}",
                field.key,
                wrong.unwrap_or("of the wrong type")
            );
            let help = format!("expected {}", field.kind.expected());
            problems.push(Problem::at(node.spot, sentence, label).help(help));
            node.value = Value::Useless;
        }
    }
}

/// Complains about every key that must be there and is not.
pub(crate) fn examine_needed(
    table: &Table,
    at: Spot,
    shape: &'static TableSchema,
    problems: &mut Vec<Problem>,
) {
    for field in shape.keys {
        match table.get(field.key) {
            None if field.needed => {
                let sentence = format!("the key `{}` is missing", field.key);
                let help = format!("{} Expected {}", field.about, field.kind.expected());
                problems.push(Problem::at(at, sentence, "here").help(help));
            }
            None => {}
            Some(node) => examine_needed_in(node, &field.kind, problems),
        }
    }
}

fn examine_needed_in(node: &LocatedValue, kind: &'static ValueKind, problems: &mut Vec<Problem>) {
    match (kind, &node.value) {
        (ValueKind::Table(shape), Value::Table(table)) => {
            examine_needed(table, node.spot, shape, problems);
        }
        (ValueKind::Named(kind), Value::Table(table)) => {
            for (key, node) in &table.0 {
                // A missing key of something named is shown at its name.
                match (kind, &node.value) {
                    (ValueKind::Table(shape), Value::Table(table)) => {
                        examine_needed(table, key.spot, shape, problems);
                    }
                    _ => examine_needed_in(node, kind, problems),
                }
            }
        }
        (ValueKind::List(kind), Value::List(list)) => {
            for node in list {
                examine_needed_in(node, kind, problems);
            }
        }
        _ => {}
    }
}

/// Whether `node` may stand where `kind` is expected; if not, what is wrong with it.
fn fits(
    node: &mut LocatedValue,
    kind: &'static ValueKind,
    problems: &mut Vec<Problem>,
) -> Result<(), Option<&'static str>> {
    let sound = match (kind, &mut node.value) {
        (ValueKind::Flag, Value::Flag(_)) | (ValueKind::Text, Value::Text(_)) => true,
        (ValueKind::Word(words), Value::Text(text)) => words.contains(&text.as_str()),
        (ValueKind::Whole(low, high), Value::Number(value, true)) => {
            if *value < f64::from(*low) || *value > f64::from(*high) {
                return Err(Some("out of bounds"));
            }
            true
        }
        (ValueKind::Figure(dimension), _) => figure(node, *dimension)?.is_finite(),
        (ValueKind::Above(dimension), _) => {
            if figure(node, *dimension)? <= 0.0 {
                return Err(Some("not above zero"));
            }
            true
        }
        (ValueKind::NotBelow(dimension), _) => {
            if figure(node, *dimension)? < 0.0 {
                return Err(Some("below zero"));
            }
            true
        }
        (ValueKind::Range(dimension), Value::List(list)) => {
            let [low, high] = list.as_slice() else {
                return Err(Some("not a list of two"));
            };
            if figure(low, *dimension)? > figure(high, *dimension)? {
                return Err(Some("crossed: its lowest value is above its highest"));
            }
            true
        }
        (ValueKind::Point(dimension), Value::List(list)) => {
            if list.len() != 3 {
                return Err(Some("not a list of three"));
            }
            for node in list {
                figure(node, *dimension)?;
            }
            true
        }
        (ValueKind::List(kind), Value::List(list)) => {
            for node in list {
                in_list(node, kind, problems);
            }
            true
        }
        (ValueKind::Table(shape), Value::Table(table)) => {
            examine(table, shape, problems);
            true
        }
        (ValueKind::Named(kind), Value::Table(table)) => {
            for (key, node) in &mut table.0 {
                named(&key.text, node, kind, problems);
            }
            true
        }
        (_, Value::Useless) => true,
        _ => false,
    };
    if sound { Ok(()) } else { Err(None) }
}

fn in_list(node: &mut LocatedValue, kind: &'static ValueKind, problems: &mut Vec<Problem>) {
    named("a value of this list", node, kind, problems);
}

fn named(
    name: &str,
    node: &mut LocatedValue,
    kind: &'static ValueKind,
    problems: &mut Vec<Problem>,
) {
    let label = format!("this is {}", node.kind());
    if let Err(wrong) = fits(node, kind, problems) {
        let sentence = format!("`{name}` is {}", wrong.unwrap_or("of the wrong type"));
        let help = format!("expected {}", kind.expected());
        problems.push(Problem::at(node.spot, sentence, label).help(help));
        node.value = Value::Useless;
    }
}

/// The figure that a number or a text with a unit stands for.
pub(crate) fn figure(
    node: &LocatedValue,
    dimension: Dimension,
) -> Result<f64, Option<&'static str>> {
    match &node.value {
        Value::Number(value, _) if value.is_finite() => Ok(*value),
        Value::Number(..) => Err(Some("not a finite number")),
        Value::Text(text) => dimension
            .read(text)
            .map_err(|_| Some("not a number with a unit that fits")),
        _ => Err(None),
    }
}
