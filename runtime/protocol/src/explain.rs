//! Says in plain English why a request cannot be read: at which place, what was expected, and what came.
//! Called by the loop's socket and by the server's routes, after reading has failed; it reads the request once more,
//! as a tree. What came is quoted briefly, and can be printed.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;
use serde_path_to_error::Segment;

const A_WORD: &str = "expected a word";

/// The most letters of a request that are quoted.
const QUOTED_MAX: usize = 40;

/// The most letters of a sentence that a type of the request has made itself.
const SENTENCE_MAX: usize = 300;

/// Why this JSON is not a `T`. `error` is that of reading it.
pub fn explain_json<T: DeserializeOwned>(text: &[u8], error: &serde_json::Error) -> String {
    let value = match serde_json::from_slice::<Value>(text) {
        Ok(value) => value,
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            return match error.classify() {
                _ if text.trim_ascii().is_empty() => "expected JSON, and nothing came".to_owned(),
                Category::Eof => {
                    format!("the JSON ends too early, in line {line}, column {column}")
                }
                _ => format!("this is no JSON: line {line}, column {column} is wrong"),
            };
        }
    };
    match read::<T>(&value) {
        Some(found) => found.in_words(&value, 0),
        None => of_text(error),
    }
}

/// A text has what a tree does not have: fields that appear twice.
fn of_text(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let end = format!(" at line {} column {}", error.line(), error.column());
    Mistake::of(message.strip_suffix(&end).unwrap_or(&message)).sentence
}

/// As `explain_json`, for the fields of a request with this word.
pub(crate) fn explain_fields<T: DeserializeOwned>(
    word: &str,
    fields: Value,
    error: &serde_json::Error,
) -> String {
    let request = Value::Object(std::iter::once((word.to_owned(), fields)).collect());
    match read::<T>(&request) {
        Some(found) => found.in_words(&request, 1),
        None => of_text(error),
    }
}

/// Why these parts of an address are not a `T`.
pub fn explain_query<T: DeserializeOwned>(parts: impl Iterator<Item = (String, String)>) -> String {
    let parts = parts.map(|(name, value)| (name, Value::String(value)));
    let mut value = Value::Object(parts.collect());
    while let Some(found) = read::<T>(&value) {
        let part = found.place_in(&mut value);
        // Numbers and truth values of an address are strings.
        let text = part.as_str().filter(|text| *text == text.trim());
        let parsed = text.and_then(|text| serde_json::from_str(text).ok());
        match parsed {
            Some(parsed @ (Value::Number(_) | Value::Bool(_))) => *part = parsed,
            _ => return found.in_words(&value, 0),
        }
    }
    "a parameter is there twice".to_owned()
}

/// Why this tree is not a `T`, if it is none.
fn read<T: DeserializeOwned>(value: &Value) -> Option<LocatedMistake> {
    let mut found = mistake_in::<T>(value)?;
    if found.mistake.sentence == A_WORD {
        // Only an unknown word is refused with the words that are known.
        let mut with_word = value.clone();
        *found.place_in(&mut with_word) = Value::String(String::new());
        let with_words = mistake_in::<T>(&with_word).filter(|other| other.mistake.is_of_word);
        found.mistake = with_words.map_or(found.mistake, |other| other.mistake);
    }
    Some(found)
}

fn mistake_in<T: DeserializeOwned>(value: &Value) -> Option<LocatedMistake> {
    let error = serde_path_to_error::deserialize::<_, T>(value).err()?;
    let mut way: Vec<_> = error.path().iter().cloned().collect();
    let mistake = Mistake::of(&error.inner().to_string());
    if mistake.is_of_field {
        way.pop();
    }
    Some(LocatedMistake { way, mistake })
}

/// A mistake and its place.
struct LocatedMistake {
    way: Vec<Segment>,
    mistake: Mistake,
}

impl LocatedMistake {
    fn place_in<'v>(&self, value: &'v mut Value) -> &'v mut Value {
        let mut place = value;
        for step in &self.way {
            place = match step {
                Segment::Seq { index } if place.get(index).is_some() => &mut place[*index],
                Segment::Map { key: name } | Segment::Enum { variant: name }
                    if place.get(name).is_some() =>
                {
                    &mut place[name]
                }
                _ => place,
            };
        }
        place
    }

    /// A sentence, with the way to the place from this step on.
    fn in_words(&self, value: &Value, from: usize) -> String {
        let mut way = String::new();
        for step in self.way.iter().skip(from) {
            match step {
                Segment::Seq { index } => way += &format!("[{index}]"),
                Segment::Map { key: name } | Segment::Enum { variant: name } => {
                    way += &format!(".{}", shown(name, QUOTED_MAX));
                }
                Segment::Unknown => {}
            }
        }
        let place = match way.trim_start_matches('.') {
            "" => String::new(),
            way => format!("`{way}`: "),
        };
        let came = match (&self.mistake.quotes, self.place_in(&mut value.clone())) {
            (false, _) => String::new(),
            (true, Value::String(text)) if text.is_empty() => ", and an empty text came".to_owned(),
            (true, Value::String(text)) => format!(", and `{}` came", shown(text, QUOTED_MAX)),
            (true, other) => format!(", and `{}` came", shown(&other.to_string(), QUOTED_MAX)),
        };
        format!("{place}{}{came}", self.mistake.sentence)
    }
}

/// What is wrong with a request, in words that need no Rust.
struct Mistake {
    sentence: String,
    /// Whether what came is quoted: not of a field that is missing, or should not be there.
    quotes: bool,
    /// Whether the last step of the way to it is the field that should not be there.
    is_of_field: bool,
    /// Whether it is a word that is none of those that are known.
    is_of_word: bool,
}

impl Mistake {
    /// From the message of `serde_json`, whose errors have no other form.
    fn of(message: &str) -> Mistake {
        const WITH_WANTED: [&str; 4] =
            ["invalid ", "unknown field ", "unknown variant ", "missing "];
        let is_known = WITH_WANTED.iter().any(|kind| message.starts_with(kind));
        let (came, wanted) = match message.strip_suffix(", there are no fields") {
            None if is_known => message.rsplit_once(", expected ").unwrap_or((message, "")),
            other => (other.unwrap_or(message), ""),
        };
        let named = |kind: &str, of: &str| {
            let name = of.strip_prefix(kind)?.strip_prefix(" `")?;
            Some(shown(name.trim_end_matches('`'), QUOTED_MAX))
        };
        let (sentence, quotes) = if let Some(field) = named("missing field", message) {
            (format!("the field `{field}` is missing"), false)
        } else if let Some(field) = named("duplicate field", message) {
            (format!("the field `{field}` is there twice"), false)
        } else if let Some(field) = named("unknown field", came) {
            let known = match wanted {
                "" => "the request has no fields".to_owned(),
                _ => format!("expected {}", one_of(wanted)),
            };
            (format!("there is no field `{field}`: {known}"), false)
        } else if came.starts_with("unknown variant ") {
            (format!("expected {}", one_of(wanted)), true)
        } else if wanted.is_empty() {
            (shown(message, SENTENCE_MAX), true)
        } else {
            (format!("expected {}", plain(wanted)), true)
        };
        Mistake {
            sentence,
            quotes,
            is_of_field: came.starts_with("unknown field "),
            is_of_word: came.starts_with("unknown variant "),
        }
    }
}

/// Text from outside, cut, without letters that cannot be seen.
fn shown(text: &str, most: usize) -> String {
    let mut cut: String = text.chars().take(most).collect();
    if text.chars().nth(most).is_some() {
        cut.push('…');
    }
    let letter = |letter: char| match letter {
        '"' | '\'' | '\\' | '…' => letter.to_string(),
        _ => letter.escape_debug().to_string(),
    };
    cut.chars().map(letter).collect()
}

/// `a`, `b` or `c`.
fn one_of(words: &str) -> String {
    match words
        .strip_prefix("one of ")
        .and_then(|words| words.rsplit_once(", "))
    {
        Some((front, last)) => format!("{front} or {last}"),
        None => words.to_owned(),
    }
}

/// What a reader in Rust expects.
fn plain(wanted: &str) -> String {
    let plain = match wanted {
        "f32" | "f64" => "a number",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "a boolean" => "`true` or `false`",
        "a string" | "string" => "a text",
        "a sequence" => "a list",
        "fewer elements in array" => "fewer items",
        "unit" => "the word alone",
        "a map" => "an object",
        "string or map" | "map with a single key" => "a word",
        _ if wanted.starts_with("struct ") => "an object",
        _ if wanted.starts_with("enum ") => "a word",
        _ => {
            let size = ["a tuple of size ", "an array of length "];
            let size = size.iter().find_map(|size| wanted.strip_prefix(size));
            return match size {
                Some("1") => "a list of one item".to_owned(),
                Some(size) => format!("a list of {size} items"),
                None => wanted.to_owned(),
            };
        }
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{explain_json, explain_query};
    use crate::Call;

    /// Why this line is not a request.
    fn explained(line: &str) -> String {
        let error = serde_json::from_str::<Call>(line).expect_err(line);
        explain_json::<Call>(line.as_bytes(), &error)
    }

    #[test]
    fn a_mistake_is_told_with_its_place_what_was_expected_and_what_came() {
        for (line, sentence) in [
            ("", "expected JSON, and nothing came"),
            ("hello", "this is no JSON: line 1, column 1 is wrong"),
            (r#"{"id":1"#, "the JSON ends too early, in line 1, column 7"),
            ("[]", "expected an object, and `[]` came"),
            ("{}", "the field `ask` is missing"),
            (
                r#"{"id":-1,"ask":"hello"}"#,
                "`id`: expected a whole number, 0 or more, and `-1` came",
            ),
            (
                r#"{"id":"1","ask":"hello"}"#,
                "`id`: expected a whole number, 0 or more, and `1` came",
            ),
            (
                r#"{"ask":"hello","x":1}"#,
                "there is no field `x`: expected `id`, `request` or `ask`",
            ),
            (
                r#"{"ask":{"pause":{}}}"#,
                "`ask.pause`: the field `guest` is missing",
            ),
            (
                r#"{"ask":{"silence":{"board":"a","silent":"no"}}}"#,
                "`ask.silence.silent`: expected `true` or `false`, and `no` came",
            ),
            (
                r#"{"ask":{"move":{"to":["A"],"after_ns":[1],"values":[1,null]}}}"#,
                "`ask.move.values[1]`: expected a number, and `null` came",
            ),
            (
                r#"{"ask":{"move":{"to":["A"],"after_ns":[1],"values":[1],"merge":"new"}}}"#,
                "`ask.move.merge`: expected `merge`, `clear-all`, `clear-after` or `clear-before`, and `new` came",
            ),
            (
                r#"{"ask":{"schedule":{"to":["A"],"lists":[[[1,0.5,3],[2,0.5]]]}}}"#,
                "`ask.schedule.lists[0][0]`: expected fewer items, and `[1,0.5,3]` came",
            ),
            (
                r#"{"ask":{"move":{"to":["A"],"after_ns":[1],"values":[1],"measures":7}}}"#,
                "`ask.move.measures`: expected `angle` or `length`, and `7` came",
            ),
            (
                r#"{"id":"a at line b","ask":"hello"}"#,
                "`id`: expected a whole number, 0 or more, and `a at line b` came",
            ),
            (
                r#"{"ask":"hello","a at line b":1}"#,
                "there is no field `a at line b`: expected `id`, `request` or `ask`",
            ),
            (
                r#"{"ask":"hello","x, expected y":1}"#,
                "there is no field `x, expected y`: expected `id`, `request` or `ask`",
            ),
            (
                r#"{"id":1,"id":2,"ask":"hello"}"#,
                "the field `id` is there twice",
            ),
            (
                r#"{"ask":{"tune":{"guest":"a","params":{"x":1,"y":1,"x":2}}}}"#,
                "the field `x` is there twice",
            ),
        ] {
            assert_eq!(explained(line), sentence, "{line}");
        }
    }

    #[test]
    fn what_came_is_cut_and_can_be_printed() {
        let long = json!({ "id": "9".repeat(5000), "ask": "hello" }).to_string();
        let sentence = explained(&long);
        assert!(
            sentence.ends_with("9…` came") && sentence.chars().count() < 120,
            "{sentence}"
        );
        let sentence = explained(&json!({ "id": "a\u{202e}b\u{7}\n", "ask": "hello" }).to_string());
        assert!(
            sentence.ends_with("and `a\\u{202e}b\\u{7}\\n` came"),
            "{sentence}"
        );
        let sentence = explained(&json!({ "k".repeat(5000): 1 }).to_string());
        assert!(sentence.chars().count() < 160, "{sentence}");
        let huge = explained(r#"{"id":1e300,"ask":"hello"}"#);
        assert_eq!(
            huge,
            "`id`: expected a whole number, 0 or more, and `1e+300` came"
        );
    }

    #[test]
    fn numbers_of_an_address_are_texts() {
        #[derive(Debug, serde::Deserialize)]
        #[allow(dead_code, reason = "only read")]
        struct Since {
            since: u64,
            who: Option<String>,
        }
        let explained = |parts: &[(&str, &str)]| {
            let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            let parts = parts.iter().map(owned);
            explain_query::<Since>(parts)
        };
        let expected = "`since`: expected a whole number, 0 or more, and";
        assert_eq!(explained(&[("since", "x")]), format!("{expected} `x` came"));
        assert_eq!(
            explained(&[("since", "")]),
            format!("{expected} an empty text came")
        );
        assert_eq!(
            explained(&[("since", " 1")]),
            format!("{expected} ` 1` came")
        );
        assert_eq!(
            explained(&[("since", "-1")]),
            format!("{expected} `-1` came")
        );
        assert_eq!(explained(&[("who", "1")]), "the field `since` is missing");
        assert_eq!(
            explained(&[("since", "1"), ("since", "1")]),
            "a parameter is there twice"
        );
    }
}
