//! Our own files of commands: CSV and JSON. Called by `lib`; `csv` and `json` know their forms,
//! `write` writes both.
//! Commands may come in any order, and are sorted, with a remark if an actuator goes back in
//! time; the same command twice is one; two values of one actuator at one instant are a mistake.
//!
//! Both forms have the same settings: `name`, `body`, `lead`, `loops`, `sound`, and `ease`, which
//! is how every command without an `ease` of its own goes on to the next one: `linear`, `step`,
//! `spline`, `ease-in`, `ease-out`, `ease-in-out`, `min-jerk`, or `bezier(0.2 0.4 / -0.3 0)`: the
//! handle behind this command, and the one before the next, each as seconds and value. A value is
//! in the actuator's SI unit, or has `deg`, `rad`, `m`, `cm` or `mm`.

mod columns;
pub(crate) mod csv;
mod ease;
mod fields;
pub(crate) mod json;

use std::collections::HashMap;

use crate::fault::{FileMistake, MistakeList, quoted};
use crate::motion::{
    JointKey, JointTrack, KEYS_MAX, KeySide, KeyedMotion, MotionLabel, MotionSound, TIME_MAX,
    TRACKS_MAX,
};
use crate::text::number::{NumberFault, number};
use crate::units::{ValueUnit, written_time};
use ease::EaseText;

/// A command that was read, before its track is known as a whole.
struct OwnCommand {
    track: usize,
    time: u64,
    value: f64,
    unit: ValueUnit,
    ease: Option<EaseText>,
    place: (usize, usize),
}

/// That a file has more commands than a motion may have keys.
fn too_many() -> String {
    format!("more than {KEYS_MAX} commands; fix: divide the file")
}

/// What is wrong with a number, and that it may have a unit, unless it is plain what was meant.
fn or_unit(fault: NumberFault, example: &str) -> String {
    match fault {
        NumberFault::Large | NumberFault::Comma => fault.to_string(),
        fault => format!("{fault}, or with a unit: {example}"),
    }
}

/// Gathers the commands and settings of a file.
struct OwnReader {
    motion: KeyedMotion,
    ease: Option<EaseText>,
    commands: Vec<OwnCommand>,
    tracks: HashMap<String, usize>,
    mistakes: MistakeList,
    /// Whether numbers may have decimal commas.
    comma: bool,
}

impl OwnReader {
    fn new(comma: bool) -> OwnReader {
        OwnReader {
            motion: KeyedMotion::default(),
            ease: None,
            commands: Vec::new(),
            tracks: HashMap::new(),
            mistakes: MistakeList::default(),
            comma,
        }
    }

    fn time(&self, text: &str) -> Result<u64, String> {
        let ns = written_time(text, self.comma).map_err(|fault| {
            format!(
                "{} is not a time: {}",
                quoted(text),
                or_unit(fault, "500ms")
            )
        })?;
        let time = u64::try_from(ns).ok().filter(|value| *value <= TIME_MAX);
        time.ok_or_else(|| {
            let most = TIME_MAX / 1_000_000_000;
            format!(
                "{} is not a time: a time is from 0 to {most} s",
                quoted(text)
            )
        })
    }

    fn value(&self, text: &str) -> Result<(f64, ValueUnit), String> {
        let (digits, unit) = ValueUnit::split(text.trim());
        let value = number(digits, self.comma).map_err(|fault| {
            format!(
                "{} is not a value: {}",
                quoted(text),
                or_unit(fault, "30deg")
            )
        })?;
        Ok((value, unit))
    }

    /// A setting of the whole file; says whether it knows it.
    fn setting(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "name" => self.motion.name = value.to_owned(),
            "body" => self.motion.body = value.to_owned(),
            "lead" => self.motion.lead = Some(self.time(value)?),
            "loops" => {
                self.motion.loops = match value {
                    "true" | "" => true,
                    "false" => false,
                    _ => return Err(format!("loops is {}; expected true", quoted(value))),
                }
            }
            "ease" => self.ease = Some(EaseText::read(value, self.comma)?),
            "sound" => {
                let (file, at) = value.rsplit_once(" at ").unwrap_or((value, "0"));
                let at = self.time(at)?;
                let file = file.to_owned();
                self.motion.sounds.push(MotionSound { file, at });
            }
            "label" => {
                let (name, at) = value.rsplit_once(" at ").unwrap_or((value, "0"));
                let at = self.time(at)?;
                let name = name.to_owned();
                self.motion.labels.push(MotionLabel { name, at });
            }
            _ => {
                let known = "name, body, lead, loops, sound, label, ease";
                return Err(format!(
                    "unknown setting {}; fix: use one of {known}",
                    quoted(key)
                ));
            }
        }
        Ok(())
    }

    fn track(&mut self, joint: &str) -> Result<usize, String> {
        if let Some(known) = self.tracks.get(joint) {
            return Ok(*known);
        }
        if joint.is_empty() {
            return Err("the name of the actuator is missing".to_owned());
        }
        if self.motion.tracks.len() >= TRACKS_MAX {
            return Err(format!("more than {TRACKS_MAX} actuators"));
        }
        let number = self.motion.tracks.len();
        self.motion.tracks.push(JointTrack {
            joint: joint.to_owned(),
            ..JointTrack::default()
        });
        self.tracks.insert(joint.to_owned(), number);
        Ok(number)
    }

    fn is_full(&self) -> bool {
        self.commands.len() >= KEYS_MAX
    }

    fn add(&mut self, command: OwnCommand) -> Result<(), String> {
        if self.is_full() {
            return Err(too_many());
        }
        self.commands.push(command);
        Ok(())
    }

    /// Sorts the commands into their tracks.
    fn finish(
        mut self,
        remarks: &mut Vec<FileMistake>,
    ) -> Result<KeyedMotion, crate::fault::ReadFailure> {
        if self.commands.is_empty() && self.mistakes.is_empty() {
            self.mistakes
                .add(FileMistake::new(1, 1, "the file has no commands"));
        }
        let mut commands = std::mem::take(&mut self.commands);
        remarks.extend(self.goes_back(&commands));
        commands.sort_by_key(|command| (command.track, command.time));
        for part in commands.chunk_by(|a, b| a.track == b.track) {
            self.fill(part);
        }
        self.mistakes.or(self.motion)
    }

    /// Says where an actuator first goes back in time.
    fn goes_back(&self, commands: &[OwnCommand]) -> Option<FileMistake> {
        let mut latest = vec![0; self.motion.tracks.len()];
        let command = commands.iter().find(|command| {
            let before = latest.get_mut(command.track);
            before.is_some_and(|before| std::mem::replace(before, command.time) > command.time)
        })?;
        let joint = self
            .motion
            .tracks
            .get(command.track)
            .map(|track| &*track.joint);
        let sentence = format!(
            "{} goes back to {} s here: its commands are sorted; fix: check that no rows are mixed up",
            quoted(joint.unwrap_or_default()),
            crate::units::key_seconds(command.time)
        );
        Some(FileMistake::new(command.place.0, command.place.1, sentence))
    }

    /// Makes the keys of one track.
    fn fill(&mut self, commands: &[OwnCommand]) {
        let Some(first) = commands.first() else {
            return;
        };
        let unit = match common_unit(commands) {
            Ok(unit) => unit,
            Err(mistake) => return self.mistakes.add(mistake),
        };
        let Some(track) = self.motion.tracks.get_mut(first.track) else {
            return;
        };
        track.unit = unit;
        let mut arrive = KeySide::Linear;
        let mut last: Option<&OwnCommand> = None;
        for command in commands {
            let value = if command.unit == unit {
                command.value
            } else {
                command.unit.to_si(command.value)
            };
            if let Some(before) = last.filter(|value| value.time == command.time) {
                let same = track.keys.last().is_some_and(|key| key.value == value);
                if !same {
                    let sentence = format!(
                        "{} has two values at {} s: {} in line {}, and {}",
                        quoted(&track.joint),
                        command.time as f64 / 1e9,
                        before.value,
                        before.place.0,
                        command.value
                    );
                    let (line, column) = command.place;
                    self.mistakes.add(FileMistake::new(line, column, sentence));
                }
                continue;
            }
            let ease = command.ease.or(self.ease);
            let (leave, next) = ease.map_or((KeySide::Linear, KeySide::Linear), EaseText::sides);
            track.keys.push(JointKey {
                time: command.time,
                value,
                weight: 1.0,
                arrive,
                leave,
            });
            arrive = next;
            last = Some(command);
        }
        if let Some(key) = track.keys.last_mut() {
            // Nothing follows the last command.
            key.leave = KeySide::Linear;
        }
    }
}

/// The unit that all commands of a track have, or its SI unit if they have several.
fn common_unit(commands: &[OwnCommand]) -> Result<ValueUnit, FileMistake> {
    let mut unit: Option<ValueUnit> = None;
    for command in commands {
        match unit {
            None => unit = Some(command.unit),
            Some(known) if known == command.unit => {}
            Some(known) => {
                let both = (known.si(), command.unit.si());
                unit = Some(match both {
                    (a, b) if a == b => a,
                    (ValueUnit::Native, other) | (other, ValueUnit::Native) => other,
                    _ => {
                        let (line, column) = command.place;
                        let sentence = "an angle and a length for the same actuator";
                        return Err(FileMistake::new(line, column, sentence));
                    }
                });
            }
        }
    }
    Ok(unit.unwrap_or_default())
}
