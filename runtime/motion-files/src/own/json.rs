//! Our own JSON: a list of commands, or an object with the list and the settings of the show.
//! Called by `lib`. `[{"actuator": "HeadYaw", "time": 0.5, "value": "30deg", "ease": "spline"},
//! ...]`, or `{"name": "nod", "lead": "1s", "loops": true, "commands": [...]}`.
//! An unknown entry is a mistake.

use super::{EaseText, OwnCommand, OwnReader, ease};
use crate::fault::{FileMistake, ReadFailure, WriteFailure, quoted};
use crate::motion::KeyedMotion;
use crate::text::number::shortest;
use crate::tree::json::put_text;
use crate::tree::{TreeNode, TreeValue};
use crate::units::key_seconds;

const FORMAT: &str = "JSON";

/// Whether a tree has the form of our own files.
pub(crate) fn is_own(root: &TreeNode) -> bool {
    match &root.value {
        TreeValue::Table(_) => root.get("commands").is_some(),
        TreeValue::List(items) => items.iter().all(|item| item.get("actuator").is_some()),
        _ => false,
    }
}

/// Reads a motion.
pub(crate) fn read(
    root: &TreeNode,
    remarks: &mut Vec<FileMistake>,
) -> Result<KeyedMotion, ReadFailure> {
    let mut reader = OwnReader::new(false);
    let commands = match &root.value {
        TreeValue::List(items) => items,
        _ => {
            let known = [
                "name", "body", "lead", "loops", "ease", "sound", "sounds", "labels", "commands",
            ];
            root.only(&known, "the show")?;
            for (key, node) in root.entries("the show")? {
                if &**key != "commands" {
                    setting(key, node, &mut reader)?;
                }
            }
            root.needed("commands", "the show")?.items("commands")?
        }
    };
    for one in commands {
        let command = command(one, &mut reader);
        reader.mistakes.keep(command);
    }
    reader.finish(remarks)
}

fn setting(key: &str, node: &TreeNode, reader: &mut OwnReader) -> Result<(), FileMistake> {
    let mut set = |key: &str, value: &str| {
        let done = reader.setting(key, value);
        done.map_err(|sentence| node.wrong(sentence))
    };
    match key {
        "loops" => set(key, if node.as_bool(key)? { "true" } else { "false" }),
        "sounds" | "labels" => {
            for item in node.items(key)? {
                set(&key[..5], item.as_text(key)?)?;
            }
            Ok(())
        }
        "lead" => set(key, node.as_written(key)?),
        _ => set(key, node.as_text(key)?),
    }
}

fn command(one: &TreeNode, reader: &mut OwnReader) -> Result<(), FileMistake> {
    one.only(&["actuator", "time", "value", "ease"], "a command")?;
    let actuator = one.needed("actuator", "a command")?;
    let time = one.needed("time", "a command")?;
    let value = one.needed("value", "a command")?;
    let track = reader.track(actuator.as_text("actuator")?.trim());
    let track = track.map_err(|sentence| actuator.wrong(sentence))?;
    let at = reader.time(time.as_written("time")?);
    let at = at.map_err(|sentence| time.wrong(sentence))?;
    let written = reader.value(value.as_written("value")?);
    let (number, unit) = written.map_err(|sentence| value.wrong(sentence))?;
    let ease = match one.get("ease") {
        None => None,
        Some(node) => {
            let ease = EaseText::read(node.as_text("ease")?, false);
            Some(ease.map_err(|sentence| node.wrong(sentence))?)
        }
    };
    let place = (value.place.0 as usize, value.place.1 as usize);
    let added = reader.add(OwnCommand {
        track,
        time: at,
        value: number,
        unit,
        ease,
        place,
    });
    added.map_err(|sentence| value.wrong(sentence))
}

/// Writes a motion: an object, with each command on a line.
pub(crate) fn write(motion: &KeyedMotion) -> Result<String, WriteFailure> {
    let mut entries: Vec<(&str, String)> = Vec::new();
    let text = |text: &str| {
        let mut out = String::new();
        put_text(text, &mut out);
        out
    };
    for (key, item) in [("name", &motion.name), ("body", &motion.body)] {
        if !item.is_empty() {
            entries.push((key, text(item)));
        }
    }
    if let Some(lead) = motion.lead {
        entries.push(("lead", key_seconds(lead)));
    }
    if motion.loops {
        entries.push(("loops", "true".to_owned()));
    }
    let timed = |name: &str, at: u64| text(&format!("{name} at {}", key_seconds(at)));
    let sounds = motion
        .sounds
        .iter()
        .map(|sound| timed(&sound.file, sound.at));
    let labels = motion
        .labels
        .iter()
        .map(|label| timed(&label.name, label.at));
    let all: [(&str, Vec<String>); 2] =
        [("sounds", sounds.collect()), ("labels", labels.collect())];
    for (key, list) in all.iter().filter(|pair| !pair.1.is_empty()) {
        entries.push((key, format!("[{}]", list.join(", "))));
    }
    let mut commands = Vec::new();
    for track in &motion.tracks {
        for (number, key) in track.keys.iter().enumerate() {
            let next = track.keys.get(number + 1);
            let ease = next.map(|next| ease::written(key, next).ok_or(key.time));
            commands.push(written(track, key, ease)?);
        }
    }
    entries.push((
        "commands",
        format!("[\n    {}\n  ]", commands.join(",\n    ")),
    ));
    let entries = entries
        .iter()
        .map(|(key, entry)| format!("  \"{key}\": {entry}"));
    let entries: Vec<_> = entries.collect();
    Ok(format!("{{\n{}\n}}\n", entries.join(",\n")))
}

fn written(
    track: &crate::motion::JointTrack,
    key: &crate::motion::JointKey,
    ease: Option<Result<String, u64>>,
) -> Result<String, WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what,
    };
    let suffix = track.unit.suffix();
    let suffix = suffix.ok_or_else(|| no_room("values in microradians".to_owned()))?;
    let mut out = String::from("{\"actuator\": ");
    put_text(&track.joint, &mut out);
    let value = shortest(key.value);
    let value = if suffix.is_empty() {
        value
    } else {
        format!("\"{value}{suffix}\"")
    };
    out.push_str(&format!(
        ", \"time\": {}, \"value\": {value}",
        key_seconds(key.time)
    ));
    match ease {
        None => {}
        Some(Ok(word)) if word == "linear" => {}
        Some(Ok(word)) => out.push_str(&format!(", \"ease\": \"{word}\"")),
        Some(Err(_)) => {
            let joint = quoted(&track.joint);
            return Err(no_room(format!("a curve with one handle, of {joint}")));
        }
    }
    out.push('}');
    Ok(out)
}
