//! The words of one line of a script, taken from left to right.
//! Used by `parse`; a `#` begins a comment.
//! Whatever does not fit is named with its line and what was expected in its place.

use std::fmt;
use std::str::FromStr;

use cycle::{Instant, Span};

/// Instant 0 of a script lies here on the cycle's clock, so that there is time to boot before it.
pub(crate) const ORIGIN: Instant = Instant::from_millis(10_000);

/// What is wrong with a script, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The line, counted from 1; 0 for the script as a whole.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.what),
            line => write!(f, "line {line}: {}", self.what),
        }
    }
}

impl std::error::Error for ScriptError {}

/// What is left of a line.
pub(crate) struct LineWords<'s> {
    pub(crate) line: usize,
    text: &'s str,
    rest: std::iter::Peekable<std::str::SplitWhitespace<'s>>,
}

impl<'s> LineWords<'s> {
    pub(crate) fn new(line: usize, text: &'s str) -> LineWords<'s> {
        let text = text.split('#').next().unwrap_or("");
        LineWords {
            line,
            text,
            rest: text.split_whitespace().peekable(),
        }
    }

    pub(crate) fn error(&self, what: impl Into<String>) -> ScriptError {
        ScriptError {
            line: self.line,
            what: what.into(),
        }
    }

    pub(crate) fn peek(&mut self) -> Option<&'s str> {
        self.rest.peek().copied()
    }

    pub(crate) fn next(&mut self) -> Option<&'s str> {
        self.rest.next()
    }

    /// The next word, which is `what`.
    pub(crate) fn word(&mut self, what: &str) -> Result<&'s str, ScriptError> {
        self.next()
            .ok_or_else(|| self.error(format!("expected {what}, found the end of the line")))
    }

    /// Skips the next word if it is this one.
    pub(crate) fn skip(&mut self, word: &str) -> bool {
        self.rest.next_if(|value| *value == word).is_some()
    }

    /// The next word, which is one of these.
    pub(crate) fn choice<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T, ScriptError> {
        let known = one_of(choices.iter().map(|choice| choice.0));
        let word = self.word(&known)?;
        let found = choices.iter().find(|choice| choice.0 == word);
        found
            .map(|pair| pair.1)
            .ok_or_else(|| self.error(format!("expected {known}, found \"{word}\"")))
    }

    /// The line from its third word on, without a comment.
    pub(crate) fn rest_of_line(&self) -> String {
        let rest = self.text.trim().splitn(3, char::is_whitespace).nth(2);
        rest.unwrap_or("").trim().to_owned()
    }

    /// Every word that is left, each an instant in ms.
    pub(crate) fn instants(&mut self) -> Result<Vec<Instant>, ScriptError> {
        let all = self.numbers("an instant in ms")?.into_iter();
        all.map(|ms| instant(ms).ok_or_else(|| self.error(format!("there is no instant {ms} ms"))))
            .collect()
    }

    pub(crate) fn value<T: FromStr>(&mut self, what: &str) -> Result<T, ScriptError> {
        let word = self.word(what)?;
        word.parse()
            .map_err(|_| self.error(format!("expected {what}, found \"{word}\"")))
    }

    /// An instant of the script in ms, which may lie before 0.
    pub(crate) fn instant(&mut self) -> Result<Instant, ScriptError> {
        let ms: f64 = self.value("an instant in ms")?;
        instant(ms).ok_or_else(|| self.error(format!("there is no instant {ms} ms")))
    }

    pub(crate) fn span(&mut self) -> Result<Span, ScriptError> {
        let ms: f64 = self.value("a time in ms")?;
        if !(0.0..1e12).contains(&ms) {
            return Err(self.error(format!("a time cannot be {ms} ms")));
        }
        Ok(Span::from_nanos((ms * 1e6).round() as u64))
    }

    pub(crate) fn range(&mut self) -> Result<(f64, f64), ScriptError> {
        let word = self.word("a range such as -1..1")?;
        range(word)
            .ok_or_else(|| self.error(format!("expected a range such as -1..1, found \"{word}\"")))
    }

    /// Every word that is left, each a number.
    pub(crate) fn numbers(&mut self, what: &str) -> Result<Vec<f64>, ScriptError> {
        let mut numbers = Vec::new();
        while self.peek().is_some_and(|word| word.parse::<f64>().is_ok()) {
            numbers.push(self.value(what)?);
        }
        Ok(numbers)
    }

    pub(crate) fn end(&mut self) -> Result<(), ScriptError> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(self.error(format!("did not expect \"{word}\" here"))),
        }
    }
}

/// "a, b or c".
pub(crate) fn one_of<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: Vec<_> = words.into_iter().collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

pub(crate) fn range(word: &str) -> Option<(f64, f64)> {
    let (min, max) = word.split_once("..")?;
    Some((min.parse().ok()?, max.parse().ok()?))
}

/// The instant on the cycle's clock; `None` for what no clock can show.
pub(crate) fn instant(ms: f64) -> Option<Instant> {
    let nanos = ms * 1e6 + ORIGIN.nanos() as f64;
    (0.0..1.8e19).contains(&nanos).then(|| {
        let offset = (ms.abs() * 1e6).round() as u64;
        if ms < 0.0 {
            ORIGIN.before(Span::from_nanos(offset))
        } else {
            ORIGIN + Span::from_nanos(offset)
        }
    })
}

/// The instant as the script writes it.
pub(crate) fn script_ms(instant: Instant) -> f64 {
    if instant < ORIGIN {
        -((ORIGIN - instant).nanos() as f64) / 1e6
    } else {
        (instant - ORIGIN).nanos() as f64 / 1e6
    }
}
