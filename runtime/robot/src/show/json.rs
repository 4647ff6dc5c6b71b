//! Reads a show in JSON: a list of commands, or an object with the list and the settings of the show.
//!
//! `[{"actuator": "HeadYaw", "time": 0.5, "value": "30deg"}, ...]`, or
//! `{"name": "nod", "lead": "1s", "loops": true, "commands": [...]}`.
//! The law: an unknown key is a mistake.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{ShowReader, instant};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole<'t> {
    name: Option<String>,
    lead: Option<NumberText>,
    #[serde(default)]
    loops: bool,
    #[serde(borrow)]
    commands: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a command: an object with `actuator`, `time` and `value`"
)]
struct One {
    actuator: String,
    time: NumberText,
    value: NumberText,
}

/// A number, or a text with a unit.
enum NumberText {
    Number(f64),
    Text(String),
}

impl<'de> Deserialize<'de> for NumberText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<NumberText, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = NumberText;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a text with a unit such as \"30deg\" or \"500ms\"")
            }
            fn visit_f64<E: Error>(self, it: f64) -> Result<NumberText, E> {
                Ok(NumberText::Number(it))
            }
            fn visit_u64<E: Error>(self, it: u64) -> Result<NumberText, E> {
                Ok(NumberText::Number(it as f64))
            }
            fn visit_i64<E: Error>(self, it: i64) -> Result<NumberText, E> {
                Ok(NumberText::Number(it as f64))
            }
            fn visit_str<E: Error>(self, it: &str) -> Result<NumberText, E> {
                Ok(NumberText::Text(it.to_owned()))
            }
        }
        from.deserialize_any(Either)
    }
}

impl NumberText {
    fn text(&self) -> String {
        match self {
            NumberText::Number(number) => number.to_string(),
            NumberText::Text(text) => text.clone(),
        }
    }
}

pub(super) fn read(text: &str, reader: &mut ShowReader) {
    let whole = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map(|commands| Whole {
            name: None,
            lead: None,
            loops: false,
            commands,
        })
    } else {
        serde_json::from_str::<Whole<'_>>(text)
    };
    let whole = match whole {
        Ok(whole) => whole,
        Err(error) => {
            let sentence = format!("{}{}", field(text, &error), without_place(&error));
            return reader.wrong(error.line().max(1), sentence);
        }
    };
    let compiled = &mut reader.show.compiled;
    compiled.loops = whole.loops;
    if let Some(name) = whole.name {
        compiled.name = name;
    }
    if let Some(lead) = whole.lead.map(|it| it.text()) {
        match instant(&lead) {
            Ok(lead) => reader.show.compiled.lead = lead,
            Err(why) => reader.wrong(1, format!("the lead `{lead}` is not a time: {why}")),
        }
    }
    for raw in whole.commands {
        let line = line_of(text, raw.get());
        match serde_json::from_str::<One>(raw.get()) {
            Ok(one) => reader.command(line, &one.actuator, &one.time.text(), &one.value.text()),
            Err(error) => {
                let sentence = format!("{}{}", field(raw.get(), &error), without_place(&error));
                reader.wrong(line + error.line().max(1) - 1, sentence);
            }
        }
    }
}

/// The line in which a part of the text begins.
fn line_of(text: &str, part: &str) -> usize {
    // `part` is borrowed from `text`.
    let at = (part.as_ptr().addr()).saturating_sub(text.as_ptr().addr());
    1 + text.bytes().take(at).filter(|it| *it == b'\n').count()
}

/// The field with the mistake, as the beginning of the message.
fn field(text: &str, error: &serde_json::Error) -> String {
    let lines = text.lines().take(error.line().max(1)).enumerate();
    let before = lines.map(|(at, line)| {
        let end = if at + 1 == error.line().max(1) {
            error.column()
        } else {
            usize::MAX
        };
        line.get(..end.min(line.len())).unwrap_or(line)
    });
    let before: String = before.collect();
    let known = [
        "actuator", "time", "value", "name", "lead", "loops", "commands",
    ]
    .map(|it| (before.rfind(&format!("\"{it}\"")), it));
    let last = known.into_iter().filter(|it| it.0.is_some()).max();
    match last {
        Some((_, name)) if error.to_string().starts_with("invalid") => format!("`{name}`: "),
        _ => String::new(),
    }
}

/// The message without its line, which is reported separately.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((sentence, _)) => sentence.to_owned(),
        None => text,
    }
}
