//! Reads and writes a mapping file, in TOML:
//!
//! ```toml
//! mirror = true                                   # exchange left and right first
//! flip = ["*Roll", "*Yaw"]                        # their sign changes then
//! [joints]
//! "neck.pan" = "HeadYaw"
//! "neck.tilt" = { to = "HeadPitch", scale = -1.0, offset = 0.1 }
//! "9" = { to = "LHand", range = [0.0, 0.8] }      # from 0 to 1 becomes that: scale 0.8, offset 0.0
//! "tail" = false                                  # is left out
//! ```
//! An unknown entry is a mistake with its place.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{JointMap, JointRule};
use crate::fault::{FileMistake, ReadFailure, place, quoted};
use crate::motion::TRACKS_MAX;
use crate::text::decode;

type Entry<'t> = Spanned<DeValue<'t>>;

impl JointMap {
    /// Reads a mapping file.
    ///
    /// # Errors
    /// Its mistakes.
    pub fn read(bytes: &[u8]) -> Result<JointMap, ReadFailure> {
        let text = decode(bytes)?;
        let table = DeTable::parse(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            FileMistake::at(&text, at, error.message().to_owned())
        })?;
        let mut map = JointMap::default();
        for (key, value) in table.get_ref() {
            match &**key.get_ref() {
                "mirror" => map.mirror = boolean(&text, value)?,
                "flip" => map.flip = patterns(&text, value)?,
                "joints" => map.joints = rules(&text, value)?,
                other => {
                    let sentence = format!(
                        "unknown entry {}; fix: use mirror, flip or [joints]",
                        quoted(other)
                    );
                    return Err(FileMistake::at(&text, key.span().start, sentence).into());
                }
            }
        }
        Ok(map)
    }

    /// Its text.
    pub fn write(&self) -> String {
        let quote = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let number = |value: f64| toml::Value::Float(value).to_string();
        let mut out = String::new();
        if self.mirror {
            out.push_str("mirror = true\n");
        }
        if !self.flip.is_empty() {
            let flip: Vec<_> = self.flip.iter().map(|flip| quote(flip)).collect();
            out.push_str(&format!("flip = [{}]\n", flip.join(", ")));
        }
        out.push_str("[joints]\n");
        for rule in &self.joints {
            let to = match &rule.to {
                None => "false".to_owned(),
                Some(to) if is_plain(rule) => quote(to),
                Some(to) => format!(
                    "{{ to = {}, scale = {}, offset = {} }}",
                    quote(to),
                    number(rule.scale),
                    number(rule.offset)
                ),
            };
            out.push_str(&format!("{} = {to}\n", quote(&rule.from)));
        }
        out
    }
}

fn is_plain(rule: &JointRule) -> bool {
    rule.scale == 1.0 && rule.offset == 0.0
}

fn wrong(text: &str, value: &Entry<'_>, sentence: &str) -> FileMistake {
    FileMistake::at(text, value.span().start, sentence)
}

fn boolean(text: &str, value: &Entry<'_>) -> Result<bool, FileMistake> {
    match value.get_ref() {
        DeValue::Boolean(boolean) => Ok(*boolean),
        _ => Err(wrong(text, value, "expected true or false")),
    }
}

fn string(text: &str, value: &Entry<'_>) -> Result<String, FileMistake> {
    match value.get_ref() {
        DeValue::String(string) if !string.is_empty() => Ok(string.to_string()),
        _ => Err(wrong(
            text,
            value,
            "expected the name of a joint, in quotes",
        )),
    }
}

fn number(text: &str, value: &Entry<'_>) -> Result<f64, FileMistake> {
    let written = match value.get_ref() {
        DeValue::Float(float) => float.as_str().replace('_', ""),
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().replace('_', ""),
        _ => return Err(wrong(text, value, "expected a number")),
    };
    crate::text::number::number(&written, false)
        .map_err(|fault| wrong(text, value, &fault.to_string()))
}

fn patterns(text: &str, value: &Entry<'_>) -> Result<Vec<String>, FileMistake> {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().map(|item| string(text, item)).collect(),
        _ => Err(wrong(text, value, "expected a list of names")),
    }
}

fn rules(text: &str, value: &Entry<'_>) -> Result<Vec<JointRule>, FileMistake> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err(wrong(text, value, "expected a table [joints]"));
    };
    if table.len() > TRACKS_MAX {
        return Err(wrong(text, value, "too many joints"));
    }
    let mut rules = Vec::with_capacity(table.len());
    for (from, value) in table {
        let found = rule(text, from.get_ref(), value)?;
        let place = place(text, from.span().start);
        rules.push(JointRule {
            place: Some(place),
            ..found
        });
    }
    Ok(rules)
}

/// What becomes of one joint.
fn rule(text: &str, from: &str, value: &Entry<'_>) -> Result<JointRule, FileMistake> {
    let mut rule = JointRule {
        from: from.to_owned(),
        to: None,
        scale: 1.0,
        offset: 0.0,
        place: None,
    };
    match value.get_ref() {
        DeValue::Boolean(false) => {}
        DeValue::String(_) => rule.to = Some(string(text, value)?),
        DeValue::Table(entries) => {
            let mut has_range = false;
            let mut has_scale = false;
            for (key, value) in entries {
                match &**key.get_ref() {
                    "to" => rule.to = Some(string(text, value)?),
                    "scale" => {
                        rule.scale = number(text, value)?;
                        has_scale = true;
                        if rule.scale == 0.0 {
                            return Err(wrong(text, value, "the scale is 0"));
                        }
                    }
                    "offset" => {
                        rule.offset = number(text, value)?;
                        has_scale = true;
                    }
                    "range" => {
                        let [low, high] = range(text, value)?;
                        (rule.scale, rule.offset) = (high - low, low);
                        has_range = true;
                    }
                    _ => {
                        let at = key.span().start;
                        let sentence = "expected to, scale, offset or range";
                        return Err(FileMistake::at(text, at, sentence));
                    }
                }
            }
            if has_range && has_scale {
                let sentence = "a range says the scale and the offset; fix: remove one of them";
                return Err(wrong(text, value, sentence));
            }
            if rule.to.is_none() {
                return Err(wrong(text, value, "`to` is missing"));
            }
        }
        _ => {
            let sentence =
                "expected a name in quotes, false, or { to, scale, offset } or { to, range }";
            return Err(wrong(text, value, sentence));
        }
    }
    Ok(rule)
}

/// What 0 and 1 become: two numbers that differ.
fn range(text: &str, value: &Entry<'_>) -> Result<[f64; 2], FileMistake> {
    let ends = match value.get_ref() {
        DeValue::Array(items) => items.iter().map(|item| number(text, item)).collect(),
        _ => Ok(Vec::new()),
    };
    match ends?[..] {
        [low, high] if low.total_cmp(&high).is_ne() && (high - low).is_finite() => Ok([low, high]),
        _ => Err(wrong(
            text,
            value,
            "expected what 0 and what 1 become, as in [-0.5, 1.5]",
        )),
    }
}
