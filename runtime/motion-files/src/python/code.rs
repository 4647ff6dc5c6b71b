//! Code around the lists of an export: passed over, word by word. Called by `statements`.
//! The law: nothing is executed. A statement ends with its line, outside of brackets and texts; a block goes as far as
//! its lines are indented.

use crate::fault::FileMistake;
use crate::text::cursor::Cursor;

/// A statement that was passed over.
pub(super) struct PassedCode<'t> {
    /// Its first line.
    pub(super) text: &'t str,
    /// The names in it, also those of its block.
    pub(super) names: Vec<&'t str>,
    /// Whether a block follows.
    is_header: bool,
}

/// Passes over a statement that begins at this byte, of which the cursor may have read some.
pub(super) fn statement<'t>(
    cursor: &mut Cursor<'t>,
    from: usize,
) -> Result<PassedCode<'t>, FileMistake> {
    cursor.go_back(from);
    let text = cursor.rest().lines().next().unwrap_or("");
    let mut passed = PassedCode {
        text: text.split('#').next().unwrap_or("").trim_end(),
        names: Vec::new(),
        is_header: false,
    };
    let mut depth = 0_usize;
    while let Some(letter) = cursor.peek() {
        match letter {
            '\n' | '\r' | ';' if depth == 0 => break,
            '#' => {
                cursor.take_while(|it| it != '\n' && it != '\r');
                continue;
            }
            '"' | '\'' => {
                texts(cursor)?;
                passed.is_header = false;
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(name) = cursor.name() {
            passed.names.push(name);
            passed.is_header = false;
            continue;
        }
        cursor.next();
        if letter == '\\' {
            cursor.take("\r\n");
            cursor.next();
        }
        if !letter.is_whitespace() {
            passed.is_header = letter == ':' && depth == 0;
        }
    }
    Ok(passed)
}

/// Passes over the block of a header that began at this byte, if it is one.
pub(super) fn block<'t>(
    cursor: &mut Cursor<'t>,
    from: usize,
    header: &mut PassedCode<'t>,
) -> Result<(), FileMistake> {
    if !header.is_header {
        return Ok(());
    }
    let depth = cursor.indent_at(from);
    loop {
        let before = cursor.byte();
        super::literals::skip(cursor);
        if cursor.peek().is_none() || cursor.indent_at(cursor.byte()) <= depth {
            cursor.go_back(before);
            return Ok(());
        }
        if cursor.take(";") {
            continue;
        }
        let begin = cursor.byte();
        let inner = statement(cursor, begin)?;
        header.names.extend(inner.names);
        if cursor.byte() == begin {
            cursor.next();
        }
    }
}

/// Passes over a text between one or three quotes.
fn texts(cursor: &mut Cursor<'_>) -> Result<(), FileMistake> {
    let from = cursor.byte();
    let all = ["\"\"\"", "'''", "\"", "'"];
    let Some(quotes) = all.into_iter().find(|it| cursor.take(it)) else {
        return Ok(());
    };
    let unfinished = |it: &Cursor<'_>| {
        let sentence = "the text that begins here has no end; fix: close its quotes";
        Err(it.wrong_at(from, sentence))
    };
    loop {
        if cursor.take(quotes) {
            return Ok(());
        }
        match cursor.next() {
            None => return unfinished(cursor),
            Some('\n' | '\r') if quotes.len() == 1 => return unfinished(cursor),
            Some('\\') => drop(cursor.next()),
            Some(_) => {}
        }
    }
}
