//! Integers that a browser must not round: instants in ns pass 2^53 after 104 days, and those of UTC have passed it.
//! Used by the fields that hold them, as `#[serde(with = "exact_integer")]`. In JSON they are strings of digits; a
//! number is read as well.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Writes it as a string.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<T: Copy + Into<Option<u64>>, S: Serializer>(
    value: &T,
    to: S,
) -> Result<S::Ok, S::Error> {
    let value: Option<u64> = (*value).into();
    value.map(|value| value.to_string()).serialize(to)
}

/// Reads it from a string or a number.
///
/// # Errors
/// It is neither.
pub fn deserialize<'de, T: From<Exact>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Exact::deserialize(from).map(T::from)
}

/// Reads lists of commands, each its instant and its value.
pub(crate) fn lists<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<(u64, f64)>>, D::Error> {
    let lists = Vec::<Vec<(Exact, f64)>>::deserialize(from)?;
    let lists = lists.into_iter().map(|list| {
        let commands = list.into_iter().map(|(at, value)| (at.0, value));
        commands.collect()
    });
    Ok(lists.collect())
}

/// JSON as logs and verbs print it: no browser reads it, and such integers are numbers.
pub fn with_numbers(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let digits = field.as_str().filter(|_| name.ends_with("_ns"));
                *field = match digits.and_then(|digits| digits.parse::<u64>().ok()) {
                    Some(number) => number.into(),
                    None => with_numbers(field.take()),
                };
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = with_numbers(item.take());
            }
        }
        _ => {}
    }
    value
}

/// An integer that was read.
#[derive(Clone, Copy, Debug)]
pub struct Exact(u64);

impl From<Exact> for u64 {
    fn from(exact: Exact) -> u64 {
        exact.0
    }
}

impl From<Exact> for Option<u64> {
    fn from(exact: Exact) -> Option<u64> {
        Some(exact.0)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Exact, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = u64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("u64")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
                Ok(value)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
                let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
                let value = text.parse().ok().filter(|_| is_digits);
                value.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        from.deserialize_any(Either).map(Exact)
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Both {
        #[serde(with = "super")]
        at: u64,
        #[serde(with = "super", default, skip_serializing_if = "Option::is_none")]
        ended: Option<u64>,
    }

    #[test]
    fn every_integer_comes_back_from_a_string_and_from_a_number() {
        for at in [0, 1, 1 << 53, (1 << 53) + 1, u64::MAX] {
            for ended in [None, Some(at)] {
                let both = Both { at, ended };
                let text = serde_json::to_string(&both).expect("JSON");
                assert!(text.contains(&format!("\"{at}\"")), "{text}");
                let numbers = text.replace(&format!("\"{at}\""), &at.to_string());
                for text in [text, numbers] {
                    let back: Both = serde_json::from_str(&text).expect("read");
                    assert_eq!(back, both);
                }
            }
        }
        for wrong in [
            "\"\"",
            "\"+1\"",
            "\"1.0\"",
            "-1",
            "1.5",
            "\"18446744073709551616\"",
            "null",
        ] {
            let text = format!("{{\"at\":{wrong}}}");
            assert!(serde_json::from_str::<Both>(&text).is_err(), "{text}");
        }
    }
}
