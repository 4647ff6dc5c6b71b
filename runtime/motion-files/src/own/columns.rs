//! What the columns of a CSV mean: the time and its unit, names of actuators, and what is neither. Called by `csv`.
//! What is left out is told. A time that has no unit is in seconds; times that begin beyond the longest
//! motion, as those of a clock do, are counted from the first row.

use super::{OwnReader, or_unit};
use crate::fault::{FileMistake, quoted};
use crate::motion::TIME_MAX;
use crate::text::number::{NumberFault, number, scaled};
use crate::text::{SourceLine, SourceWord};
use crate::units::{ValueUnit, seconds, written_time};

/// The meaning of the columns.
pub(super) enum OwnColumns {
    /// Where actuator, time, value and ease are.
    Commands([usize; 3], Option<usize>),
    /// Where the time is, and the columns of actuators.
    Instants(usize, Vec<InstantColumn>),
}

/// A column of an actuator: its place, its track, and the unit of values that have none.
pub(super) struct InstantColumn {
    pub(super) at: usize,
    pub(super) track: usize,
    pub(super) unit: ValueUnit,
}

impl OwnColumns {
    /// Where the time is.
    pub(super) fn time(&self) -> usize {
        match self {
            OwnColumns::Commands([_, time, _], _) | OwnColumns::Instants(time, _) => *time,
        }
    }
}

/// How the times of rows are counted.
pub(super) struct RowClock {
    /// A number without a unit counts 10^-places s.
    places: u32,
    /// The time that is 0, ns.
    origin: i64,
}

impl RowClock {
    /// A time in ns.
    pub(super) fn read(&self, text: &str, comma: bool) -> Result<u64, String> {
        let wrong = |why: String| format!("{} is not a time: {why}", quoted(text));
        let ns = self.ns(text, comma).map_err(|fault| match fault {
            NumberFault::Large if self.places == 9 => wrong(
                "it is too large; fix: say its unit in the header, as in `time [ms]`".to_owned(),
            ),
            fault => wrong(or_unit(fault, "500ms")),
        })?;
        let since = ns.checked_sub(self.origin);
        let time = since
            .and_then(|since| u64::try_from(since).ok())
            .filter(|value| *value <= TIME_MAX);
        time.ok_or_else(|| match self.origin {
            0 => {
                let most = TIME_MAX / 1_000_000_000;
                wrong(format!("a time is from 0 to {most} s"))
            }
            _ => wrong(
                "it is before the first row, or 250000 s behind it; fix: sort the rows".to_owned(),
            ),
        })
    }

    fn ns(&self, text: &str, comma: bool) -> Result<i64, NumberFault> {
        match scaled(text.trim(), self.places, comma) {
            Err(NumberFault::NotANumber) => written_time(text, comma),
            read => read,
        }
    }
}

/// What the rows have in their columns.
pub(super) struct ColumnScan {
    /// The first time of a row, and where it is.
    first: Option<(String, usize, usize)>,
    /// Whether each time is a whole number, and the greatest.
    is_whole: bool,
    greatest: f64,
    /// Whether each column has numbers, or words; and whether it counts the rows from 0 or 1.
    numbers: Vec<bool>,
    words: Vec<bool>,
    counts: Vec<bool>,
    rows: usize,
    /// The columns of which each number is a command, and the number of these.
    counted: Vec<bool>,
    commands: usize,
}

impl ColumnScan {
    /// Of a table in which these columns have commands.
    pub(super) fn new(counted: Vec<bool>) -> ColumnScan {
        let width = counted.len();
        ColumnScan {
            first: None,
            is_whole: true,
            greatest: 0.0,
            numbers: vec![false; width],
            words: vec![false; width],
            counts: vec![true; width],
            rows: 0,
            counted,
            commands: 0,
        }
    }

    /// How many commands the rows have at least.
    pub(super) fn commands(&self) -> usize {
        self.commands
    }

    /// Looks at a row, in which the time is at this place.
    pub(super) fn see(&mut self, line: &SourceLine<'_>, fields: &[SourceWord<'_>], time: usize) {
        if let Some(time) = fields.get(time) {
            if self.first.is_none() {
                let place = line.wrong(time, "");
                self.first = Some((time.text.to_owned(), place.line, place.column));
            }
            self.is_whole &= time.text.bytes().all(|byte| byte.is_ascii_digit());
            self.greatest = self.greatest.max(number(time.text, false).unwrap_or(0.0));
        }
        for (at, field) in fields.iter().enumerate().take(self.numbers.len()) {
            let is_word = field.text.starts_with(char::is_alphabetic)
                && !is_nothing(field.text)
                && !field.text.to_ascii_lowercase().starts_with("inf");
            let is_number = !is_word && !is_nothing(field.text);
            self.words[at] |= is_word;
            self.numbers[at] |= is_number;
            self.commands += usize::from(is_number && self.counted[at]);
            let count = field.text.parse().ok();
            self.counts[at] &= count == Some(self.rows) || count == Some(self.rows + 1);
        }
        self.rows += 1;
    }

    /// How times are counted under a title, and what is to be said of it.
    pub(super) fn clock(&self, title: &str, comma: bool) -> (RowClock, Option<FileMistake>) {
        let mut clock = RowClock {
            places: places(title).unwrap_or(9),
            origin: 0,
        };
        // What `rostopic echo -p` writes is a whole number of ns.
        if title.trim_start().starts_with('%')
            && self.is_whole
            && self.greatest > (TIME_MAX / 1_000_000_000) as f64
        {
            clock.places = 0;
        }
        let Some((text, line, column)) = &self.first else {
            return (clock, None);
        };
        let begin = clock
            .ns(text, comma)
            .ok()
            .filter(|value| *value > TIME_MAX.cast_signed());
        let sentence = begin.map(|begin| {
            clock.origin = begin;
            let begin = seconds(begin);
            let sentence =
                format!("the times begin at {begin} s: they are counted from the first row");
            FileMistake::new(*line, *column, sentence)
        });
        (clock, sentence)
    }

    /// Whether a column has words alone, while others have numbers.
    fn is_text(&self, at: usize, time: usize) -> bool {
        let mut others = self
            .numbers
            .iter()
            .enumerate()
            .filter(|pair| pair.0 != time && pair.0 != at);
        let has = |list: &[bool]| list.get(at) == Some(&true);
        has(&self.words) && !has(&self.numbers) && others.any(|pair| *pair.1)
    }

    /// Whether a column has nothing, or counts the rows.
    fn is_idle(&self, at: usize) -> bool {
        let has = |list: &[bool]| list.get(at) == Some(&true);
        has(&self.counts) || !has(&self.words) && !has(&self.numbers)
    }
}

/// Whether a field is left out: it is empty, or what programs write for no number.
pub(super) fn is_nothing(field: &str) -> bool {
    field.is_empty() || field.eq_ignore_ascii_case("nan")
}

/// Where the time is among the titles: `time`, or else `now`, or else the first that stands for a time.
pub(super) fn time_column(titles: &[SourceWord<'_>]) -> Option<usize> {
    let named = |name: &str| {
        let mut titles = titles.iter();
        titles.position(|title| title.text.eq_ignore_ascii_case(name))
    };
    let like = || titles.iter().position(|title| places(title.text).is_some());
    named("time").or_else(|| named("now")).or_else(like)
}

/// For a title that stands for a time, what its numbers count: 10^-places s.
fn places(title: &str) -> Option<u32> {
    const NAMES: [&str; 6] = [
        "time",
        "now",
        "timestamp",
        "time_stamp",
        "time stamp",
        "__time",
    ];
    const UNITS: [(&str, u32); 20] = [
        ("s", 9),
        ("sec", 9),
        ("secs", 9),
        ("second", 9),
        ("seconds", 9),
        ("ms", 6),
        ("msec", 6),
        ("msecs", 6),
        ("millis", 6),
        ("milliseconds", 6),
        ("us", 3),
        ("µs", 3),
        ("μs", 3),
        ("usec", 3),
        ("usecs", 3),
        ("microseconds", 3),
        ("ns", 0),
        ("nsec", 0),
        ("nsecs", 0),
        ("nanoseconds", 0),
    ];
    let lower = title.trim().to_lowercase();
    let bare = lower.strip_prefix('%').unwrap_or(&lower).trim();
    if NAMES.contains(&bare) {
        return Some(9);
    }
    let inside = bare.strip_suffix([')', ']']).unwrap_or(bare);
    let (name, unit) = inside.rsplit_once(['(', '[', '_', ' '])?;
    let name = name.trim_end_matches([' ', '_', '(', '[']);
    let unit = UNITS.iter().find(|pair| pair.0 == unit.trim())?;
    NAMES.contains(&name).then_some(unit.1)
}

/// The columns of which each number is a command, whatever the others have.
pub(super) fn certain(titles: &[SourceWord<'_>], time: usize) -> Vec<bool> {
    let is_actuator = |(at, title): (usize, &SourceWord<'_>)| {
        let is_other = at == time || is_turn(title) || title.text.is_empty();
        !is_other && ColumnTitle::of(title.text).unit.is_ok()
    };
    titles.iter().enumerate().map(is_actuator).collect()
}

/// The count of turns that `watch --csv` writes.
fn is_turn(title: &SourceWord<'_>) -> bool {
    title.text.eq_ignore_ascii_case("turn")
}

/// The columns of actuators, without what is left out.
pub(super) fn instants(
    line: &SourceLine<'_>,
    titles: &[SourceWord<'_>],
    (time, scan): (usize, &ColumnScan),
    reader: &mut OwnReader,
    remarks: &mut Vec<FileMistake>,
) -> Result<OwnColumns, FileMistake> {
    let all = titles.iter().enumerate();
    let all = all.filter(|(at, title)| *at != time && !is_turn(title));
    let mut read = Vec::new();
    for (at, title) in all {
        if title.text.is_empty() && scan.is_idle(at) {
            if scan.numbers.get(at) == Some(&true) {
                let sentence = "the column without a name is left out: it counts the rows";
                remarks.push(line.wrong(title, sentence));
            }
            continue;
        }
        if scan.is_text(at, time) {
            let name = quoted(title.text);
            remarks.push(line.wrong(
                title,
                format!("the column {name} is left out: it has no numbers"),
            ));
            continue;
        }
        read.push((at, title, ColumnTitle::of(title.text)));
    }
    let mut named = Vec::new();
    for (at, title, own) in &read {
        let unit = match own.unit {
            Ok(unit) => unit,
            Err(unit) => {
                let mut others = read.iter().map(|row| &row.2);
                if !others.any(|item| item.name == own.name && item.unit.is_ok()) {
                    return Err(line.wrong(title, no_unit(unit)));
                }
                let sentence = format!(
                    "the column {} is left out: {} is not a unit of values, and another column has those of {}",
                    quoted(title.text),
                    quoted(unit),
                    quoted(own.name)
                );
                remarks.push(line.wrong(title, sentence));
                continue;
            }
        };
        let track = reader.track(own.name);
        let (at, track) = (*at, track.map_err(|sentence| line.wrong(title, sentence))?);
        named.push(InstantColumn { at, track, unit });
    }
    Ok(OwnColumns::Instants(time, named))
}

fn no_unit(unit: &str) -> String {
    format!(
        "{} is not a unit of values; fix: convert the column to {}, or remove it",
        quoted(unit),
        ValueUnit::known()
    )
}

/// What the title of a column of values says.
struct ColumnTitle<'t> {
    /// The actuator: the title without its kind of value and its unit in brackets, as `watch --csv` writes them.
    name: &'t str,
    /// The unit, if it is not the one that values have anyway; or what stands in its place.
    unit: Result<ValueUnit, &'t str>,
}

impl<'t> ColumnTitle<'t> {
    fn of(title: &'t str) -> ColumnTitle<'t> {
        const KINDS: [&str; 5] = ["commanded", "limited", "sent", "acknowledged", "sensor"];
        let (name, unit) = Self::divided(title);
        match name.rsplit_once('.') {
            Some((name, kind)) if KINDS.contains(&kind) => ColumnTitle { name, unit },
            _ => ColumnTitle { name, unit },
        }
    }

    fn divided(title: &'t str) -> (&'t str, Result<ValueUnit, &'t str>) {
        let own = (title, Ok(ValueUnit::Native));
        let square = title
            .strip_suffix(']')
            .and_then(|rest| rest.rsplit_once('['));
        let round = || {
            title
                .strip_suffix(')')
                .and_then(|rest| rest.rsplit_once('('))
        };
        let Some((name, written)) = square.or_else(round) else {
            return own;
        };
        let (bare, unit) = (name.trim_end(), written.trim());
        match ValueUnit::named(&unit.to_lowercase()) {
            Some(ValueUnit::Radian | ValueUnit::Metre) => (bare, Ok(ValueUnit::Native)),
            Some(known) => (bare, Ok(known)),
            // In round brackets, words may be a part of the name; and `joint[0]` is an element of a list.
            None if square.is_none() || (bare == name && is_index(unit)) => own,
            // Nothing is measured in shares and plain numbers.
            None if ["", "-", "1"].contains(&unit) => (bare, Ok(ValueUnit::Native)),
            None => (bare, Err(unit)),
        }
    }
}

fn is_index(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
