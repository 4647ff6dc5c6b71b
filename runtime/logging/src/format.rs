//! The forms in which an entry is written: a line of text, an object of JSON, the fields of journald.
//! Used by `start` for standard error and the journal, and by `dcm-run logs`. An entry is one line.

use std::fmt::Write;

use protocol::LogEntry;
use protocol::exact_integer::with_numbers;
use serde_json::{Value, json};

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// An object on each line, as `dcm-run logs --json` prints it.
    Json,
    /// The fields of journald's native protocol.
    Journald,
}

impl LogFormat {
    /// The bytes of an entry.
    pub(crate) fn line(self, entry: &LogEntry, colours: bool) -> Vec<u8> {
        match self {
            LogFormat::Text => {
                let mut line = text(entry, colours);
                line.push('\n');
                line.into_bytes()
            }
            LogFormat::Json => {
                let mut line = with_numbers(json!(entry)).to_string();
                line.push('\n');
                line.into_bytes()
            }
            LogFormat::Journald => journald(entry),
        }
    }
}

/// A line of text: when, level, who, what, and the fields.
pub fn text(entry: &LogEntry, colours: bool) -> String {
    let (colour, dim, plain) = match (colours, entry.level.as_str()) {
        (false, _) => ("", "", ""),
        (true, "error") => ("\x1b[31m", "\x1b[2m", "\x1b[0m"),
        (true, "warn") => ("\x1b[33m", "\x1b[2m", "\x1b[0m"),
        (true, "info") => ("\x1b[32m", "\x1b[2m", "\x1b[0m"),
        (true, _) => ("\x1b[34m", "\x1b[2m", "\x1b[0m"),
    };
    // A guest chooses its name: it must not look like a part of dcm-run.
    let who = match &entry.guest {
        Some(guest) if entry.target == *guest => format!("guest {guest}"),
        _ => entry.target.clone(),
    };
    let level = entry.level.to_uppercase();
    let mut line = format!(
        "{dim}{}{plain} {colour}{level:>5}{plain} {dim}{who}:{plain} {}",
        time(entry.utc_ns),
        entry.text
    );
    // Writing to a string never fails.
    let mut add = |name: &str, value: &str| {
        let _ = write!(line, " {dim}{name}={plain}{value}");
    };
    if let Some(turn) = entry.turn {
        add("turn", &turn.to_string());
    }
    if let Some(actuator) = &entry.actuator {
        add("actuator", actuator);
    }
    if let Some(guest) = entry.guest.as_ref().filter(|guest| **guest != entry.target) {
        add("guest", guest);
    }
    for (name, value) in &entry.fields {
        add(name, &in_words(value));
    }
    if !entry.span.is_empty() {
        add("in", &entry.span);
    }
    line
}

/// A value as it is written behind its name: with quotes if it has blanks.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() && !text.contains([' ', '"', '=']) => text.clone(),
        other => other.to_string(),
    }
}

/// The time of the day and the date, UTC, as RFC 3339 has it.
fn time(utc_ns: u64) -> String {
    let (seconds, millis) = (utc_ns / 1_000_000_000, utc_ns / 1_000_000 % 1000);
    let (year, month, day) = archive::calendar::date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The fields of journald: ours begin with DCM_.
fn journald(entry: &LogEntry) -> Vec<u8> {
    // As syslog numbers them.
    let priority = match entry.level.as_str() {
        "error" => "3",
        "warn" => "4",
        "info" => "6",
        _ => "7",
    };
    let mut bytes = Vec::with_capacity(256);
    let mut add = |name: &str, value: &str| {
        bytes.extend_from_slice(name.as_bytes());
        // Entries have no line ends, so no value needs a length.
        bytes.push(b'=');
        bytes.extend_from_slice(value.as_bytes());
        bytes.push(b'\n');
    };
    let message = match &entry.guest {
        Some(guest) if entry.target == *guest => format!("{guest}: {}", entry.text),
        _ => entry.text.clone(),
    };
    add("MESSAGE", &message);
    add("PRIORITY", priority);
    add("SYSLOG_IDENTIFIER", "dcm-run");
    add("DCM_TARGET", &entry.target);
    add("DCM_EVENT", &entry.event);
    add("DCM_AT_NS", &entry.at_ns.to_string());
    let turn = entry.turn.map(|turn| turn.to_string());
    for (name, value) in [
        ("DCM_TURN", &turn),
        ("DCM_GUEST", &entry.guest),
        ("DCM_ACTUATOR", &entry.actuator),
    ] {
        if let Some(value) = value {
            add(name, value);
        }
    }
    if !entry.span.is_empty() {
        add("DCM_SPAN", &entry.span);
    }
    for (name, value) in &entry.fields {
        let letters = name.chars().map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            }
        });
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        add(&format!("DCM_{}", letters.collect::<String>()), &value);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{LogFormat, text};
    use protocol::LogEntry;

    fn entry() -> LogEntry {
        LogEntry {
            utc_ns: 1_795_392_000_123_456_789,
            level: "warn".to_owned(),
            target: "robot::body".to_owned(),
            turn: Some(7),
            actuator: Some("HeadYaw".to_owned()),
            text: "HeadYaw is hot".to_owned(),
            fields: [("digest".to_owned(), "a b".into())].into(),
            ..LogEntry::default()
        }
    }

    #[test]
    fn a_line_tells_when_how_urgent_who_and_what() {
        let line = "2026-11-23T00:00:00.123Z  WARN robot::body: HeadYaw is hot turn=7 actuator=HeadYaw digest=\"a b\"";
        assert_eq!(text(&entry(), false), line);
    }

    #[test]
    fn a_guest_does_not_look_like_a_part() {
        let entry = LogEntry {
            target: "robot".to_owned(),
            guest: Some("robot".to_owned()),
            ..entry()
        };
        assert!(text(&entry, false).contains(" guest robot: "));
    }

    #[test]
    fn journald_gets_its_fields() {
        let bytes = LogFormat::Journald.line(&entry(), false);
        let fields = String::from_utf8(bytes).expect("text");
        for field in [
            "MESSAGE=HeadYaw is hot\n",
            "PRIORITY=4\n",
            "DCM_TURN=7\n",
            "DCM_ACTUATOR=HeadYaw\n",
            "DCM_DIGEST=a b\n",
        ] {
            assert!(fields.contains(field), "{field} in {fields}");
        }
    }
}
