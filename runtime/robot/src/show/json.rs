//! A show in JSON: a list of commands, or an object with the list and what else is to be said of the show.
//!
//! `[{"actuator": "HeadYaw", "time": 0.5, "value": "30deg"}, ...]`, or
//! `{"name": "nod", "lead": "1s", "loops": true, "commands": [...]}`.
//! The law: a key that nobody knows is a mistake.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Reading, instant};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole<'t> {
    name: Option<String>,
    lead: Option<Figure>,
    #[serde(default)]
    loops: bool,
    #[serde(borrow)]
    commands: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    actuator: String,
    time: Figure,
    value: Figure,
}

/// A number, or a text with a unit.
#[derive(Deserialize)]
#[serde(untagged)]
enum Figure {
    Number(f64),
    Text(String),
}

impl Figure {
    fn text(&self) -> String {
        match self {
            Figure::Number(number) => number.to_string(),
            Figure::Text(text) => text.clone(),
        }
    }
}

pub(super) fn read(text: &str, reading: &mut Reading) {
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
        Err(error) => return reading.wrong(error.line().max(1), without_place(&error)),
    };
    let recital = &mut reading.show.recital;
    recital.loops = whole.loops;
    if let Some(name) = whole.name {
        recital.name = name;
    }
    if let Some(lead) = whole.lead.map(|it| it.text()) {
        match instant(&lead) {
            Ok(lead) => reading.show.recital.lead = lead,
            Err(why) => reading.wrong(1, format!("its lead `{lead}` is no time: {why}")),
        }
    }
    for raw in whole.commands {
        let line = line_of(text, raw.get());
        match serde_json::from_str::<One>(raw.get()) {
            Ok(one) => reading.command(line, &one.actuator, &one.time.text(), &one.value.text()),
            Err(error) => reading.wrong(line + error.line().max(1) - 1, without_place(&error)),
        }
    }
}

/// The line in which a part of the text begins.
fn line_of(text: &str, part: &str) -> usize {
    // It is borrowed from the text.
    let at = (part.as_ptr().addr()).saturating_sub(text.as_ptr().addr());
    1 + text.bytes().take(at).filter(|it| *it == b'\n').count()
}

/// The line is told already.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((sentence, _)) => sentence.to_owned(),
        None => text,
    }
}
