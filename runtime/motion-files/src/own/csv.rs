//! Our own CSV: a header, then a line for each command, or for each instant. Called by `lib`. With
//! `actuator`, `time`, `value`, and perhaps `ease`, in any order, a line is a command. With `time`
//! (or `now`, as `watch --csv` writes it) and names of actuators, a line is an instant; an empty
//! field is no command.
//! The law: fields are divided by commas, semicolons or tabs, or by what Excel's first line `sep=;`
//! says. A number may have a decimal comma where that is no divider, so also in quotes. `#: name = nod`
//! is a setting, other lines with # are comments, and empty lines are skipped.

use super::{EaseText, OwnCommand, OwnReader, ease};
use crate::fault::{FileMistake, ReadFailure, WriteFailure, quoted};
use crate::motion::{JointTrack, KEYS_MAX, KeyedMotion};
use crate::text::number::shortest;
use crate::text::{SourceLine, SourceWord, check_lines, lines};
use crate::units::key_seconds;

const FORMAT: &str = "CSV";

/// The meaning of the columns.
enum OwnColumns {
    /// Where actuator, time, value and ease are.
    Commands([usize; 3], Option<usize>),
    /// Where the time is, and the places and names of the actuators.
    Instants(usize, Vec<(usize, usize)>),
}

/// Reads a motion.
pub(crate) fn read(text: &str, remarks: &mut Vec<FileMistake>) -> Result<KeyedMotion, ReadFailure> {
    check_lines(text)?;
    let mut header: Option<(OwnColumns, usize)> = None;
    // An unquoted field has no comma if commas divide.
    let mut reader = OwnReader::new(true);
    let mut separator = ',';
    let mut stated = None;
    for line in lines(text) {
        let bare = line.text.trim();
        if let (1, Some(letter)) = (line.number, stated_separator(bare)) {
            stated = Some(letter);
            continue;
        }
        if let Some(setting) = bare.strip_prefix("#:") {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            if let Err(sentence) = reader.setting(key.trim(), value.trim()) {
                reader
                    .mistakes
                    .add(FileMistake::new(line.number, 1, sentence));
            }
            continue;
        }
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        let Some((columns, width)) = &header else {
            separator = stated.unwrap_or_else(|| separator_of(line.text));
            let titles = fields(&line, separator);
            match columns(&line, &titles, &mut reader, remarks) {
                Ok(columns) => header = Some((columns, titles.len())),
                Err(mistake) => return Err(mistake.into()),
            }
            continue;
        };
        let fields = fields(&line, separator);
        if fields.len() != *width {
            let sentence = format!("{} fields, but the header has {width}", fields.len());
            reader.mistakes.add(line.short(sentence));
            continue;
        }
        if reader.is_full() {
            let sentence = format!("more than {KEYS_MAX} commands; fix: divide the file");
            reader.mistakes.add(line.short(sentence));
            break;
        }
        row(&line, &fields, columns, &mut reader);
    }
    reader.finish(remarks)
}

/// What Excel says divides the fields, on a line before all others.
fn stated_separator(line: &str) -> Option<char> {
    let inside = line.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let stated = inside.unwrap_or(line).strip_prefix("sep=")?;
    match stated {
        // A tab at the end was trimmed away.
        "" => Some('\t'),
        "," | ";" | "|" => stated.chars().next(),
        _ => None,
    }
}

fn row(line: &SourceLine<'_>, fields: &[SourceWord<'_>], columns: &OwnColumns, to: &mut OwnReader) {
    let nothing = SourceWord { start: 0, text: "" };
    let field = |at: usize| fields.get(at).copied().unwrap_or(nothing);
    match columns {
        OwnColumns::Commands([actuator, time, value], ease) => {
            let actuator = field(*actuator);
            let Some(track) = kept(line, actuator, to.track(actuator.text), to) else {
                return;
            };
            let eased = ease.map(&field).filter(|it| !it.text.is_empty());
            let eased = match eased {
                None => None,
                Some(word) => match kept(line, word, EaseText::read(word.text, to.comma), to) {
                    None => return,
                    ease => ease,
                },
            };
            command(line, track, (field(*time), field(*value)), eased, to);
        }
        OwnColumns::Instants(time, actuators) => {
            for (at, track) in actuators {
                let value = field(*at);
                if !value.text.is_empty() && value.text != "NaN" {
                    command(line, *track, (field(*time), value), None, to);
                }
            }
            // A line without values still has a time that must be one.
            let time = field(*time);
            if actuators.iter().all(|it| field(it.0).text.is_empty()) {
                let _ = kept(line, time, to.time(time.text), to);
            }
        }
    }
}

fn command(
    line: &SourceLine<'_>,
    track: usize,
    (time, value): (SourceWord<'_>, SourceWord<'_>),
    ease: Option<EaseText>,
    to: &mut OwnReader,
) {
    let Some(at) = kept(line, time, to.time(time.text), to) else {
        return;
    };
    let Some((number, unit)) = kept(line, value, to.value(value.text), to) else {
        return;
    };
    let place = line.wrong(&value, "");
    let added = to.add(OwnCommand {
        track,
        time: at,
        value: number,
        unit,
        ease,
        place: (place.line, place.column),
    });
    let _ = kept(line, value, added, to);
}

/// The result, or nothing and a mistake at a word.
fn kept<T>(
    line: &SourceLine<'_>,
    word: SourceWord<'_>,
    result: Result<T, String>,
    to: &mut OwnReader,
) -> Option<T> {
    let result = result.map_err(|sentence| line.wrong(&word, sentence));
    to.mistakes.keep(result)
}

/// What divides the fields of a header.
fn separator_of(header: &str) -> char {
    let most = [',', ';', '\t']
        .into_iter()
        .max_by_key(|it| (header.matches(*it).count(), *it == ','));
    most.unwrap_or(',')
}

/// The fields of a line, without quotes around them; what is inside of quotes divides nothing.
fn fields<'t>(line: &SourceLine<'t>, separator: char) -> Vec<SourceWord<'t>> {
    if !line.text.contains('"') {
        return line.fields(separator);
    }
    let mut fields = Vec::new();
    let mut from = 0;
    let mut is_inside = false;
    for (at, letter) in line.text.char_indices() {
        let begins = line
            .text
            .get(from..at)
            .is_some_and(|it| it.trim().is_empty());
        match letter {
            '"' => is_inside = !is_inside && (begins || is_again(line.text, at)),
            _ if letter == separator && !is_inside => {
                fields.extend(bare(line, from, at));
                from = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    fields.extend(bare(line, from, line.text.len()));
    fields
}

/// Whether a quote follows another one, as within a quoted field.
fn is_again(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|it| it.ends_with('"'))
}

/// A field without blanks and quotes around it.
fn bare<'t>(line: &SourceLine<'t>, from: usize, to: usize) -> Option<SourceWord<'t>> {
    let whole = line.text.get(from..to)?;
    let text = whole.trim();
    let start = from + whole.len() - whole.trim_start().len();
    let inside = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    Some(SourceWord {
        start,
        text: inside.map_or(text, str::trim),
    })
}

fn columns(
    line: &SourceLine<'_>,
    titles: &[SourceWord<'_>],
    reader: &mut OwnReader,
    remarks: &mut Vec<FileMistake>,
) -> Result<OwnColumns, FileMistake> {
    let place = |name: &str| {
        titles
            .iter()
            .position(|it| it.text.eq_ignore_ascii_case(name))
    };
    let command = (place("actuator"), place("time"), place("value"));
    if let (Some(actuator), Some(time), Some(value)) = command {
        let ease = place("ease");
        let is_read = |it: usize| [actuator, time, value].contains(&it) || ease == Some(it);
        let others = titles
            .iter()
            .enumerate()
            .filter(|it| !is_read(it.0) && !it.1.text.is_empty());
        remarks.extend(others.map(|(_, title)| {
            let sentence = format!(
                "the column {} is left out; known are actuator, time, value and ease",
                quoted(title.text)
            );
            line.wrong(title, sentence)
        }));
        return Ok(OwnColumns::Commands([actuator, time, value], ease));
    }
    let Some(time) = place("time").or_else(|| place("now")) else {
        let sentence = "the header has no `time`; fix: use `actuator,time,value`, \
                        or `time` and names of actuators";
        return Err(FileMistake::new(line.number, 1, sentence));
    };
    let mut named = Vec::new();
    for (at, title) in titles.iter().enumerate() {
        if at == time || title.text.eq_ignore_ascii_case("turn") {
            continue;
        }
        let track = reader.track(bare_title(title.text));
        let track = track.map_err(|sentence| line.wrong(title, sentence))?;
        named.push((at, track));
    }
    Ok(OwnColumns::Instants(time, named))
}

/// The name without its unit in brackets and its kind of value, as `watch --csv` writes them.
fn bare_title(title: &str) -> &str {
    let title = title.split(" [").next().unwrap_or(title);
    let kinds = ["commanded", "limited", "sent", "acknowledged", "sensor"];
    match title.rsplit_once('.') {
        Some((name, kind)) if kinds.contains(&kind) => name,
        _ => title,
    }
}

/// Writes a motion: a line for each command.
pub(crate) fn write(motion: &KeyedMotion) -> Result<String, WriteFailure> {
    let mut out = String::new();
    let mut set = |key: &str, value: &str| out.push_str(&format!("#: {key} = {value}\n"));
    if !motion.name.is_empty() {
        set("name", &motion.name);
    }
    if !motion.body.is_empty() {
        set("body", &motion.body);
    }
    if let Some(lead) = motion.lead {
        set("lead", &key_seconds(lead));
    }
    if motion.loops {
        set("loops", "true");
    }
    for sound in &motion.sounds {
        set(
            "sound",
            &format!("{} at {}", sound.file, key_seconds(sound.at)),
        );
    }
    for label in &motion.labels {
        set(
            "label",
            &format!("{} at {}", label.name, key_seconds(label.at)),
        );
    }
    let eased = motion.tracks.iter().any(|it| {
        let mut pairs = it.keys.windows(2);
        pairs.any(|it| matches!(it, [a, b] if ease::written(a, b).as_deref() != Some("linear")))
    });
    out.push_str(if eased {
        "actuator,time,value,ease\n"
    } else {
        "actuator,time,value\n"
    });
    for track in &motion.tracks {
        write_track(track, eased, &mut out)?;
    }
    Ok(out)
}

fn write_track(track: &JointTrack, eased: bool, out: &mut String) -> Result<(), WriteFailure> {
    let no_room = |what: String| WriteFailure::NoRoom {
        format: FORMAT,
        what,
    };
    let suffix = track.unit.suffix();
    let suffix = suffix.ok_or_else(|| no_room("values in microradians".to_owned()))?;
    for (number, key) in track.keys.iter().enumerate() {
        let (time, value) = (key_seconds(key.time), shortest(key.value));
        out.push_str(&format!("{},{time},{value}{suffix}", track.joint));
        if eased {
            out.push(',');
            if let Some(next) = track.keys.get(number + 1) {
                let word = ease::written(key, next);
                out.push_str(&word.ok_or_else(|| {
                    let joint = quoted(&track.joint);
                    no_room(format!(
                        "a curve with one handle, of {joint} after {time} s"
                    ))
                })?);
            }
        }
        out.push('\n');
    }
    Ok(())
}
