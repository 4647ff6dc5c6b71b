//! YAML's brackets as PyYAML reads them: in `{a:[1], b:{}}` each `:` divides, though nothing stands behind it. The
//! parser wants a blank there. Called by `yaml` for a text that cannot be read otherwise.
//! Nothing but blanks is put in, none of them in quotes or comments, and places are those of the file.

/// Where blanks were put in: the lines and columns behind them, in their order.
#[derive(Debug, Default)]
pub(super) struct FlowBlanks(Vec<(u32, u32)>);

impl FlowBlanks {
    /// The place in the file of a place in the text with blanks.
    pub(super) fn place(&self, (line, column): (u32, u32)) -> (u32, u32) {
        let before = self.0.partition_point(|value| *value < (line, 0));
        let until = self.0.partition_point(|value| *value <= (line, column));
        let added = u32::try_from(until - before).unwrap_or(u32::MAX);
        (line, column.saturating_sub(added))
    }
}

/// What a letter is a part of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FlowPart {
    /// A word, or what stands between words.
    Plain,
    /// A text in these quotes, and whether the letter before it was a `\\`.
    Quotes(char, bool),
    Comment,
}

/// The text with a blank behind each `:` that stands right before a bracket within brackets; nothing if there is none.
pub(super) fn with_blanks(text: &str) -> Option<(String, FlowBlanks)> {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut blanks = FlowBlanks::default();
    let (mut line, mut column) = (1, 1);
    let (mut part, mut depth) = (FlowPart::Plain, 0_usize);
    // The letter before, and the last that is no blank.
    let (mut before, mut solid) = ('\n', '\n');
    for letter in text.chars() {
        if part == FlowPart::Plain && depth > 0 && before == ':' && matches!(letter, '[' | '{') {
            out.push(' ');
            column += 1;
            blanks.0.push((line, column));
        }
        out.push(letter);
        part = match (part, letter) {
            (FlowPart::Comment, '\n' | '\r') => FlowPart::Plain,
            (FlowPart::Quotes('"', false), '\\') => FlowPart::Quotes('"', true),
            (FlowPart::Quotes(quote, false), letter) if quote == letter => FlowPart::Plain,
            (FlowPart::Quotes(quote, _), _) => FlowPart::Quotes(quote, false),
            (FlowPart::Plain, '#') if before.is_whitespace() => FlowPart::Comment,
            // Within a word, as in `don't`, it is a letter.
            (FlowPart::Plain, '"' | '\'') if begins(solid) => FlowPart::Quotes(letter, false),
            (part, _) => part,
        };
        if part == FlowPart::Plain {
            match letter {
                '[' | '{' if depth > 0 || begins(solid) => depth += 1,
                ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        (line, column) = match letter {
            '\n' => (line + 1, 1),
            _ => (line, column + 1),
        };
        before = letter;
        if !matches!(letter, ' ' | '\t') {
            solid = letter;
        }
    }
    (!blanks.0.is_empty()).then_some((out, blanks))
}

/// Whether a value may begin behind this letter.
fn begins(before: char) -> bool {
    matches!(before, '[' | '{' | ',' | ':' | '-' | '\n' | '\r')
}
