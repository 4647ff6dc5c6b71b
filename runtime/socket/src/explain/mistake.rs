//! What is wrong at a place of a request. Made by `serde` while a request is read once more; told by `explain`.
//! The law: the words are ours, and quote no more than a line of what came.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};
use serde_json::Value;

/// The most letters of a request that are quoted.
const QUOTED_MAX: usize = 40;

/// What is wrong with a request.
#[derive(Debug)]
pub(super) struct ReadMistake {
    /// The way to the place, the innermost step first.
    way: Vec<String>,
    sentence: String,
    /// What came, if that is not said yet.
    came: Option<String>,
    /// Whether to say what came: not of a field that is missing, or should not be there.
    quotes: bool,
}

impl ReadMistake {
    fn new(sentence: String, quotes: bool) -> ReadMistake {
        ReadMistake {
            way: Vec::new(),
            sentence,
            came: None,
            quotes,
        }
    }

    /// Something else was expected.
    pub(super) fn expected(what: &str) -> ReadMistake {
        ReadMistake::new(format!("expected {what}"), true)
    }

    /// The same, and this came.
    #[must_use]
    pub(super) fn came(self, what: &str) -> ReadMistake {
        ReadMistake {
            came: Some(what.to_owned()),
            ..self
        }
    }

    /// The same, of this value, unless it is about one inside it.
    #[must_use]
    pub(super) fn of(mut self, value: &Value) -> ReadMistake {
        if self.quotes && self.came.is_none() {
            self.came = Some(match value {
                Value::String(text) if text.is_empty() => "an empty text".to_owned(),
                Value::String(text) => format!("`{}`", shown(text)),
                other => format!("`{}`", shown(&other.to_string())),
            });
        }
        self
    }

    /// The same, one step further inside.
    #[must_use]
    pub(super) fn inside(mut self, step: String) -> ReadMistake {
        self.way.push(step);
        self
    }

    /// The same, as seen from the fields of a request: without the word of its kind.
    #[must_use]
    pub(super) fn of_fields(mut self) -> ReadMistake {
        self.way.pop();
        self
    }
}

/// Text from outside, cut, without letters that cannot be seen.
pub(super) fn shown(text: &str) -> String {
    let mut cut: String = text.chars().take(QUOTED_MAX).collect();
    if text.chars().nth(QUOTED_MAX).is_some() {
        cut.push('…');
    }
    let letter = |it: char| match it {
        '"' | '\'' | '\\' | '…' => it.to_string(),
        _ => it.escape_debug().to_string(),
    };
    cut.chars().map(letter).collect()
}

impl Display for ReadMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.way.is_empty() {
            let way: String = self.way.iter().rev().map(String::as_str).collect();
            write!(f, "`{}`: ", way.trim_start_matches('.'))?;
        }
        f.write_str(&self.sentence)?;
        match &self.came {
            Some(came) => write!(f, ", and {came} came"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ReadMistake {}

impl de::Error for ReadMistake {
    fn custom<T: Display>(sentence: T) -> ReadMistake {
        ReadMistake::new(sentence.to_string(), true)
    }

    fn invalid_type(_: Unexpected<'_>, wanted: &dyn Expected) -> ReadMistake {
        ReadMistake::expected(&plain(&wanted.to_string()))
    }

    fn invalid_value(_: Unexpected<'_>, wanted: &dyn Expected) -> ReadMistake {
        ReadMistake::expected(&plain(&wanted.to_string()))
    }

    fn invalid_length(length: usize, wanted: &dyn Expected) -> ReadMistake {
        let mut mistake = ReadMistake::expected(&plain(&wanted.to_string()));
        let items = if length == 1 { "item" } else { "items" };
        mistake.came = Some(format!("a list of {length} {items}"));
        mistake
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> ReadMistake {
        ReadMistake::expected(&one_of(known))
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> ReadMistake {
        let known = match known {
            [] => "there are none".to_owned(),
            _ => format!("expected {}", one_of(known)),
        };
        ReadMistake::new(
            format!("there is no field `{}`: {known}", shown(field)),
            false,
        )
    }

    fn missing_field(field: &'static str) -> ReadMistake {
        ReadMistake::new(format!("the field `{field}` is missing"), false)
    }

    fn duplicate_field(field: &'static str) -> ReadMistake {
        ReadMistake::new(format!("the field `{field}` is there twice"), false)
    }
}

/// `a`, `b` or `c`.
fn one_of(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}`"),
        [front @ .., last] => format!("`{}` or `{last}`", front.join("`, `")),
    }
}

/// What a reader in Rust expects, in words that need no Rust.
fn plain(wanted: &str) -> String {
    let length = |it: &str| it.rsplit(' ').next().map(str::to_owned).unwrap_or_default();
    match wanted {
        "f32" | "f64" => "a number".to_owned(),
        "u8" => "a whole number from 0 to 255".to_owned(),
        "u16" => "a whole number from 0 to 65535".to_owned(),
        "u32" => "a whole number from 0 to 4294967295".to_owned(),
        "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "a string" | "string" => "a text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "unit" => "`null`".to_owned(),
        _ if wanted.starts_with("a tuple of size ")
            || wanted.starts_with("an array of length ") =>
        {
            format!("a list of {} items", length(wanted))
        }
        _ if wanted.starts_with("struct ") || wanted == "a map" => "an object".to_owned(),
        _ if wanted.starts_with("enum ") => "a word".to_owned(),
        other => other.to_owned(),
    }
}
