//! YAML as a tree with places, and back. Called by `trajectory`.
//! Plain YAML only: anchors, aliases and tags are refused, so that a small file stays a
//! small tree. Several documents are a list of them; one with nothing in it is none, since
//! `ros2 topic echo` ends each with `---`. A `:` right before a bracket divides, as in PyYAML.

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::yaml_flow::{FlowBlanks, with_blanks};
use super::{ENTRIES_MAX, TreeBudget, TreeNode, TreeValue};
use crate::fault::{FileMistake, quoted};
use crate::text::cut_off;
use crate::text::number::{NumberFault, number};

/// A list or table that is being read.
enum OpenValue {
    List(Vec<TreeNode>),
    Table(Vec<(Box<str>, TreeNode)>, Option<Box<str>>),
}

struct YamlReader<'b> {
    budget: TreeBudget,
    open: Vec<(OpenValue, (u32, u32))>,
    /// What the text has more than the file.
    blanks: &'b FlowBlanks,
}

/// Reads the document of a file, or the list of its documents.
pub(crate) fn read_file(
    text: &str,
    remarks: &mut Vec<FileMistake>,
) -> Result<TreeNode, FileMistake> {
    remarks.extend(cut_off(text));
    read(text)
}

/// Reads the document of a text, or the list of its documents.
fn read(text: &str) -> Result<TreeNode, FileMistake> {
    let first = match read_with(text, &FlowBlanks::default()) {
        Err(mistake) => mistake,
        read => return read,
    };
    // What the parser does not know is written otherwise; what it says of that is no help to anyone.
    let other = with_blanks(text).and_then(|(text, blanks)| read_with(&text, &blanks).ok());
    other.ok_or(first)
}

fn read_with(text: &str, blanks: &FlowBlanks) -> Result<TreeNode, FileMistake> {
    let mut reader = YamlReader {
        budget: TreeBudget::default(),
        open: Vec::new(),
        blanks,
    };
    let mut found: Vec<TreeNode> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let mark = error.marker();
            let info = printable::printable(error.info());
            let sentence = format!("{info}; fix: check the YAML here");
            FileMistake::new(mark.line().max(1), mark.col() + 1, sentence)
        })?;
        let place = reader.blanks.place(start(&span));
        let Some(whole) = reader.event(event, place)? else {
            continue;
        };
        if whole.value == TreeValue::Null {
            continue;
        }
        found.push(whole);
    }
    let place = found.first().map(|value| value.place);
    let (Some(last), Some(place)) = (found.pop(), place) else {
        let sentence = "the file is empty; fix: check that it is the right one";
        return Err(FileMistake::new(1, 1, sentence));
    };
    if found.is_empty() {
        return Ok(last);
    }
    found.push(last);
    Ok(TreeNode {
        place,
        value: TreeValue::List(found),
    })
}

impl YamlReader<'_> {
    fn event(
        &mut self,
        event: Event<'_>,
        place: (u32, u32),
    ) -> Result<Option<TreeNode>, FileMistake> {
        let wrong = |sentence: &str| FileMistake::new(place.0 as usize, place.1 as usize, sentence);
        let is_special = match &event {
            Event::Alias(_) => true,
            Event::Scalar(_, _, anchor, tag) => *anchor > 0 || tag.is_some(),
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => {
                *anchor > 0 || tag.is_some()
            }
            _ => false,
        };
        if is_special {
            return Err(wrong(
                "anchors, aliases and tags are not read; fix: write the values themselves",
            ));
        }
        let node = match event {
            Event::Scalar(text, style, ..) => {
                self.budget
                    .take(self.open.len())
                    .map_err(|error| wrong(&error))?;
                TreeNode {
                    place,
                    value: scalar(&text, style),
                }
            }
            Event::SequenceStart(..) => {
                self.budget
                    .take(self.open.len())
                    .map_err(|error| wrong(&error))?;
                self.open.push((OpenValue::List(Vec::new()), place));
                return Ok(None);
            }
            Event::MappingStart(..) => {
                self.budget
                    .take(self.open.len())
                    .map_err(|error| wrong(&error))?;
                self.open.push((OpenValue::Table(Vec::new(), None), place));
                return Ok(None);
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some((OpenValue::List(items), place)) => TreeNode {
                    place,
                    value: TreeValue::List(items),
                },
                Some((OpenValue::Table(entries, _), place)) => TreeNode {
                    place,
                    value: TreeValue::Table(entries),
                },
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.add(node)
    }

    /// Puts a value into what is open; what is whole comes back.
    fn add(&mut self, node: TreeNode) -> Result<Option<TreeNode>, FileMistake> {
        match self.open.last_mut() {
            None => return Ok(Some(node)),
            Some((OpenValue::List(items), _)) => items.push(node),
            Some((OpenValue::Table(entries, key), _)) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => {
                    let name: Box<str> = match &node.value {
                        TreeValue::Text(number) | TreeValue::Number(number) => number.clone(),
                        TreeValue::Bool(value) => value.to_string().into(),
                        _ => return Err(node.wrong("a name of an entry is a plain text")),
                    };
                    if entries.len() >= ENTRIES_MAX {
                        let sentence = format!("more than {ENTRIES_MAX} names in one table");
                        return Err(node.wrong(sentence));
                    }
                    if entries.iter().any(|entry| entry.0 == name) {
                        let name = quoted(&name);
                        return Err(
                            node.wrong(format!("{name} comes twice; fix: remove one of them"))
                        );
                    }
                    *key = Some(name);
                }
            },
        }
        Ok(None)
    }
}

fn start(span: &Span) -> (u32, u32) {
    let line = u32::try_from(span.start.line().max(1)).unwrap_or(u32::MAX);
    let column = u32::try_from(span.start.col() + 1).unwrap_or(u32::MAX);
    (line, column)
}

/// What a word without quotes means: YAML's numbers that JSON has too, and its words for true,
/// false and nothing.
fn scalar(text: &str, style: ScalarStyle) -> TreeValue {
    if style != ScalarStyle::Plain {
        return TreeValue::Text(text.into());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => TreeValue::Null,
        "true" | "True" | "TRUE" => TreeValue::Bool(true),
        "false" | "False" | "FALSE" => TreeValue::Bool(false),
        // What is meant as a number is kept as one, so that a message can say what is wrong with
        // it.
        ".nan" | ".NaN" | ".inf" | "-.inf" => TreeValue::Number(text.into()),
        _ if !matches!(number(text, false), Err(NumberFault::NotANumber)) => {
            TreeValue::Number(text.into())
        }
        _ => TreeValue::Text(text.into()),
    }
}

/// Writes a tree: tables and lists of tables on lines of their own, other lists in brackets.
pub(crate) fn write(root: &TreeNode) -> String {
    let mut out = String::new();
    put(root, 0, &mut out);
    out
}

fn put(node: &TreeNode, depth: usize, out: &mut String) {
    let blanks = |depth: usize| "  ".repeat(depth);
    match &node.value {
        TreeValue::Table(entries) if !entries.is_empty() => {
            for (number, (key, value)) in entries.iter().enumerate() {
                if number > 0 {
                    out.push_str(&blanks(depth));
                }
                put_word(key, out);
                out.push(':');
                if is_block(value) {
                    out.push('\n');
                    let is_table = matches!(value.value, TreeValue::Table(_));
                    let inside = if is_table { depth + 1 } else { depth };
                    out.push_str(&blanks(inside));
                    put(value, inside, out);
                } else {
                    out.push(' ');
                    put_inline(value, out);
                    out.push('\n');
                }
            }
        }
        TreeValue::List(items) if is_block(node) => {
            for (number, item) in items.iter().enumerate() {
                if number > 0 {
                    out.push_str(&blanks(depth));
                }
                out.push_str("- ");
                if is_block(item) {
                    put(item, depth + 1, out);
                } else {
                    put_inline(item, out);
                    out.push('\n');
                }
            }
        }
        _ => {
            put_inline(node, out);
            out.push('\n');
        }
    }
}

/// Whether a value takes lines of its own.
fn is_block(node: &TreeNode) -> bool {
    match &node.value {
        TreeValue::Table(entries) => !entries.is_empty(),
        TreeValue::List(items) => items.iter().any(is_block),
        _ => false,
    }
}

fn put_inline(node: &TreeNode, out: &mut String) {
    match &node.value {
        TreeValue::Null => out.push('~'),
        TreeValue::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        TreeValue::Number(number) => out.push_str(number),
        TreeValue::Text(word) => put_word(word, out),
        TreeValue::List(items) => {
            out.push('[');
            for (number, item) in items.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                put_inline(item, out);
            }
            out.push(']');
        }
        TreeValue::Table(_) => out.push_str("{}"),
    }
}

/// A text, with quotes if it could be read as something else.
fn put_word(text: &str, out: &mut String) {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "_/.".contains(c);
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(is_letter)
        && matches!(scalar(text, ScalarStyle::Plain), TreeValue::Text(_))
        && !["y", "n", "yes", "no", "on", "off"].contains(&&*text.to_ascii_lowercase());
    if is_plain {
        out.push_str(text);
    } else {
        super::json::put_text(text, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let tree = read("a: [x, 'y']\nb:\n- c: 1\n  d: 2.50\n---\n").expect("YAML");
        let b = tree.get("b").expect("b").items("b").expect("a list");
        let d = b[0].get("d").expect("d");
        assert_eq!(
            (d.place, &d.value),
            ((4, 6), &TreeValue::Number("2.50".into()))
        );
    }

    #[test]
    fn several_documents_are_a_list() {
        assert_eq!(read("a: 1\n---\n---\nz: 1\n"), read("- a: 1\n- z: 1\n"));
        for one in [
            "---\na: 1\n---\n",
            "---\n---\na: 1\n...\n",
            "# x\n---\na: 1",
        ] {
            assert_eq!(read(one), read("a: 1"), "{one:?}");
        }
    }

    #[test]
    fn what_could_grow_is_refused() {
        let wrong = |text: &str| read(text).expect_err(text).to_string();
        assert!(wrong("a: &x [1]\nb: *x\n").starts_with("line 1, column 4: anchors"));
        assert!(wrong("a: !!python/object x").contains("tags are not read"));
        assert!(wrong("a: 1\na: 2").starts_with("line 2, column 1: `a` comes twice"));
        assert!(wrong("").contains("empty"));
        let deep = "[".repeat(40);
        assert!(wrong(&deep).contains("more than 32"), "{}", wrong(&deep));
    }
}
