//! Shows without code: files of timed commands, in CSV or JSON.
//!
//! `csv` and `json` read them; a `Show` is what both become, and `guests` makes a choreography of it. Used by
//! the command line. The law: a mistake names its line, and a file with mistakes is not played at all.

mod csv;
mod json;

use std::collections::HashMap;
use std::fmt;

use cycle::ActuatorId;
use guests::{CompiledShow, SHOW_COMMANDS_MAX, TimedCommand};

use description::{Dimension, Robot, WrittenPosition, nearest};

/// The maximum number of mistakes that are shown.
const MISTAKES_MAX: usize = 10;

/// The default time from the start of a show to its instant 0, s.
const LEAD: f64 = 1.0;

/// The largest file, bytes.
pub const SHOW_MAX: usize = 64 << 20;

/// A show that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Show {
    /// The commands.
    pub compiled: CompiledShow,
    /// The line in which each actuator is named first.
    lines: Vec<usize>,
    /// The units in the file: the actuator, the dimension, the line.
    measured: Vec<(usize, Dimension, usize)>,
}

/// A mistake in a show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its line, counted from 1.
    pub line: usize,
    /// The message.
    pub sentence: String,
}

/// Mistakes in a show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    /// The first of them.
    pub list: Vec<Mistake>,
    /// The number of further mistakes.
    pub more: usize,
    /// The number of valid commands.
    pub valid: usize,
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, it) in self.list.iter().enumerate() {
            let end = if number + 1 < self.list.len() {
                "\n"
            } else {
                ""
            };
            write!(f, "line {}: {}{end}", it.line, it.sentence)?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        match self.valid {
            0 => Ok(()),
            1 => write!(f, "\n1 command is valid, but nothing is played"),
            valid => write!(f, "\n{valid} commands are valid, but nothing is played"),
        }
    }
}

impl std::error::Error for Mistakes {}

impl Show {
    /// Reads a show of this name: JSON if it begins with `[` or `{`, otherwise CSV.
    ///
    /// # Errors
    /// [`Mistakes`], each with its line.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Show, Mistakes> {
        let mut reader = ShowReader::new(name);
        if bytes.len() > SHOW_MAX {
            reader.wrong(
                1,
                format!(
                    "the file has more than {} MiB; fix: divide it",
                    SHOW_MAX >> 20
                ),
            );
            return reader.finish();
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}'),
            Err(error) => {
                let before = bytes.get(..error.valid_up_to()).unwrap_or(&[]);
                let line = 1 + before.iter().filter(|it| **it == b'\n').count();
                reader.wrong(
                    line,
                    "the file is not UTF-8 text; fix: check that it is a show".to_owned(),
                );
                return reader.finish();
            }
        };
        if text.trim_start().starts_with(['[', '{']) {
            json::read(text, &mut reader);
        } else {
            csv::read(text, &mut reader);
        }
        reader.finish()
    }

    /// Checks that this robot has all actuators of the show.
    ///
    /// # Errors
    /// The missing actuators, each with its line and a similar name.
    pub fn fits(&self, robot: &Robot) -> Result<(), Mistakes> {
        let alias = |name: &str| robot.aliases.iter().find(|it| it.0 == name);
        let unknown = |(name, line): (&String, &usize)| {
            if robot.actuator(name).is_some() || alias(name).is_some() {
                return None;
            }
            let known = robot.actuators.iter().map(|it| it.name.as_str());
            let meant =
                nearest(name, known).map_or(String::new(), |it| format!("; did you mean `{it}`?"));
            Some(Mistake {
                line: *line,
                sentence: format!("{} has no actuator `{name}`{meant}", robot.name),
            })
        };
        let unfit = |(place, measures, line): &(usize, Dimension, usize)| {
            let name = self.compiled.actuators.get(*place)?;
            let own = robot.actuator(name).map(|it| vec![it]);
            let ids = own.or(alias(name).map(|it| it.1.clone()))?;
            let all = ids
                .iter()
                .filter_map(|it| robot.actuators.get(usize::from(it.0)));
            let mut wrong = all.filter_map(|it| measures.fits(&it.name, &it.unit).err());
            let sentence = wrong.next()?;
            Some(Mistake {
                line: *line,
                sentence,
            })
        };
        let all = self.compiled.actuators.iter().zip(&self.lines);
        let conflicts = self.conflicts(|name| {
            let own = robot.actuator(name).map(|it| vec![it]);
            own.or_else(|| alias(name).map(|it| it.1.clone()))
                .unwrap_or_default()
        });
        let unfit = self.measured.iter().filter_map(unfit);
        let mut list: Vec<_> = all
            .filter_map(unknown)
            .chain(unfit)
            .chain(conflicts)
            .collect();
        if list.is_empty() {
            return Ok(());
        }
        let more = list.len().saturating_sub(MISTAKES_MAX);
        list.truncate(MISTAKES_MAX);
        Err(Mistakes {
            list,
            more,
            valid: 0,
        })
    }

    /// Actuators that get two values at one instant through two names: an alias and their own name, or two aliases.
    fn conflicts(&self, means: impl Fn(&str) -> Vec<ActuatorId>) -> Vec<Mistake> {
        let names = &self.compiled.actuators;
        let members: Vec<_> = names.iter().map(|it| means(it)).collect();
        if members.iter().all(|it| it.len() < 2) {
            return Vec::new();
        }
        let mut values: HashMap<(ActuatorId, u64), (f64, usize)> = HashMap::new();
        let mut list: Vec<Mistake> = Vec::new();
        for line in &self.compiled.lines {
            for id in &members[line.actuator] {
                let (other, by) = *values
                    .entry((*id, line.at))
                    .or_insert((line.value, line.actuator));
                if other.total_cmp(&line.value).is_ne() && list.len() < MISTAKES_MAX {
                    let at = line.at as f64 / 1e9;
                    let sentence = format!(
                        "two values for the same joint at {at} s: {other} for `{}`, and {} for `{}`",
                        names[by], line.value, names[line.actuator]
                    );
                    let number = self.lines[by].max(self.lines[line.actuator]);
                    list.push(Mistake {
                        line: number,
                        sentence,
                    });
                }
            }
        }
        list.dedup_by(|a, b| a.sentence == b.sentence);
        list
    }
}

/// A show that is being read.
struct ShowReader {
    show: Show,
    mistakes: Vec<Mistake>,
    more: usize,
    /// The value of each actuator at each instant, and its line.
    values: HashMap<(usize, u64), (f64, usize)>,
}

impl ShowReader {
    fn new(name: &str) -> ShowReader {
        let compiled = CompiledShow {
            name: name.to_owned(),
            lead: (LEAD * 1e9) as u64,
            ..CompiledShow::default()
        };
        ShowReader {
            show: Show {
                compiled,
                lines: Vec::new(),
                measured: Vec::new(),
            },
            mistakes: Vec::new(),
            more: 0,
            values: HashMap::new(),
        }
    }

    fn wrong(&mut self, line: usize, sentence: String) {
        if self.mistakes.len() < MISTAKES_MAX {
            self.mistakes.push(Mistake { line, sentence });
        } else {
            self.more += 1;
        }
    }

    /// The index of an actuator in the show; adds it if it is new.
    fn actuator(&mut self, line: usize, name: &str) -> usize {
        let compiled = &mut self.show.compiled;
        let known = compiled.actuators.iter().position(|it| it == name);
        known.unwrap_or_else(|| {
            compiled.actuators.push(name.to_owned());
            self.show.lines.push(line);
            compiled.actuators.len() - 1
        })
    }

    /// Adds a command from its text.
    fn command(&mut self, line: usize, actuator: &str, time: &str, value: &str) {
        let name = actuator.trim();
        if name.is_empty() {
            return self.wrong(line, "the name of the actuator is missing".to_owned());
        }
        match (instant(time), WrittenPosition::read(value)) {
            (Err(why), _) => self.wrong(line, format!("`{}` is not a time: {why}", time.trim())),
            (_, Err(why)) => {
                self.wrong(
                    line,
                    format!("`{}` is not a value: expected {why}", value.trim()),
                );
            }
            (Ok(at), Ok(value)) => {
                let actuator = self.actuator(line, name);
                self.add(line, actuator, at, value);
            }
        }
    }

    fn add(&mut self, line: usize, actuator: usize, at: u64, value: WrittenPosition) {
        let WrittenPosition { value, measures } = value;
        if let Some(measures) = measures
            && !self
                .show
                .measured
                .iter()
                .any(|it| (it.0, it.1) == (actuator, measures))
        {
            self.show.measured.push((actuator, measures, line));
        }
        if !value.is_finite() {
            return self.wrong(line, "the value is not a finite number".to_owned());
        }
        if self.show.compiled.lines.len() >= SHOW_COMMANDS_MAX {
            return self.wrong(
                line,
                format!("more than {SHOW_COMMANDS_MAX} commands; fix: divide the file"),
            );
        }
        if let Some((other, there)) = self.values.insert((actuator, at), (value, line))
            && other.total_cmp(&value).is_ne()
        {
            let name = &self.show.compiled.actuators[actuator];
            let at = at as f64 / 1e9;
            return self.wrong(
                line,
                format!("{name} has two values at {at} s: {other} in line {there}, and {value}"),
            );
        }
        self.show.compiled.lines.push(TimedCommand {
            actuator,
            at,
            value,
        });
    }

    fn finish(mut self) -> Result<Show, Mistakes> {
        if self.mistakes.is_empty() && self.show.compiled.lines.is_empty() {
            self.wrong(1, "the file has no commands".to_owned());
        }
        if self.mistakes.is_empty() {
            return Ok(self.show);
        }
        Err(Mistakes {
            list: self.mistakes,
            more: self.more,
            valid: self.show.compiled.lines.len(),
        })
    }
}

/// Parses an instant: a number of seconds, or a time with a unit.
fn instant(text: &str) -> Result<u64, String> {
    let seconds = Dimension::Time
        .read(text)
        .map_err(|why| format!("expected {why}"))?;
    if !(0.0..=250_000.0).contains(&seconds) {
        return Err("a time is from 0 to 250,000 s".to_owned());
    }
    Ok((seconds * 1e9).round() as u64)
}

#[cfg(test)]
mod tests;
