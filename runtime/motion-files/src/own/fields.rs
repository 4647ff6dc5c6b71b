//! The fields of a line of CSV, and what divides them. Called by `csv`.
//! Quotes around a field are no part of it, and what is inside of them divides nothing.

use crate::text::{SourceLine, SourceWord};

/// What Excel says divides the fields, on a line before all others.
pub(super) fn stated_separator(line: &str) -> Option<char> {
    let inside = line
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let stated = inside.unwrap_or(line).strip_prefix("sep=")?;
    match stated {
        // A tab at the end was trimmed away.
        "" => Some('\t'),
        "," | ";" | "|" => stated.chars().next(),
        _ => None,
    }
}

/// What divides the fields of a header.
pub(super) fn separator_of(header: &str) -> char {
    let most = [',', ';', '\t']
        .into_iter()
        .max_by_key(|c| (header.matches(*c).count(), *c == ','));
    most.unwrap_or(',')
}

/// The fields of a line, without quotes around them; what is inside of quotes divides nothing.
pub(super) fn fields<'t>(line: &SourceLine<'t>, separator: char) -> Vec<SourceWord<'t>> {
    if !line.text.contains('"') {
        return line.fields(separator);
    }
    let mut fields = Vec::new();
    let mut from = 0;
    let mut is_inside = false;
    for (at, letter) in line.text.char_indices() {
        let begins = line
            .text
            .get(from..at)
            .is_some_and(|stage| stage.trim().is_empty());
        match letter {
            '"' => is_inside = !is_inside && (begins || is_again(line.text, at)),
            _ if letter == separator && !is_inside => {
                fields.extend(bare(line, from, at));
                from = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    fields.extend(bare(line, from, line.text.len()));
    fields
}

/// Whether a quote follows another one, as within a quoted field.
fn is_again(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|text| text.ends_with('"'))
}

/// A field without blanks and quotes around it.
fn bare<'t>(line: &SourceLine<'t>, from: usize, to: usize) -> Option<SourceWord<'t>> {
    let whole = line.text.get(from..to)?;
    let text = whole.trim();
    let start = from + whole.len() - whole.trim_start().len();
    let inside = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    Some(SourceWord {
        start,
        text: inside.map_or(text, str::trim),
    })
}
