//! Numbers, texts and lists of Python, read as data. Called by `statements`.
//! The law: a literal stands for itself; names, sums and calls do not, and are mistakes.

use crate::fault::{FileMistake, quoted};
use crate::text::cursor::Cursor;
use crate::text::number::{number, scaled};

/// How deep lists may be in each other.
const DEPTH_MAX: usize = 8;

/// A literal and its place.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) byte: usize,
    pub(super) value: LiteralValue,
}

/// What it stands for.
#[derive(Clone, Debug)]
pub(super) enum LiteralValue {
    /// A number, as it is written.
    Number(Box<str>),
    Text(String),
    Bool(bool),
    List(Vec<Literal>),
}

impl Literal {
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

/// Blanks, ends of lines and comments inside brackets.
pub(super) fn skip(cursor: &mut Cursor<'_>) {
    loop {
        cursor.take_while(char::is_whitespace);
        if continues(cursor) {
            continue;
        }
        if cursor.peek() != Some('#') {
            return;
        }
        cursor.take_while(|it| it != '\n' && it != '\r');
    }
}

/// Blanks within a line, which goes on behind a `\\` at its end.
pub(super) fn blanks(cursor: &mut Cursor<'_>) {
    loop {
        cursor.take_while(|it| it == ' ' || it == '\t');
        if !continues(cursor) {
            return;
        }
    }
}

/// Takes a `\\` with the end of the line behind it.
fn continues(cursor: &mut Cursor<'_>) -> bool {
    ["\\\r\n", "\\\n", "\\\r"]
        .into_iter()
        .any(|it| cursor.take(it))
}

/// Reads a literal; `budget`: how many values may still come.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    depth: usize,
    budget: &mut usize,
) -> Result<Literal, FileMistake> {
    skip(cursor);
    let byte = cursor.byte();
    *budget = budget
        .checked_sub(1)
        .ok_or_else(|| cursor.wrong("too many values; fix: divide the export"))?;
    let close = match cursor.peek() {
        Some('[') => ']',
        Some('(') => ')',
        _ => {
            return Ok(Literal {
                byte,
                value: plain(cursor)?,
            });
        }
    };
    if depth >= DEPTH_MAX {
        return Err(cursor.wrong("lists too deep in each other"));
    }
    cursor.next();
    let mut items = Vec::new();
    loop {
        skip(cursor);
        match cursor.peek() {
            None => return Err(cursor.wrong_at(byte, "the list that begins here has no end")),
            Some(letter) if letter == close => {
                cursor.next();
                break;
            }
            _ => items.push(read(cursor, depth + 1, budget)?),
        }
        skip(cursor);
        if !cursor.take(",") && cursor.peek() != Some(close) {
            let what = format!(
                "expected a comma or {close}: only lists of values are read, nothing is executed"
            );
            return Err(cursor.wrong(what));
        }
    }
    Ok(Literal {
        byte,
        value: LiteralValue::List(items),
    })
}

fn plain(cursor: &mut Cursor<'_>) -> Result<LiteralValue, FileMistake> {
    let from = cursor.byte();
    match cursor.peek() {
        Some('"' | '\'') => return Ok(LiteralValue::Text(cursor.quoted_text()?)),
        Some(letter) if letter.is_ascii_digit() || ".+-".contains(letter) => {
            let text = cursor.number_text();
            number(text, false).map_err(|fault| {
                let sentence = format!("{}: {fault}; nothing is executed", quoted(text));
                cursor.wrong_at(from, sentence)
            })?;
            return Ok(LiteralValue::Number(text.into()));
        }
        _ => {}
    }
    match cursor.name() {
        Some("True") => Ok(LiteralValue::Bool(true)),
        Some("False") => Ok(LiteralValue::Bool(false)),
        Some("list") if cursor.take("()") => Ok(LiteralValue::List(Vec::new())),
        Some(name) => {
            let sentence = format!(
                "{} would have to be executed; fix: write its value",
                quoted(name)
            );
            Err(cursor.wrong_at(from, sentence))
        }
        None => Err(cursor.wrong("expected a number, a text in quotes, or a list")),
    }
}
