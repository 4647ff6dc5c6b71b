//! Says in plain English why a request cannot be read: at which place, what was expected, and what came.
//! Called by the loop's socket and by the server's routes, after reading has failed; it reads the request once more,
//! with an error that knows the place. The law: what came is quoted briefly, and can be printed.

mod mistake;
mod places;

use mistake::ReadMistake;
use places::Place;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;

/// Why this JSON is no `T`. `error` is that of reading it.
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
    let found = T::deserialize(Place::json(&value)).err();
    // A text of JSON has what a value has not: fields that are there twice.
    found.map_or_else(|| twice(error), |mistake: ReadMistake| mistake.to_string())
}

/// As `explain_json`, for the fields of a request, without its word.
pub(crate) fn explain_request<T: DeserializeOwned>(
    text: &[u8],
    error: &serde_json::Error,
) -> String {
    let value = serde_json::from_slice::<Value>(text).unwrap_or_default();
    let found = T::deserialize(Place::json(&value)).err();
    found.map_or_else(
        || twice(error),
        |mistake: ReadMistake| mistake.of_fields().to_string(),
    )
}

/// Why these parts of an address are no `T`; their values are numbers if `T` has numbers there.
pub fn explain_query<T: DeserializeOwned>(parts: impl Iterator<Item = (String, String)>) -> String {
    let parts = parts.map(|(name, value)| (name, Value::String(value)));
    let value = Value::Object(parts.collect());
    let found = T::deserialize(Place::text(&value)).err();
    found.map_or_else(
        || "a parameter is there twice".to_owned(),
        |it: ReadMistake| it.to_string(),
    )
}

fn twice(error: &serde_json::Error) -> String {
    let words = error.to_string();
    match words
        .strip_prefix("duplicate field ")
        .and_then(|it| it.split(" at line").next())
    {
        Some(field) => format!("the field {} is there twice", mistake::shown(field)),
        None => "a field is there twice".to_owned(),
    }
}

#[cfg(test)]
mod tests;
