//! Reads a show in CSV: a header, then a line for each command, or for each instant.
//!
//! With the columns `actuator`, `time` and `value`, in any order, a line is a command. With `time` (or `now`, as
//! `watch --csv` writes it) and names of actuators, a line is an instant, and an empty field is no command.
//! The law: lines that begin with # and empty lines are skipped.

use super::{ShowReader, instant};

/// The meaning of the columns.
enum Columns {
    /// The indices of actuator, time and value.
    Commands([usize; 3]),
    /// The index of the time, and the indices and numbers of the actuators.
    Instants(usize, Vec<(usize, usize)>),
}

pub(super) fn read(text: &str, reader: &mut ShowReader) {
    let lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let Some((number, first)) = lines.next() else {
        return;
    };
    let comma = if first.contains(';') && !first.contains(',') {
        ';'
    } else {
        ','
    };
    let titles: Vec<_> = first.split(comma).map(unquoted).collect();
    let Some(columns) = columns(&titles, number, reader) else {
        let sentence = "the header has no `time`; fix: use `actuator,time,value`, or `time` and names of \
                        actuators";
        return reader.wrong(number, sentence.to_owned());
    };
    for (number, line) in lines {
        let fields: Vec<_> = line.split(comma).map(unquoted).collect();
        if fields.len() != titles.len() {
            let sentence = format!(
                "{} fields, but the header has {}",
                fields.len(),
                titles.len()
            );
            reader.wrong(number, sentence);
            continue;
        }
        match &columns {
            Columns::Commands([actuator, time, value]) => {
                reader.command(number, fields[*actuator], fields[*time], fields[*value]);
            }
            Columns::Instants(time, actuators) => match instant(fields[*time]) {
                Err(why) => {
                    reader.wrong(number, format!("`{}` is not a time: {why}", fields[*time]));
                }
                Ok(at) => {
                    for (place, actuator) in actuators {
                        value(reader, number, (*actuator, at), fields[*place]);
                    }
                }
            },
        }
    }
}

fn value(reader: &mut ShowReader, line: usize, (actuator, at): (usize, u64), field: &str) {
    if field.is_empty() || field == "NaN" {
        return;
    }
    match description::WrittenPosition::read(field) {
        Ok(value) => reader.add(line, actuator, at, value),
        Err(why) => reader.wrong(line, format!("`{field}` is not a value: expected {why}")),
    }
}

fn columns(titles: &[&str], line: usize, reader: &mut ShowReader) -> Option<Columns> {
    let place = |name: &str| titles.iter().position(|it| it.eq_ignore_ascii_case(name));
    if let (Some(actuator), Some(time), Some(value)) =
        (place("actuator"), place("time"), place("value"))
    {
        return Some(Columns::Commands([actuator, time, value]));
    }
    let time = place("time").or_else(|| place("now"))?;
    let is_actuator =
        |(at, title): &(usize, &&str)| *at != time && !title.eq_ignore_ascii_case("turn");
    let named = titles.iter().enumerate().filter(is_actuator);
    // A unit in brackets and the kind of value, as `watch --csv` writes them, are ignored.
    let bare = |title: &str| {
        let title = title.split(" [").next().unwrap_or(title);
        let fields = ["commanded", "limited", "sent", "acknowledged", "sensor"];
        match title.rsplit_once('.') {
            Some((name, field)) if fields.contains(&field) => name.to_owned(),
            _ => title.to_owned(),
        }
    };
    let named: Vec<_> = named.map(|(at, title)| (at, bare(title))).collect();
    let all = named
        .into_iter()
        .map(|(at, name)| (at, reader.actuator(line, &name)));
    Some(Columns::Instants(time, all.collect()))
}

fn unquoted(field: &str) -> &str {
    let field = field.trim();
    let inside = field.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    inside.unwrap_or(field)
}
