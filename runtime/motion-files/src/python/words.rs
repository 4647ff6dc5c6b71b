//! Words of a script that are read one after the other, and names among them.

use super::reader::Reader;
use super::tokens::{CodeToken, TokenKind};

/// Tokens that are read one after the other.
pub(super) struct Words<'a> {
    pub(super) tokens: &'a [CodeToken],
    pub(super) at: usize,
    /// How many brackets are around them.
    pub(super) depth: usize,
}

impl<'a> Words<'a> {
    pub(super) fn of(tokens: &'a [CodeToken]) -> Self {
        Words {
            tokens,
            at: 0,
            depth: 0,
        }
    }

    /// Some of these tokens, on their own.
    pub(super) fn inside(&self, tokens: &'a [CodeToken]) -> Self {
        Words {
            tokens,
            at: 0,
            depth: self.depth,
        }
    }

    pub(super) fn peek(&self) -> Option<&'a CodeToken> {
        self.tokens.get(self.at)
    }

    /// The end of the bracket that begins at a place: the place of its closing sign.
    fn closing(&self, text: &str, from: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (place, token) in self.tokens.iter().enumerate().skip(from) {
            match &text[token.byte()..token.end()] {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(place);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

impl<'t> Reader<'t, '_> {
    pub(super) fn word(&self, token: &CodeToken) -> &'t str {
        self.text.get(token.byte()..token.end()).unwrap_or("")
    }

    /// Whether this sign, or this word, comes next.
    pub(super) fn is_next(&self, words: &Words<'_>, sign: &str) -> bool {
        words
            .peek()
            .is_some_and(|token| token.kind != TokenKind::Text && self.word(token) == sign)
    }

    pub(super) fn take(&self, words: &mut Words<'_>, sign: &str) -> bool {
        let is_next = self.is_next(words, sign);
        words.at += usize::from(is_next);
        is_next
    }

    /// Takes a bracket, and returns what is in it.
    pub(super) fn take_bracket<'a>(&self, words: &mut Words<'a>) -> &'a [CodeToken] {
        let from = words.at;
        // Lines are read only if their brackets have ends.
        let end = words.closing(self.text, from).unwrap_or(words.tokens.len());
        words.at = (end + 1).min(words.tokens.len());
        words.tokens.get(from + 1..end).unwrap_or_default()
    }

    /// The text of tokens.
    pub(super) fn text_of(&self, tokens: &[CodeToken]) -> &'t str {
        let ends = tokens.first().zip(tokens.last());
        ends.and_then(|(first, last)| self.text.get(first.byte()..last.end()))
            .unwrap_or("")
    }

    /// Where these tokens begin; without any, the end of those that were read.
    pub(super) fn byte_of(&self, words: &Words<'_>) -> usize {
        let last = words.tokens.last().map_or(0, CodeToken::end);
        words.peek().map_or(last, CodeToken::byte)
    }

    /// The place behind a name and the attributes that follow it without blanks.
    pub(super) fn path_end(&self, tokens: &[CodeToken], from: usize) -> usize {
        /// The most attributes behind a name.
        const ATTRIBUTES_MAX: usize = 20;
        let mut end = from + 1;
        while end < from + 2 * ATTRIBUTES_MAX
            && let [point, name, ..] = &tokens[end..]
            && self.word(point) == "."
            && name.kind == TokenKind::Name
            && point.byte() == tokens[end - 1].end()
            && name.byte() == point.end()
        {
            end += 2;
        }
        end
    }

    /// The names of what may be lists in these tokens.
    pub(super) fn names(&self, tokens: &[CodeToken]) -> Vec<&'t str> {
        let mut names = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let is_name = tokens[at].kind == TokenKind::Name
                && (at == 0 || self.word(&tokens[at - 1]) != ".");
            let end = if is_name {
                self.path_end(tokens, at)
            } else {
                at + 1
            };
            if is_name {
                names.extend(self.lists_of(self.text_of(&tokens[at..end])));
            }
            at = end;
        }
        names
    }

    /// What may be lists of a name with attributes: `self.keys.reverse` is about `self.keys`, and about `self`.
    pub(super) fn lists_of(&self, path: &'t str) -> Vec<&'t str> {
        let longer = path.match_indices('.').map(|(at, _)| &path[..at]);
        let names = longer.chain([path]);
        names.filter(|name| self.scope.may_be_list(name)).collect()
    }
}
