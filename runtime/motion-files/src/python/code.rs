//! Code around the lists of an export: passed over, word by word. Called by `statements`.
//! The law: nothing is executed. A statement ends with its line, outside of brackets and texts; a block goes as far as
//! its lines are indented.

use crate::fault::FileMistake;
use crate::text::cursor::Cursor;

/// Code that was passed over.
#[derive(Default)]
pub(super) struct PassedCode<'t> {
    /// The names in it, also those of its block.
    pub(super) names: Vec<&'t str>,
    /// Those of them that are called.
    pub(super) calls: Vec<&'t str>,
    /// Whether a block follows.
    pub(super) is_header: bool,
}

/// Passes over a statement that begins at this byte, of which the cursor may have read some.
pub(super) fn statement<'t>(
    cursor: &mut Cursor<'t>,
    from: usize,
) -> Result<PassedCode<'t>, FileMistake> {
    cursor.go_back(from);
    let mut passed = PassedCode::default();
    pass(cursor, &mut passed, "\n\r;")?;
    Ok(passed)
}

/// Passes over an expression that begins at this byte: to the end of the brackets with which it begins, or to what ends
/// it.
pub(super) fn expression<'t>(
    cursor: &mut Cursor<'t>,
    from: usize,
) -> Result<PassedCode<'t>, FileMistake> {
    cursor.go_back(from);
    let mut passed = PassedCode::default();
    let ends = match cursor.peek() {
        Some('[' | '(' | '{') => "",
        _ => ",)]}\n\r;",
    };
    pass(cursor, &mut passed, ends)?;
    Ok(passed)
}

/// Passes over code, to one of these letters outside of brackets; without them, to the end of the first brackets.
fn pass<'t>(
    cursor: &mut Cursor<'t>,
    passed: &mut PassedCode<'t>,
    ends: &str,
) -> Result<(), FileMistake> {
    let mut depth = 0_usize;
    while let Some(letter) = cursor.peek() {
        match letter {
            _ if depth == 0 && ends.contains(letter) => break,
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
            if cursor.peek() == Some('(') {
                passed.calls.push(name);
            }
            continue;
        }
        cursor.next();
        if depth == 0 && ends.is_empty() {
            break;
        }
        if letter == '\\' {
            cursor.take("\r\n");
            cursor.next();
        }
        if !letter.is_whitespace() {
            passed.is_header = letter == ':' && depth == 0;
        }
    }
    Ok(())
}

/// Passes over a text between one or three quotes.
pub(super) fn texts(cursor: &mut Cursor<'_>) -> Result<(), FileMistake> {
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

/// Passes over a header up to its colon: the names in its first brackets that have no value, or stand before one.
pub(super) fn header<'t>(cursor: &mut Cursor<'t>) -> Result<Vec<&'t str>, FileMistake> {
    let mut names = Vec::new();
    let (mut depth, mut is_name) = (0_usize, true);
    while let Some(letter) = cursor.peek() {
        match letter {
            ':' | '\n' | '\r' if depth == 0 => break,
            '"' | '\'' => {
                texts(cursor)?;
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '=' | ':' => is_name = false,
            ',' if depth == 1 => is_name = true,
            _ => {}
        }
        match cursor.name() {
            Some(name) if is_name && depth == 1 => names.push(name),
            Some(_) => {}
            None => drop(cursor.next()),
        }
    }
    Ok(names)
}

/// The names between `lambda` and its colon.
pub(super) fn parameters<'t>(mut cursor: Cursor<'t>) -> Vec<&'t str> {
    let mut names = Vec::new();
    loop {
        match cursor.name() {
            Some(name) => names.push(name),
            None if matches!(cursor.next(), None | Some(':')) => return names,
            None => {}
        }
    }
}
