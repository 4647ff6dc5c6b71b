//! JSON as a tree with places, and back. Called by the formats that are written in JSON.
//! Serde_json decides what is JSON; here it is only taken apart. A name that comes twice
//! is a mistake.

use std::fmt::Write as _;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{PlaceFinder, TreeBudget, TreeNode, TreeValue};
use crate::fault::{FileMistake, quoted};

/// Reads a whole text.
pub(crate) fn read(text: &str) -> Result<TreeNode, FileMistake> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
        let sentence = error.to_string();
        let sentence = sentence
            .rsplit_once(" at line ")
            .map_or(&*sentence, |pair| pair.0);
        // serde_json counts bytes; letters are counted here.
        let line = text.split('\n').nth(error.line().saturating_sub(1));
        let before = line.and_then(|line| line.get(..error.column().saturating_sub(1)));
        let column = before.map_or(error.column(), |text| text.chars().count() + 1);
        let fix = "fix: check that the JSON is whole and valid";
        FileMistake::new(
            error.line().max(1),
            column.max(1),
            format!("{sentence}; {fix}"),
        )
    })?;
    let mut reader = JsonReader {
        base: text.as_ptr().addr(),
        places: PlaceFinder::new(text),
        budget: TreeBudget::default(),
    };
    reader.node(raw.get(), 0)
}

struct JsonReader<'t> {
    base: usize,
    places: PlaceFinder<'t>,
    budget: TreeBudget,
}

/// The entries of an object, in their order.
struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

impl JsonReader<'_> {
    /// `part` is borrowed from the text, so that its address tells its place.
    fn node(&mut self, part: &str, depth: usize) -> Result<TreeNode, FileMistake> {
        let place = self
            .places
            .place(part.as_ptr().addr().saturating_sub(self.base));
        let wrong =
            |sentence: String| FileMistake::new(place.0 as usize, place.1 as usize, sentence);
        self.budget.take(depth).map_err(wrong)?;
        let broken = |error: serde_json::Error| wrong(error.to_string());
        let value = match part.bytes().next() {
            Some(b'{') => {
                let mut from = serde_json::Deserializer::from_str(part);
                let entries = from.deserialize_map(Entries).map_err(broken)?;
                self.table(entries, depth)?
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(part).map_err(broken)?;
                let items = items
                    .into_iter()
                    .map(|item| self.node(item.get(), depth + 1));
                TreeValue::List(items.collect::<Result<_, _>>()?)
            }
            Some(b'"') => {
                let text: String = serde_json::from_str(part).map_err(broken)?;
                TreeValue::Text(text.into())
            }
            Some(b't') => TreeValue::Bool(true),
            Some(b'f') => TreeValue::Bool(false),
            Some(b'n') => TreeValue::Null,
            _ => TreeValue::Number(part.into()),
        };
        Ok(TreeNode { place, value })
    }

    fn table(
        &mut self,
        entries: Vec<(String, &RawValue)>,
        depth: usize,
    ) -> Result<TreeValue, FileMistake> {
        let mut known = std::collections::HashSet::with_capacity(entries.len());
        let mut table = Vec::with_capacity(entries.len());
        for (key, raw) in entries {
            let node = self.node(raw.get(), depth + 1)?;
            if !known.insert(key.clone()) {
                let key = quoted(&key);
                return Err(node.wrong(format!("{key} comes twice; fix: remove one of them")));
            }
            table.push((key.into(), node));
        }
        Ok(TreeValue::Table(table))
    }
}

/// How JSON is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonLayout {
    /// On one line, with a blank behind commas and colons, as Python writes it.
    Line,
    /// Each value on a line of its own, by so many blanks further in.
    Indented(usize),
}

/// Writes a tree, with an end of line.
pub(crate) fn write(node: &TreeNode, layout: JsonLayout) -> String {
    let mut out = String::new();
    put(node, layout, 0, &mut out);
    out.push('\n');
    out
}

fn put(node: &TreeNode, layout: JsonLayout, depth: usize, out: &mut String) {
    match &node.value {
        TreeValue::Null => out.push_str("null"),
        TreeValue::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        TreeValue::Number(number) => out.push_str(number),
        TreeValue::Text(word) => put_text(word, out),
        TreeValue::List(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                separate(number, layout, depth, out);
                put(item, layout, depth + 1, out);
            }
            close(items.is_empty(), layout, depth, ']', out);
        }
        TreeValue::Table(entries) => {
            out.push('{');
            for (number, (key, item)) in entries.iter().enumerate() {
                separate(number, layout, depth, out);
                put_text(key, out);
                out.push_str(": ");
                put(item, layout, depth + 1, out);
            }
            close(entries.is_empty(), layout, depth, '}', out);
        }
    }
}

/// A text with its quotes.
pub(crate) fn put_text(text: &str, out: &mut String) {
    // A text can always be written; the fallback keeps this free of panics.
    out.push_str(&serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned()));
}

fn separate(number: usize, layout: JsonLayout, depth: usize, out: &mut String) {
    match layout {
        JsonLayout::Line if number > 0 => out.push_str(", "),
        JsonLayout::Line => {}
        JsonLayout::Indented(by) => {
            out.push_str(if number > 0 { ",\n" } else { "\n" });
            out.extend(std::iter::repeat_n(' ', by * (depth + 1)));
        }
    }
}

fn close(is_empty: bool, layout: JsonLayout, depth: usize, bracket: char, out: &mut String) {
    if let (JsonLayout::Indented(by), false) = (layout, is_empty) {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', by * depth));
    }
    out.push(bracket);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let tree = read("{\n  \"a\": [1, \"é\", 2.50],\n  \"b\": {\"c\": null}\n}").expect("JSON");
        let items = tree.get("a").expect("a").items("a").expect("a list");
        assert_eq!(items[2].place, (2, 17));
        assert_eq!(items[2].value, TreeValue::Number("2.50".into()));
        let c = tree.get("b").and_then(|tree| tree.get("c")).expect("c");
        assert_eq!(c.place, (3, 14));
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        let line = "{\"a\": [1, -2.5e3, []], \"b\": {}, \"c\": \"\\\"\\n\"}\n";
        let tree = read(line).expect("JSON");
        assert_eq!(write(&tree, JsonLayout::Line), line);
        let indented = write(&tree, JsonLayout::Indented(2));
        assert!(indented.contains("\n  \"a\": [\n    1,\n"), "{indented}");
        assert_eq!(read(&indented).expect("JSON"), tree);
    }

    #[test]
    fn mistakes_have_places() {
        let wrong = |text: &str| read(text).expect_err(text).to_string();
        assert!(
            wrong("[1,\n2").starts_with("line 2, column"),
            "{}",
            wrong("[1,\n2")
        );
        assert!(wrong("{\"a\": 1,\n\"a\": 2}").starts_with("line 2, column 6: `a` comes twice"));
        assert!(wrong(&"[".repeat(100)).contains("EOF"));
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert!(
            wrong(&deep).contains("more than 32 lists"),
            "{}",
            wrong(&deep)
        );
    }
}
