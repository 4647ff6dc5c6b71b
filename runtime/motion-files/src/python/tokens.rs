//! The words of a script, and its lines: a line ends where no bracket is open. Used by `reader`.

/// How deep brackets may be in each other where their contents are read.
pub(super) const DEPTH_MAX: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    Number,
    /// A text with its quotes.
    Text,
    Sign,
    /// A text of another kind, or of several lines.
    Strange,
    /// The same without an end.
    Unfinished,
}

/// A word, by its place in the script: a long export has millions of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeToken {
    start: u32,
    end: u32,
    pub(super) kind: TokenKind,
}

impl CodeToken {
    pub(super) fn byte(&self) -> usize {
        self.start as usize
    }

    pub(super) fn end(&self) -> usize {
        self.end as usize
    }
}

/// A line, however many lines of the file it has.
#[derive(Clone, Debug)]
pub(super) struct CodeLine {
    /// How far it is indented: a tab goes to the next multiple of eight.
    pub(super) indent: usize,
    pub(super) tokens: Vec<CodeToken>,
}

/// Signs of several letters, the longest first.
const SIGNS: [&str; 24] = [
    "**=", "//=", ">>=", "<<=", "...", "**", "//", "==", "!=", "<>", "<=", ">=", "->", ":=", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>",
];

/// The lines of a script, one after the other.
#[derive(Debug)]
pub(super) struct CodeLines<'t> {
    text: &'t str,
    at: usize,
    /// Where a text or a bracket begins that has no end, and the sentence about it.
    pub(super) unfinished: Option<(usize, &'static str)>,
}

impl<'t> CodeLines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        CodeLines {
            text,
            at: 0,
            unfinished: None,
        }
    }

    pub(super) fn next(&mut self) -> Option<CodeLine> {
        let mut line = CodeLine {
            indent: 0,
            tokens: Vec::new(),
        };
        let (mut depth, mut opened) = (0_usize, 0);
        let mut is_begin = true;
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else {
                if depth > 0 {
                    let sentence = "the list that begins here has no end; fix: close its bracket";
                    self.unfinished.get_or_insert((opened, sentence));
                }
                return Some(line).filter(|line| !line.tokens.is_empty());
            };
            match first {
                '\n' | '\r' => {
                    self.at += 1;
                    if depth == 0 && !line.tokens.is_empty() {
                        return Some(line);
                    }
                    is_begin |= line.tokens.is_empty();
                    if is_begin {
                        line.indent = 0;
                    }
                }
                '#' => self.at += rest.find(['\n', '\r']).unwrap_or(rest.len()),
                '\\' if rest[1..].starts_with(['\n', '\r']) => {
                    self.at += if rest[1..].starts_with("\r\n") { 3 } else { 2 };
                }
                _ if first.is_whitespace() => {
                    if is_begin {
                        line.indent = match first {
                            '\t' => (line.indent / 8 + 1) * 8,
                            _ => line.indent + 1,
                        };
                    }
                    self.at += first.len_utf8();
                }
                _ => {
                    is_begin = false;
                    let token = self.token(first);
                    match &self.text[token.byte()..token.end()] {
                        "(" | "[" | "{" => {
                            if depth == 0 {
                                opened = token.byte();
                            }
                            depth += 1;
                        }
                        ")" | "]" | "}" => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    line.tokens.push(token);
                }
            }
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn token(&mut self, first: char) -> CodeToken {
        let rest = self.rest();
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let follows_digit = rest
            .chars()
            .nth(1)
            .is_some_and(|letter| letter.is_ascii_digit());
        let (kind, length) = if first.is_ascii_digit() || (first == '.' && follows_digit) {
            (TokenKind::Number, number_length(rest))
        } else if first == '"' || first == '\'' {
            text_length(rest)
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            let quoted = &rest[length..];
            match quoted.starts_with(['"', '\'']) && length <= 2 {
                true => {
                    let (kind, behind) = text_length(quoted);
                    let is_plain = matches!(&rest[..length], "u" | "U" | "b" | "B");
                    (
                        if is_plain { kind } else { TokenKind::Strange },
                        length + behind,
                    )
                }
                false => (TokenKind::Name, length),
            }
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (
                TokenKind::Sign,
                sign.map_or(first.len_utf8(), |sign| sign.len()),
            )
        };
        let start = self.at;
        self.at += length;
        if kind == TokenKind::Unfinished {
            let sentence = "the text that begins here has no end; fix: close its quotes";
            self.unfinished.get_or_insert((start, sentence));
        }
        // A file is far shorter than 4 GiB.
        let place = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        CodeToken {
            start: place(start),
            end: place(self.at),
            kind,
        }
    }
}

/// What looks like a number; what it is decides who reads it.
fn number_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let is_part =
            |letter: char| letter.is_ascii_alphanumeric() || letter == '.' || letter == '_';
        length += rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let is_exponent = text[..length].ends_with(['e', 'E']) && !text.starts_with("0x");
        if !(is_exponent && text[length..].starts_with(['+', '-'])) {
            return length;
        }
        length += 1;
    }
}

/// A text between quotes, and its length; without an end, it has the rest of its line.
fn text_length(text: &str) -> (TokenKind, usize) {
    let quote = &text[..1];
    let triple = quote.repeat(3);
    if let Some(inside) = text.strip_prefix(&triple) {
        return match inside.find(&triple) {
            Some(end) => (TokenKind::Strange, end + 6),
            None => (TokenKind::Unfinished, text.len()),
        };
    }
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\n' | '\r' if !is_escaped => return (TokenKind::Strange, at),
            // The end of a line may be two letters.
            '\r' if is_escaped && text[at..].starts_with("\r\n") => {}
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if text[at..].starts_with(quote) => return (TokenKind::Text, at + 1),
            _ => {}
        }
    }
    (TokenKind::Strange, text.len())
}
