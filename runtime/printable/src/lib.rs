//! Text from outside, made safe to print: names in files, lines of guests, messages of remote robots. And what else is
//! done with such a text first: the known names that are similar to it, and whether it is markup that can be parsed.
//! Called wherever such a text reaches a terminal, a log or a message.
//! What is printed moves no cursor, begins no line of its own, and reads in the order in which it is stored.

mod markup;
mod similar;

use std::borrow::Cow;

pub use markup::{ATTRIBUTES_MAX, crowded_tag};
pub use similar::{distance, nearest, similar};

/// Whether this character changes how what stands around it is shown: a control character, which a terminal obeys, one
/// that reverses the order of letters, or one that cannot be seen.
pub fn is_unprintable(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// The character, or a space instead of one that is not printable.
pub fn printable_char(letter: char) -> char {
    if is_unprintable(letter) { ' ' } else { letter }
}

/// A name from outside, cut if it is long.
pub fn shortened(name: &str) -> Cow<'_, str> {
    const SHOWN_MAX: usize = 128;
    match name.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.into(),
    }
}

/// The text on one line, with spaces instead of characters that are not printable.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_unprintable) {
        Cow::Owned(text.chars().map(printable_char).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The same of a text with several lines.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    let keep = |c: char| c == '\n' || !is_unprintable(c);
    if text.chars().all(keep) {
        return Cow::Borrowed(text);
    }
    let clean = |c: char| if keep(c) { c } else { ' ' };
    Cow::Owned(text.chars().map(clean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_a_cursor_or_turns_letters_round_becomes_a_space() {
        assert_eq!(printable("\u{1b}[31mred\u{7}\r\nx"), " [31mred   x");
        assert_eq!(
            printable("a\u{202e}b\u{2066}c\u{200b}d\u{feff}e"),
            "a b c d e"
        );
        assert_eq!(printable("\u{9b}2J"), " 2J");
        assert_eq!(printable_lines("a\nb\u{85}c"), "a\nb c");
    }

    #[test]
    fn letters_of_all_scripts_stay() {
        for text in ["Schöße", "שלום", "日本語", "🤖", "µs ± 2 °"] {
            assert!(matches!(printable(text), Cow::Borrowed(it) if it == text));
        }
    }
}
