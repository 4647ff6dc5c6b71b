//! Our own CSV: a header, then a line for each command, or for each instant. Called by `lib`. With
//! `actuator`, `time`, `value`, and perhaps `ease`, in any order, a line is a command. With `time`
//! (or `now`, as `watch --csv` writes it) and names of actuators, a line is an instant; an empty
//! field is no command.
//! Fields are divided by commas, semicolons or tabs, or by what Excel's first line `sep=;`
//! says. A number may have a decimal comma where that is no divider, so also in quotes. `#: name = nod`
//! is a setting, other lines with # are comments, and empty lines are skipped, also those of dividers alone.
//! `columns` knows what columns mean.

use super::columns::{self, ColumnScan, OwnColumns, RowClock};
use super::fields::{fields, separator_of, stated_separator};
use super::{EaseText, OwnCommand, OwnReader, ease, too_many};
use crate::fault::{FileMistake, ReadFailure, WriteFailure, quoted};
use crate::motion::{JointTrack, KEYS_MAX, KeyedMotion};
use crate::text::number::shortest;
use crate::text::{SourceLine, SourceWord, check_lines, cut_off, decode, lines};
use crate::units::{ValueUnit, key_seconds};

const FORMAT: &str = "CSV";

/// The header of a table.
struct OwnHeader<'t> {
    line: SourceLine<'t>,
    separator: char,
    /// The titles, without empty ones at the end.
    titles: Vec<SourceWord<'t>>,
}

impl<'t> OwnHeader<'t> {
    /// The first line that is no comment; nothing if there is none.
    fn of(text: &'t str) -> Option<OwnHeader<'t>> {
        let mut stated = None;
        for line in lines(text) {
            let bare = line.text.trim();
            if let (1, Some(letter)) = (line.number, stated_separator(bare)) {
                stated = Some(letter);
            } else if !(bare.is_empty() || bare.starts_with('#')) {
                let separator = stated.unwrap_or_else(|| separator_of(line.text));
                let mut titles = fields(&line, separator);
                while titles.pop_if(|title| title.text.is_empty()).is_some() {}
                return Some(OwnHeader {
                    line,
                    separator,
                    titles,
                });
            }
        }
        None
    }

    /// The fields of a line, if it has any: without empty ones behind those of the header.
    fn fields(&self, line: &SourceLine<'t>) -> Option<Vec<SourceWord<'t>>> {
        let mut fields = fields(line, self.separator);
        if fields.iter().all(|field| field.text.is_empty()) {
            return None;
        }
        while fields.len() > self.titles.len()
            && fields.pop_if(|field| field.text.is_empty()).is_some()
        {}
        Some(fields)
    }

    /// What the rows behind it have in their columns; a mistake as soon as they have too many commands.
    fn scan(&self, text: &'t str, time: usize) -> Result<ColumnScan, FileMistake> {
        let counted = match commands(&self.titles) {
            Some([.., value]) => (0..self.titles.len()).map(|i| i == value).collect(),
            None => columns::certain(&self.titles, time),
        };
        let mut scan = ColumnScan::new(counted);
        let rows = lines(text).filter(|line| line.number > self.line.number);
        for line in rows.filter(|row| !row.text.trim_start().starts_with('#')) {
            if let Some(fields) = self.fields(&line) {
                scan.see(&line, &fields, time);
                if scan.commands() > KEYS_MAX {
                    return Err(line.short(too_many()));
                }
            }
        }
        Ok(scan)
    }
}

/// Whether a file has names of actuators over its columns, not a command in each line.
pub fn has_columns(bytes: &[u8]) -> bool {
    let text = decode(bytes).unwrap_or_default();
    OwnHeader::of(&text).is_some_and(|header| commands(&header.titles).is_none())
}

/// Reads a motion.
pub(crate) fn read(text: &str, remarks: &mut Vec<FileMistake>) -> Result<KeyedMotion, ReadFailure> {
    check_lines(text)?;
    remarks.extend(cut_off(text));
    // An unquoted field has no comma if commas divide.
    let mut reader = OwnReader::new(true);
    let Some(header) = OwnHeader::of(text) else {
        settings(text, &mut reader);
        return reader.finish(remarks);
    };
    let Some(time) = columns::time_column(&header.titles) else {
        let sentence = "the header has no `time`; fix: use `actuator,time,value`, \
                        or `time` and names of actuators";
        return Err(FileMistake::new(header.line.number, 1, sentence).into());
    };
    let scan = header.scan(text, time)?;
    let columns = header.columns((time, &scan), &mut reader, remarks)?;
    let title = header
        .titles
        .get(columns.time())
        .map_or("", |title| title.text);
    let (clock, told) = scan.clock(title, reader.comma);
    remarks.extend(told);
    let width = header.titles.len();
    settings(text, &mut reader);
    for line in lines(text).filter(|line| line.number > header.line.number) {
        if line.text.trim_start().starts_with('#') {
            continue;
        }
        let Some(fields) = header.fields(&line) else {
            continue;
        };
        if fields.len() != width {
            let sentence = format!("{} fields, but the header has {width}", fields.len());
            reader.mistakes.add(line.short(sentence));
            continue;
        }
        if reader.is_full() {
            reader.mistakes.add(line.short(too_many()));
            break;
        }
        row(&line, &fields, (&columns, &clock), &mut reader);
    }
    reader.finish(remarks)
}

/// Takes the settings of a file.
fn settings(text: &str, to: &mut OwnReader) {
    for line in lines(text) {
        let Some(setting) = line.text.trim().strip_prefix("#:") else {
            continue;
        };
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        if let Err(sentence) = to.setting(key.trim(), value.trim()) {
            to.mistakes.add(FileMistake::new(line.number, 1, sentence));
        }
    }
}

fn row(
    line: &SourceLine<'_>,
    fields: &[SourceWord<'_>],
    (columns, clock): (&OwnColumns, &RowClock),
    to: &mut OwnReader,
) {
    let nothing = SourceWord { start: 0, text: "" };
    let field = |at: usize| fields.get(at).copied().unwrap_or(nothing);
    let time = field(columns.time());
    match columns {
        OwnColumns::Commands([actuator, _, value], ease) => {
            let actuator = field(*actuator);
            let Some(track) = kept(line, actuator, to.track(actuator.text), to) else {
                return;
            };
            let eased = ease.map(&field).filter(|value| !value.text.is_empty());
            let eased = match eased {
                None => None,
                Some(word) => match kept(line, word, EaseText::read(word.text, to.comma), to) {
                    None => return,
                    ease => ease,
                },
            };
            let at = clock.read(time.text, to.comma);
            if let Some(at) = kept(line, time, at, to) {
                command(
                    line,
                    (track, ValueUnit::Native),
                    (at, field(*value)),
                    eased,
                    to,
                );
            }
        }
        OwnColumns::Instants(_, actuators) => {
            // A line without values still has a time that must be one.
            let at = clock.read(time.text, to.comma);
            let Some(at) = kept(line, time, at, to) else {
                return;
            };
            for column in actuators {
                let value = field(column.at);
                if !columns::is_nothing(value.text) {
                    command(line, (column.track, column.unit), (at, value), None, to);
                }
            }
        }
    }
}

/// Adds a command; the unit is that of a value which has none.
fn command(
    line: &SourceLine<'_>,
    (track, own): (usize, ValueUnit),
    (at, value): (u64, SourceWord<'_>),
    ease: Option<EaseText>,
    to: &mut OwnReader,
) {
    let Some((number, unit)) = kept(line, value, to.value(value.text), to) else {
        return;
    };
    let place = line.wrong(&value, "");
    let added = to.add(OwnCommand {
        track,
        time: at,
        value: number,
        unit: if unit == ValueUnit::Native { own } else { unit },
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

/// Where actuator, time and value are, if each line is a command.
fn commands(titles: &[SourceWord<'_>]) -> Option<[usize; 3]> {
    let place = |name: &str| {
        titles
            .iter()
            .position(|title| title.text.eq_ignore_ascii_case(name))
    };
    Some([
        place("actuator")?,
        columns::time_column(titles)?,
        place("value")?,
    ])
}

impl OwnHeader<'_> {
    /// What the columns mean.
    fn columns(
        &self,
        (time, scan): (usize, &ColumnScan),
        reader: &mut OwnReader,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<OwnColumns, FileMistake> {
        let titles = &self.titles;
        let Some(places) = commands(titles) else {
            return columns::instants(&self.line, titles, (time, scan), reader, remarks);
        };
        let ease = titles
            .iter()
            .position(|title| title.text.eq_ignore_ascii_case("ease"));
        let is_read = |n: usize| places.contains(&n) || ease == Some(n);
        let others = titles
            .iter()
            .enumerate()
            .filter(|pair| !is_read(pair.0) && !pair.1.text.is_empty());
        remarks.extend(others.map(|(_, title)| {
            let sentence = format!(
                "the column {} is left out; known are actuator, time, value and ease",
                quoted(title.text)
            );
            self.line.wrong(title, sentence)
        }));
        Ok(OwnColumns::Commands(places, ease))
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
    let eased = motion.tracks.iter().any(|track| {
        let mut pairs = track.keys.windows(2);
        pairs.any(|pair| matches!(pair, [a, b] if ease::written(a, b).as_deref() != Some("linear")))
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
